"""The quick ways of reading, writing, sealing, verifying and replaying, held against plain slow ones.

What is quick must never alter a value, a digest, a finding or an error.
"""

import hashlib
import json
import random
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from functools import partial
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any
from unittest import mock

import plain_reader
import reference

from toolreplay.engine import canonical, chain, firsts, strict, transcript
from toolreplay.engine.canonical import LONG, dumps, encoded_to_compare, loads
from toolreplay.engine.chain import verify
from toolreplay.engine.errors import InputError, JsonError
from toolreplay.engine.findings import NON_DETERMINISM, REDUNDANT_CALL
from toolreplay.engine.links import FIRST_PREV, Expectation
from toolreplay.engine.replay import replay
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record, call_digest, canonical_call, read_records
from toolreplay.lines import SeekableLines
from toolreplay.source import replay_file

SOURCE = 'def f(x):\n\treturn "a\\b" + x  # é\r\n' * 40

VALUES: dict[str, str] = {
    "nothing special": '{"a":1,"b":[true,false,null,"x"]}',
    "not sorted": '{"b":1,"a":2}',
    "not sorted, deep down": '{"a":[{"z":1,"b":{"d":1,"c":2}}]}',
    "a key twice": '{"a":1,"a":1}',
    "a key twice, deep down": '{"a":[{"b":{"c":1,"c":2}}]}',
    "a key twice, once escaped": r'{"a":1,"\u0061":2}',
    "a key twice, both escaped": r'{"\u0061":1,"\u0061":2}',
    "a key twice with quotes": r'{"\"":1,"\u0022":2}',
    "the empty key twice": '{"":1,"":2}',
    "space before the colon": '{"a" :1}',
    "space after the colon": '{"a": 1}',
    "space in an empty object": '{"a":{ }}',
    "a key that ends in a backslash": r'{"a\\":1,"b\\":2}',
    "a key that ends in an escaped quote": r'{"a\"":1}',
    "a value that looks like members": r'{"a":"\",\"a\":1"}',
    "colons in text": '{"a":"b: c","d":{"e":"::","f":":"},"g":[":"]}',
    "colons in text, deep down": '{"a":[{"b":{"c":"d:e"}}]}',
    "a colon as a key": '{":":{":":1}}',
    "a colon as a key twice": '{":":1,":":2}',
    "a colon in text after a key twice": '{"a":1,"a":":"}',
    "a colon in text before a key twice": '{"a":":","a":1}',
    "a colon escaped after a key twice": r'{"a":1,"a":"\u003a"}',
    "a colon escaped in capitals after a key twice": r'{"a":1,"a":"\u003A"}',
    "a colon escaped after a key twice, in an object": r'{"a":{"a":1,"a":"\u003a"}}',
    "a colon escaped, as a key": r'{"\u003a":":"}',
    "unbalanced quotes": '{"a":"b}',
    "an escaped slash": r'{"a":"\/"}',
    "an escaped letter": r'{"a":"\u0041"}',
    "an escaped letter that is not ASCII": r'{"a":"\u00e9"}',
    "escaped letters that are the bytes of another": r'{"a":"\u00c3\u00a9"}',
    "letters that are the bytes of another": '{"a":"Ã©","b":"é"}',
    "keys that are not ASCII": '{"é":1,"ÿ":2,"Ā":3,"ў":4,"فائل":5}',
    "keys that are not ASCII, not sorted": '{"ÿ":2,"é":1}',
    "long text in Urdu": json.dumps({"a": "فائل\n" * 200}, ensure_ascii=False, separators=(",", ":")),
    "an escape in capitals": r'{"a":"\u001F"}',
    "an escape in small letters": r'{"a":"\u001f"}',
    "a short escape spelled long": r'{"a":"\u000a"}',
    "delete, raw": '{"a":"\x7f"}',
    "delete, escaped": r'{"a":"\u007f"}',
    "a lone surrogate": r'{"a":"\ud83d"}',
    "a lone surrogate in capitals": r'{"a":"\uD83D"}',
    "a lone surrogate as a key": r'{"\udc00":1,"é":2}',
    "an escaped pair": r'{"a":"\ud83d\ude00"}',
    "keys above and below surrogates": '{"😀":1,"\uffff":2}',
    "keys above and below surrogates, sorted": '{"\uffff":2,"😀":1}',
    "minus zero": '{"a":[-0,-0.0,0]}',
    "floats spelled short": '{"a":[1e16,1E5,1.50,0.1e1]}',
    "floats spelled right": '{"a":[1e+16,100000.0,1.5,1e-07]}',
    "more digits than a double has": '{"a":0.1000000000000000055511151231257827}',
    "a big integer": '{"a":123456789012345678901234567890}',
    "4,300 digits": '{"a":' + "7" * 4300 + "}",
    "4,301 digits": '{"a":' + "7" * 4301 + "}",
    "4,301 digits in a string": '{"a":"' + "7" * 4301 + '"}',
    "4,301 digits of a fraction": '{"a":0.' + "7" * 4301 + "}",
    "overflow": '{"a":1e999}',
    "NaN": '{"a":NaN}',
    "Infinity": '{"a":-Infinity}',
    "a byte order mark": '\ufeff{"a":1}',
    "a raw newline in a string": '{"a":"\n"}',
    "a carriage return between tokens": '{"a":1\r}',
    "line separators in a string": '{"a":"\u2028\u2029\x85\x0c"}',
    "two values": '{"a":1} {"b":2}',
    "a value and a bracket": '{"a":1}}',
    "a member named digest": '{"digest":"' + "0" * 64 + '","index":0}',
    "long text": json.dumps({"text": SOURCE}, ensure_ascii=False, separators=(",", ":")),
    "long text, escaped": json.dumps({"text": SOURCE}),
    "long text with other controls": json.dumps({"text": SOURCE + "\x01"}, ensure_ascii=False, separators=(",", ":")),
    "long text with a lone surrogate": json.dumps({"text": SOURCE + "\ud800"}),
    "long text in a list": json.dumps({"a": [{"b": 1, "a": SOURCE}]}, ensure_ascii=False, separators=(",", ":")),
    "long text deep down": json.dumps({"a": [[[[[[SOURCE]]]]], {}]}, ensure_ascii=False, separators=(",", ":")),
    "long text as a key": json.dumps({SOURCE: SOURCE}, ensure_ascii=False, separators=(",", ":")),
    "long text with slashes escaped": '{"text":"' + r"a\/b" * 300 + '"}',
    "just long text": '{"text":"' + "x" * LONG + '"}',
    "many brackets in a string": '{"text":"' + '[{\\"' * 600 + '"}',
    "many brackets": '{"a":[' + ",".join(["[[]]"] * 400) + "]}",
    "many brackets and escaped quotes": '{"a":[' + ",".join(['["\\\\\\"",{}]'] * 400) + "]}",
}

