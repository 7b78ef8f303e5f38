"""Arguments and results as a record holds them."""

import hashlib
import random
import unittest
from json.encoder import encode_basestring
from typing import Any

from toolreplay.engine.canonical import dumps, dumps_text
from toolreplay.formats.content import arguments, without_blobs

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""SHA-256 of b"abc", published with the algorithm; "YWJj" is its base64."""


class Arguments(unittest.TestCase):
    def test_objects(self) -> None:
        for value, args in [
            ({}, {}),
            ({"a": 1}, {"a": 1}),
            ('{"a":1}', {"a": 1}),
            (' {"a":1}\n', {"a": 1}),
            (r'"{\"a\":1}"', {"a": 1}),
        ]:
            self.assertEqual(arguments(value), args, value)

    def test_everything_else_is_kept_as_text(self) -> None:
        for value, text in [
            ("", ""),
            ("ls -l", "ls -l"),
            ("{", "{"),
            ('"x"', '"x"'),
            ("[1]", "[1]"),
            ("1", "1"),
            ("null", "null"),
            ('{"a":1,"a":2}', '{"a":1,"a":2}'),
            ('{"a":NaN}', '{"a":NaN}'),
            (r'"\"{\\\"a\\\":1}\""', r'"\"{\\\"a\\\":1}\""'),
            ('{"a":"\ud83d"}', '{"a":"\ud83d"}'),
            ([1, "é"], '[1,"é"]'),
            (1.5, "1.5"),
            (True, "true"),
        ]:
            self.assertEqual(arguments(value), {"_raw": text}, value)


class Texts(unittest.TestCase):
    def test_they_are_canonical_json(self) -> None:
        rng = random.Random(7)
        characters = [chr(code) for code in range(160)] + list('"\\/\n\t\r\u2028é🙂\ud83d\udc00')
        for _ in range(2000):
            text = "".join(rng.choices(characters, k=rng.randint(0, 9))) * rng.choice((1, 99))
            joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            expected = encode_basestring(joined).encode("utf-8", "backslashreplace")
            self.assertEqual(dumps_text(text), expected, ascii(text))
            self.assertEqual(dumps({"a": text}, 9999), b'{"a":%b}' % expected, ascii(text))


class Blobs(unittest.TestCase):
    def test_what_stays(self) -> None:
        kept: tuple[Any, ...] = (
            None,
            5,
            [],
            {},
            {"type": "text", "text": "YWJj"},
            {"type": "image", "source": {"type": "url", "url": "a.png"}},
            {"type": "image", "source": {"type": "base64", "data": 5}},
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "input_image", "image_url": None},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "t"}},
            {"data": "YWJj"},
            {"blob": "YWJj"},
        )
        for content in kept:
            self.assertEqual(without_blobs(content), content)

    def test_what_is_described(self) -> None:
        described: dict[str, Any] = {"type": "image", "sha256": ABC, "bytes": 3}
        source = {"type": "base64", "media_type": "image/png", "data": "YWJj"}
        for content, expected in [
            ({"type": "image", "source": source}, described),
            ({"type": "document", "source": source}, {**described, "type": "document"}),
            ({"source": source}, {**described, "type": "blob"}),
            ({"type": "image", "data": "YWJj", "mimeType": "image/png"}, described),
            ({"type": "audio", "data": "YWJj"}, {**described, "type": "audio"}),
            ({"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}}, described),
            ({"type": "input_image", "image_url": "data:image/png;base64,YWJj"}, described),
            (
                {"type": "resource", "resource": {"uri": "file:///a", "blob": "YWJj"}},
                {"type": "resource", "resource": {**described, "type": "blob", "uri": "file:///a"}},
            ),
            ([{"a": [{"type": "image", "data": "YWJj"}]}], [{"a": [described]}]),
        ]:
            self.assertEqual(without_blobs(content), expected)

    def test_what_is_no_base64_counts_as_the_text_that_it_is(self) -> None:
        for text in ("YW", "é", "\ud83d"):
            raw = text.encode("utf-8", "surrogatepass")
            expected = {"type": "image", "sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
            self.assertEqual(without_blobs({"type": "image", "data": text}), expected)


if __name__ == "__main__":
    unittest.main()
