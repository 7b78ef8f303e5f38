"""Every way to spell a value of JSON, inside a record and inside a link: read, sealed and verified alike.

The lines are put together from text, without the program and without a parser.
"""

import hashlib
import unittest
from collections.abc import Callable

from test_canonical import ACCEPTED, REFUSED

from toolreplay.engine.chain import verify
from toolreplay.engine.errors import InputError
from toolreplay.engine.replay import replay
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import read_records

FIRST = b'{"index":0,"tool":"t","args":{},"response":{}}\n'
PLACES = ("args", "response")


def inside(text: str | bytes) -> bytes:
    return b'{"x":' + (text.encode() if isinstance(text, str) else text) + b"}"


def record(index: int, place: str, value: bytes) -> bytes:
    other = "response" if place == "args" else "args"
    return b'{"index":%d,"tool":"t","%b":{},"%b":%b}\n' % (index, other.encode(), place.encode(), value)


def link(index: int, prev: str, place: str, value: bytes, canonical: bytes) -> tuple[bytes, str]:
    """Return a link's line that spells a value in some way, and its digest, which is that of the canonical line."""

    def line(args: bytes, response: bytes, digest: bytes) -> bytes:
        return b'{"args":%b,%b"index":%d,"prev":"%b","response":%b,"tool":"t"}' % (
            args,
            digest,
            index,
            prev.encode(),
            response,
        )

    canonical_fields, fields = ((each, b"{}") if place == "args" else (b"{}", each) for each in (canonical, value))
    digest = hashlib.sha256(line(*canonical_fields, b"")).hexdigest()
    return line(*fields, b'"digest":"%b",' % digest.encode()) + b"\n", digest


# In a record there is room for two levels less.
SPELLED = [(name, inside(text), inside(canonical)) for name, text, canonical in ACCEPTED if "500 levels" not in name]


class Spellings(unittest.TestCase):
    def test_sealed_alike(self) -> None:
        for name, value, canonical in SPELLED:
            for place in PLACES:
                with self.subTest(name, place=place):
                    (sealed,) = seal(read_records([record(0, place, value)]))
                    self.assertEqual((sealed.line, sealed.digest), link(0, "0" * 64, place, canonical, canonical))

    def test_verified_alike(self) -> None:
        for name, value, canonical in SPELLED:
            for place in PLACES:
                with self.subTest(name, place=place):
                    first, head = link(0, "0" * 64, place, canonical, canonical)
                    second, head = link(1, head, place, value, canonical)
                    self.assertEqual(verify([first, second]), (2, head, None))

    def test_the_same_call_and_response(self) -> None:
        for name, value, canonical in SPELLED:
            with self.subTest(name):
                calls = [record(0, "args", value), record(1, "args", canonical)]
                self.assertEqual([finding.kind for finding in replay(read_records(calls)).findings], ["redundant-call"])
                calls = [record(0, "response", value), FIRST.replace(b"0", b"1"), record(2, "response", canonical)]
                calls[1] = calls[1].replace(b'"t"', b'"u"')
                self.assertEqual(replay(read_records(calls)).findings, ())

    def test_refused_alike(self) -> None:
        for name, data, _ in REFUSED:
            value = inside(data)
            if name in ("only white space", "nothing"):
                value = b'{"x":}'
            for place in PLACES:
                with self.subTest(name, place=place):
                    first, head = link(0, "0" * 64, place, b"{}", b"{}")
                    second, _ = link(1, head, place, value, value)
                    self.refused(lambda lines: list(read_records(lines)), [FIRST, record(1, place, value)])
                    self.refused(verify, [first, second])

    def refused(self, read: Callable[[list[bytes]], object], lines: list[bytes]) -> None:
        with self.assertRaises(InputError) as caught:
            read(lines)
        self.assertEqual(caught.exception.line, 2)


if __name__ == "__main__":
    unittest.main()