DEEP = {levels: '{"a":' + "[" * (levels - 1) + "]" * (levels - 1) + "}" for levels in (499, 500, 501, 502, 1200)}


def read_slowly(data: bytes) -> Any:
    """Read as the program does when its quick way gives up at once."""
    with mock.patch.object(strict, "_fast", mock.Mock(side_effect=ValueError)):
        return loads(data)


def slowly(data: bytes) -> Any:
    """Read slowly and return what that gives, or the error's text."""
    return outcome(lambda: read_slowly(data))


def outcome(of: Callable[[], Any]) -> tuple[str, Any]:
    """Return what a call gives, or the error's text."""
    try:
        return "gives", of()
    except (InputError, JsonError) as error:
        return "refuses", (str(error), getattr(error, "newlines", None))


def intact(line: bytes) -> bool:
    """Tell whether a chain of one line is intact."""
    return bool(verify([line]))


def same(value: Any) -> str:
    """Return a text that tells values apart: 1, 1.0, true, -0.0 and keys in their order."""
    return repr(value)


class Reading(unittest.TestCase):
    def setUp(self) -> None:
        self.reader = strict.reader()

    def check(self, data: bytes) -> None:
        quick, slow = outcome(lambda: loads(data)), slowly(data)
        self.assertEqual(same(quick), same(slow))
        self.assertEqual(same(outcome(lambda: self.reader(data))), same(slow))
        try:
            expected = ("gives", plain_reader.read(data))
        except plain_reader.Refused:
            expected = ("refuses", quick[1])
        self.assertEqual(same(quick), same(expected))

    def test_values(self) -> None:
        for name, text in VALUES.items():
            for spelled in (text, f" {text}", f"{text}\n", f"{text} \r\n", f"[{text}]"):
                with self.subTest(name, spelled=spelled[:60]):
                    self.check(spelled.encode())

    def test_bytes_that_are_no_text(self) -> None:
        for data in (
            b"",
            b"\xff",
            b'{"a":"\xed\xa0\x80"}',
            b'{"a":"\xc0\xaf"}',
            b"\xff\xfe{\0}\0",
            b'{"a":"\0"}',
            b"\0",
        ):
            with self.subTest(data=data):
                self.check(data)

    def test_depth(self) -> None:
        for levels, text in DEEP.items():
            for padding in ("", " " * 2000):
                with self.subTest(levels=levels, padded=bool(padding)):
                    quick = outcome(partial(loads, (text + padding).encode()))
                    self.assertEqual(quick[0], "gives" if levels <= 500 else "refuses")
                    self.assertEqual(same(quick), same(slowly((text + padding).encode())))

    def test_nested_further_than_it_seems(self) -> None:
        opening = '{"a":"\\\\",' + '"b":' + "[" * 499
        self.assertEqual(outcome(lambda: loads((opening + "]" * 499 + "}").encode()))[0], "gives")
        self.assertEqual(outcome(lambda: loads((opening + "[]" + "]" * 499 + "}").encode()))[0], "refuses")

    def test_damaged_at_random(self) -> None:
        chance = random.Random(7)
        texts = [text.encode() for text in VALUES.values() if len(text) < 200]
        marks = [b"", b'"', b"\\", b"{", b"]", b",", b":", b"0", b"-", b"e9", b"NaN", b"\xff", b"\0", b" "]
        marks += [b"\\u0022", b"\\u003a", b'":"', b'"a":1,']
        for _ in range(1500):
            data = bytearray(chance.choice(texts))
            place = chance.randrange(len(data) + 1)
            data[place : place + chance.randrange(3)] = chance.choice(marks)
            self.check(bytes(data))


class Writing(unittest.TestCase):
    def values(self) -> Iterator[tuple[str, Any]]:
        for name, text in VALUES.items():
            try:
                yield name, plain_reader.read(text.encode())
            except plain_reader.Refused:
                continue

    def test_values(self) -> None:
        for name, value in self.values():
            for size in (0, 10**6):
                with self.subTest(name, size=size):
                    self.assertEqual(dumps(value, size).decode(), reference.canonical(value))

    def test_every_character_in_long_text(self) -> None:
        for code in [*range(0x180), 0x2028, 0xFEFF, 0xFFFF, 0x1F600]:
            text = "é" * LONG + chr(code) + "x"
            for value in ({"a": text}, {text: text}, [text, {"a": [text, "\0"]}, text]):
                self.assertEqual(dumps(value, 10**6).decode(), reference.canonical(value), code)

    def test_long_text_to_compare_equals_a_json_text_only_if_it_is_canonical(self) -> None:
        for code in range(0x100):
            value = {"a": "é" * LONG + chr(code) + "x"}
            found = encoded_to_compare(value, 10**6)
            if code < 0x20 and chr(code) not in "\n\r\t":
                self.assertIn(chr(code), found)
                self.assertRaises(json.JSONDecodeError, json.loads, found)
            else:
                self.assertEqual(found, reference.canonical(value), code)
        for code in (0x100, 0x2028, 0xD800, 0x1F600):
            self.assertRaises(ValueError, encoded_to_compare, {"a": "é" * LONG + chr(code)}, 10**6)

    def test_long_text_in_a_link_is_held_to_its_canonical_spelling(self) -> None:
        long = "x" * (5 * LONG)
        for spelling, canonical_spelling in (
            *((f"\\u{code:04x}", json.dumps(chr(code))[1:-1]) for code in range(0x20)),
            *((f"\\{letter}", f"\\{letter}") for letter in 'bfnrt"\\'),
            *((r"\/", "/"), (r"\u0041", "A"), (r"\u001F", r"\u001f"), (r"\ud83d", r"\ud83d"), (r"\uD83D", r"\ud83d")),
        ):
            with self.subTest(spelling):
                begin, end = (
                    '{"args":{},',
                    f'"index":0,"prev":"{FIRST_PREV}","response":{{"a":"{long}%s"}},"tool":"t"}}',
                )
                as_spelled = hashlib.sha256((begin + end % spelling).encode()).hexdigest()
                right = hashlib.sha256((begin + end % canonical_spelling).encode()).hexdigest()
                for digest in (as_spelled, right):
                    found = verify([f'{begin}"digest":"{digest}",{end % spelling}\n'.encode()])
                    self.assertEqual(bool(found), digest == right)
                    if found.broken is not None:
                        self.assertEqual((found.broken.expected, found.broken.found), (right, as_spelled))

    def test_without_the_encoder_in_c(self) -> None:
        with mock.patch.object(canonical, "c_make_encoder", None):
            chunks = canonical._chunk_encoder(encode_basestring)
        for name, value in self.values():
            with self.subTest(name):
                self.assertEqual("".join(chunks(value, 0)).encode("utf-8", "backslashreplace"), dumps(value))

    def test_canonical_calls(self) -> None:
        for name, value in self.values():
            for tool in ("t", "é\ud800", '"\n'):
                with self.subTest(name, tool=tool):
                    expected = reference.canonical({"args": value, "tool": tool}).encode()
                    made = Record(0, tool, value, {}, 1)
                    self.assertEqual(canonical_call(made), expected)
                    self.assertEqual(call_digest(made), hashlib.sha256(expected).digest())


def record(index: object, args: str, response: str = "{}", tool: str = '"t"') -> str:
    return f'{{"index":{index},"tool":{tool},"args":{args},"response":{response}}}'


class Chains(unittest.TestCase):
    def test_seal(self) -> None:
        for name, text in VALUES.items():
            lines = [record(0, text).encode(), b"\n", record(1, "{}", text).encode() + b"\r\n"]
            try:
                values = [plain_reader.read(line) for line in lines[::2]]
            except plain_reader.Refused:
                continue
            with self.subTest(name):
                expected = [reference.canonical(link) + "\n" for link in reference.seal(values)]
                self.assertEqual([link.line.decode() for link in seal(read_records(lines))], expected)

    def sealed_alike(self, lines: list[bytes]) -> str:
        quick = outcome(lambda: list(seal(read_records(lines, "x"))))
        with mock.patch.object(transcript, "reader", return_value=read_slowly):
            self.assertEqual(quick, outcome(lambda: list(seal(read_records(lines, "x")))), lines)
        return quick[0]

    def test_lines_read_quickly_seal_alike(self) -> None:
        seen = set()
        for name, text in VALUES.items():
            for line in (
                record(0, text),
                record(0, "{}", text),
                record(0, "{}", f'{{"a":{text},"a":{text}}}'),
                record(0, "{}", f'{{"\\"":{text},"\\"":{text}}}'),
                record(0, "{}", f'{{"{chr(92)}u0022\\"":{text},"\\"":1}}'),
                record(0, text, tool='"t","tool":"t"'),
                record(0, text, tool='"\\u0022\\u0022","tool":"t"'),
                record(0, text) + " ",
                record(0, text) + "x",
                " " + record(0, text),
                record(1, text),
                record("true", text),
                record("0.0", text),
                record("-0", text),
                text,
            ):
                for end in ("\n", "", "\r\n"):
                    with self.subTest(name, line=line[:80]):
                        seen.add(self.sealed_alike([(line + end).encode(), b"\n", record(1, "{}").encode()]))
        self.assertEqual(seen, {"gives", "refuses"})

    def test_damaged_lines_read_quickly_seal_alike(self) -> None:
        chance = random.Random(17)
        texts = [record(0, text, '{"b":"\\"","c":{}}').encode() for text in VALUES.values() if len(text) < 200]
        marks = [b"", b'"', b"\\", b"{", b",", b":", b"0", b"NaN", b"\xff", b" ", b"\\u0022", b'"a":1,', b',"b":""']
        for _ in range(1500):
            data = bytearray(chance.choice(texts))
            place = chance.randrange(len(data) + 1)
            data[place : place + chance.randrange(3)] = chance.choice(marks)
            self.sealed_alike([bytes(data)])

    def spellings(self, text: str) -> Iterator[tuple[str, list[bytes]]]:
        """Yield files of two links around a value as it is spelled, with digests that hold for what is read."""
        loose = json.loads(text)
        for name in ("args", "response"):
            links = reference.seal(
                [
                    {"index": 0, "tool": "t", "args": {}, "response": {}, name: loose},
                    {"index": 1, "tool": "digest", "args": {}, "response": {"digest": "x"}},
                ]
            )
            fields = {field: reference.canonical(value) for field, value in links[0].items()} | {name: text}
            lines = ["{" + ",".join(f'"{field}":{fields[field]}' for field in sorted(fields)) + "}"]
            lines.append(reference.canonical(links[1]))
            yield name, [line.encode() + b"\n" for line in lines]

    def check(self, lines: list[bytes]) -> None:
        for expectation in (Expectation(), Expectation(exact=True)):
            quick = outcome(partial(verify, lines, "x", expectation))
            with mock.patch.object(chain, "_value_if_sealed", return_value=None):
                self.assertEqual(quick, outcome(partial(verify, lines, "x", expectation)))
        plain = outcome(lambda: verify(lines, "x"))
        try:
            links = [plain_reader.read(line) for line in lines]
        except plain_reader.Refused:
            self.assertEqual(plain[0], "refuses")
            return
        if plain[0] == "gives":
            broken = plain[1].broken
            found = None if broken is None else (broken.index, broken.expected, broken.found)
            self.assertEqual(found, reference.first_broken(links))

    def test_links_spelled_in_other_ways(self) -> None:
        seen = set()
        for name, text in VALUES.items():
            try:
                json.loads(text)
            except ValueError:
                continue
            if "NaN" in text or "Infinity" in text or "e999" in text or "7" * 4301 + "}" in text:
                continue
            for field, lines in self.spellings(text):
                with self.subTest(name, field=field):
                    self.check(lines)
                    seen.add(outcome(partial(verify, lines))[0])
        self.assertEqual(seen, {"gives", "refuses"})

    def test_digests_of_the_bytes_and_not_of_the_value(self) -> None:
        for name, text in VALUES.items():
            if len(text) > 4000 or name in ("unbalanced quotes", "a raw newline in a string"):
                continue
            begin, end = f'{{"args":{text},', f'"index":0,"prev":"{FIRST_PREV}","response":{{}},"tool":"t"}}'
            digest = hashlib.sha256((begin + end).encode()).hexdigest()
            line = f'{begin}"digest":"{digest}",{end}'.encode()
            with self.subTest(name):
                self.check([line])
                is_canonical = slowly(text.encode())[0] == "gives" and dumps(loads(text.encode())) == text.encode()
                quick = outcome(partial(intact, line))
                self.assertEqual(quick == ("gives", True), is_canonical)

    def test_digests_of_bytes_that_are_no_text(self) -> None:
        for wrong in (b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"):
            for padding in (b"", b"x" * 5000):
                begin = b'{"args":{"a":"' + wrong + padding + b'"},'
                end = b'"index":0,"prev":"' + FIRST_PREV.encode() + b'","response":{},"tool":"t"}\n'
                digest = hashlib.sha256((begin + end).strip()).hexdigest()
                line = begin + b'"digest":"' + digest.encode() + b'",' + end
                with self.subTest(wrong, padded=bool(padding)):
                    self.check([line])
                    self.assertEqual(outcome(partial(intact, line))[1][0], "<lines>:1: not UTF-8 at byte 15")

    def test_a_digest_member_in_other_places(self) -> None:
        links = reference.seal([{"index": 0, "tool": "t", "args": {}, "response": {}}])
        member = f'"digest":"{links[0]["digest"]}",'
        text = reference.canonical(links[0])
        moved = text.replace(member, "")
        for changed in (
            moved.replace('{"args":{}', f'{{"args":{{{member[:-1]}}}'),
            moved.replace('"response":{}', f'"response":{{{member[:-1]}}}'),
            text.replace('{"args":{}', f'{{"args":{{{member[:-1]}}}'),
            text.replace(member, member + member),
            text.replace(member, f"{member} "),
            text.replace('"digest"', r'"diges\u0074"'),
            text.replace('"index":0', '"index":0.0'),
            text.replace('"index":0', '"index":false'),
            text.replace('"index":0', '"index":-0'),
            text.replace('"index":0', '"index":1'),
            text.replace('"tool":"t"', '"tool":["t"]'),
            text.replace('"response":{}', '"response":[]'),
            text.replace('"args":{}', '"args":null'),
            text + " ",
            text + "x",
            "[" + text + "]",
            '"x"',
            "null",
        ):
            with self.subTest(changed=changed):
                self.check([changed.encode() + b"\n"])

    def test_changed_at_random(self) -> None:
        chance = random.Random(11)
        values = [{"index": 0, "tool": "t", "args": {"a": [1, "é\\"]}, "response": {"digest": "0" * 64, "b": 1.5}}]
        values.append({"index": 1, "tool": "u", "args": {}, "response": {"text": "x\n" * 300}})
        sealed = [reference.canonical(link).encode() + b"\n" for link in reference.seal(values)]
        for _ in range(600):
            lines = list(sealed)
            which = chance.randrange(2)
            line = bytearray(lines[which])
            place = chance.randrange(len(line) - 1)
            line[place : place + chance.randrange(2)] = chance.choice(
                [b"", b" ", b"0", b'"', b"\\", b"a", b"{", b"\xc3"]
            )
            lines[which] = bytes(line)
            self.check(lines)


class Replaying(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "session.jsonl"

    def write(self, chance: random.Random, count: int) -> list[bytes]:
        objects = [
            "{}",
            '{"n":1}',
            '{ "n" : 1 }',
            '{"n":1.0}',
            r'{"\u006e":1}',
            '{"n":true}',
            '{"n":"' + "x" * chance.choice([1, 4000]) + '"}',
            '{"n":[1,{"a":1,"b":2}]}',
            '{"n":[1,{"b":2,"a":1}]}',
        ]
        lines = []
        for index in range(count):
            tool = chance.choice(['"search"', '"write_file"', r'"s\u0065arch"'])
            lines.append(record(index, chance.choice(objects), chance.choice(objects[:4]), tool).encode())
            lines[-1] += chance.choice([b"\n", b"\r\n", b"\n\n"])
        self.path.write_bytes(b"".join(lines))
        return self.path.read_bytes().splitlines(keepends=True)

    def test_a_file_read_again_gives_what_kept_digests_give(self) -> None:
        chance = random.Random(13)
        found = 0
        for count in (0, 1, 2, 40, 40, 40, 300):
            lines = self.write(chance, count)
            expected = replay(read_records(lines))
            self.assertEqual(replay_file(self.path), expected)
            found += len(expected.findings)
        self.assertGreater(found, 100)

    def test_another_call_with_the_same_key(self) -> None:
        again = SeekableLines.again

        def same_line(lines: SeekableLines, place: int, fingerprint: int) -> bytes:
            line = self.path.read_bytes()[place:].split(b"\n")[0] + b"\n"
            self.assertEqual(hash(line) % 2, fingerprint)
            return again(lines, place, hash(line))

        chance = random.Random(19)
        for count in (2, 40, 300):
            lines = self.write(chance, count)
            expected = replay(read_records(lines))
            with (
                self.subTest(count=count),
                mock.patch.object(firsts, "hash", lambda value: hash(value) % 2, create=True),
                mock.patch.object(firsts, "_KEY_SIZE", 0),
                mock.patch.object(SeekableLines, "again", same_line),
            ):
                self.assertEqual(replay_file(self.path), expected)
                self.assertEqual(replay(read_records(lines)), expected)

    def test_calls_that_python_takes_for_equal(self) -> None:
        values = ("1", "1.0", "true", "0", "0.0", "-0.0", "false", '""', "null", "-1", "-2", str(2**61 - 2), '"1"')
        for name, calls in {
            "values": [f'{{"n":{value}}}' for value in values],
            "keys": ['{"a":1,"b":2}', '{"a":2,"b":1}'],
        }.items():
            for order in (calls, calls[::-1]):
                with self.subTest(name, order=order):
                    twice = "\n".join(record(index, call) for index, call in enumerate([*order, *order]))
                    self.path.write_text(twice, encoding="utf-8")
                    self.assertEqual(replay_file(self.path).findings, ())
                    begin, end = twice.rsplit('"response":{', 1)
                    self.path.write_text(f'{begin}"response":{{"n":1{end}', encoding="utf-8")
                    (finding,) = replay_file(self.path).findings
                    self.assertEqual((finding.index, finding.related), (2 * len(order) - 1, len(order) - 1))

    def test_integers_longer_than_the_environment_lets_python_write(self) -> None:
        self.addCleanup(sys.set_int_max_str_digits, sys.get_int_max_str_digits())
        sys.set_int_max_str_digits(640)
        long, longer = "7" * 4299, "7" * 4300
        calls = [f'{{"n":{long}}}', f'{{"n":[{long}]}}', f'{{"n":[{longer}]}}', f'{{"n":{longer}}}']
        self.path.write_text("\n".join(record(n, call) for n, call in enumerate([*calls, *calls])), encoding="utf-8")
        self.assertEqual(replay_file(self.path), (8, ()))
        self.path.write_text("\n".join(record(n, calls[2], f'{{"n":{n}}}') for n in range(2)), encoding="utf-8")
        self.assertEqual(
            [finding.kind for finding in replay_file(self.path).findings], [NON_DETERMINISM, REDUNDANT_CALL]
        )

    def test_each_line_is_read_again_at_most_once(self) -> None:
        count = 30
        calls = [
            record(index, f'{{"n":{index % count}}}', f'{{"n":{index // count // 2}}}') for index in range(4 * count)
        ]
        self.path.write_text("\n".join(calls), encoding="utf-8")
        with mock.patch.object(SeekableLines, "again", autospec=True, side_effect=SeekableLines.again) as again:
            result = replay_file(self.path)
        self.assertEqual([finding.index for finding in result.findings], list(range(2 * count, 4 * count)))
        self.assertEqual(len({call.args[1] for call in again.mock_calls}), again.call_count)
        self.assertEqual(again.call_count, count)

    def test_a_file_that_changes_is_an_error(self) -> None:
        lines = [record(0, "{}", '{"n":1}'), record(1, '{"n":1}', "{}"), record(2, "{}", '{"n":1}')]
        for name, changed in {
            "another response": [record(0, "{}", '{"n":2}'), *lines[1:]],
            "another call": [record(0, '{"n":3}', '{"n":1}'), *lines[1:]],
            "cut": [],
            "no JSON": ["x" * 200],
        }.items():
            with self.subTest(name):
                self.path.write_text("\n".join(lines), encoding="utf-8")

                def changing(*given: Any, changed: list[str] = changed) -> Iterator[Record]:
                    for each in read_records(*given):
                        if each.index == 2:
                            self.path.write_text("\n".join(changed), encoding="utf-8")
                        yield each

                with mock.patch("toolreplay.source.read_records", changing):
                    self.assertEqual(
                        outcome(lambda: replay_file(self.path)),
                        ("refuses", (f"{self.path}: changed while it was read", None)),
                    )

    def test_a_file_that_grows_is_none(self) -> None:
        self.path.write_text(record(0, "{}") + "\n" + record(1, "{}") + "\n", encoding="utf-8")

        def growing(*given: Any) -> Iterator[Record]:
            for each in read_records(*given):
                if each.index == 1:
                    with self.path.open("a", encoding="utf-8") as file:
                        file.write(record(2, "{}") + "\n")
                yield each

        with mock.patch("toolreplay.source.read_records", growing):
            self.assertEqual([finding.index for finding in replay_file(self.path).findings], [1, 2])


if __name__ == "__main__":
    unittest.main()
