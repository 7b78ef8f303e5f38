"""The chain: what seals, what verifies, and where it breaks."""

import json
import sys
import unittest
from collections.abc import Callable
from typing import Any

import reference
from support import SAMPLES, call, session

from toolreplay.engine.chain import ChainReader, verify
from toolreplay.engine.errors import InputError
from toolreplay.engine.links import VerifyResult
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record, read_records

DIRTY = (SAMPLES / "session-dirty.jsonl").read_bytes()

Link = dict[str, Any]


def sealed(transcript: bytes) -> list[bytes]:
    return [link.line for link in seal(read_records(transcript.split(b"\n")))]


def unsealed_line(link: Link) -> bytes:
    """Write a link as somebody else might: other key order, white space, escapes."""
    return json.dumps(link).encode() + b"\n"


# name, transcript
SESSIONS: list[tuple[str, bytes]] = [
    ("one call", session(("a", {}, {}))),
    ("the sample", DIRTY),
    ("Uzbek", session(("қидириш", {"матн": "ўзбек тили, o‘zbek"}, {"натижа": "ҳа"}))),
    ("Urdu", session(("تلاش", {"متن": "می\u200cروم، اردو"}, {"جواب": "ہاں"}))),
    ("emoji", session(("👩\u200d👩\u200d👧", {"😀": "🇺🇿"}, {"✔": "\u2028"}))),
    ("floats", session(("a", {"x": [1.0, 1e16, -0.0, 5e-324, 0.1]}, {"y": 1e-07}))),
    ("big integers", session(("a", {"x": [2**64, -(10**999)]}, {}))),
    ("lone surrogates", session(("\ud83d", {"\ude00": "a\ud83d"}, {"\ud83d\ud83d": ["\udfff"]}))),
    ("nested digest and prev", session(("a", {"digest": "x", "prev": {"digest": "y"}}, {"digest": {}}))),
    ("controls", session(("\x00\x1f\x7f\x85", {"\n": "\r\t\b\f"}, {"\\": '"'}))),
]

# name, what is done to the parsed links of the sample, index of the first broken link, whether prev fails
Edit = Callable[[list[Link]], object]
EDITS: list[tuple[str, Edit, int]] = [
    ("a value of the response", lambda links: links[3]["response"].update(hits=4), 3),
    ("a value of the args", lambda links: links[0]["args"].update(path="Docs"), 0),
    ("1 becomes 1.0", lambda links: links[3]["response"].update(hits=3.0), 3),
    ("a member more", lambda links: links[5]["args"].update(limit=None), 5),
    ("a member less", lambda links: links[4]["args"].pop("text"), 4),
    ("the order of an array", lambda links: links[0]["response"]["entries"].reverse(), 0),
    ("the tool", lambda links: links[1].update(tool="read_File"), 1),
    ("the index", lambda links: links[2].update(index=7), 2),
    ("the digest", lambda links: links[2].update(digest="0" * 64), 2),
    ("the digest in capitals", lambda links: links[2].update(digest=links[2]["digest"].upper()), 2),
    ("the digest emptied", lambda links: links[2].update(digest=""), 2),
    ("prev", lambda links: links[4].update(prev="f" * 64), 4),
    ("prev of the first", lambda links: links[0].update(prev=links[0]["digest"]), 0),
    ("prev and digest", lambda links: links[4].update(prev="f" * 64, digest="f" * 64), 4),
    ("a link resealed alone", lambda links: reseal(links, 2), 3),
    ("the first removed", lambda links: links.pop(0), 0),
    ("one removed", lambda links: links.pop(2), 2),
    ("one doubled", lambda links: links.insert(2, links[2]), 3),
    ("two swapped", lambda links: links.insert(3, links.pop(2)), 2),
    ("two equal calls swapped", lambda links: links.insert(2, links.pop(1)), 1),
    ("all turned round", lambda links: links.reverse(), 0),
    ("the last put first", lambda links: links.insert(0, links.pop()), 0),
    ("two edits: the first counts", lambda links: (links[5].update(tool="x"), links[1].update(tool="y")), 1),
]

HARMLESS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("nothing", lambda data: data),
    ("key order, white space and escapes", lambda data: b"".join(unsealed_line(link) for link in reference.read(data))),
    ("indented by spaces", lambda data: data.replace(b",", b" ,\t").replace(b"\n", b"  \n")),
    ("CRLF", lambda data: data.replace(b"\n", b"\r\n")),
    ("blank lines", lambda data: b"\n" + data.replace(b"\n", b"\n \t\n")),
    ("no newline at the end", lambda data: data.rstrip(b"\n")),
    ("the last link cut off", lambda data: b"".join(data.splitlines(keepends=True)[:-1])),
    ("all but the first cut off", lambda data: data.splitlines(keepends=True)[0]),
    ("the other spelling of a float", lambda data: data.replace(b"1.5", b"15E-1").replace(b"2.0", b"2e0")),
]


def reseal(links: list[Link], position: int) -> None:
    links[position]["tool"] = "changed"
    links[position]["digest"] = reference.digest(links[position])


class Seal(unittest.TestCase):
    def test_nothing(self) -> None:
        self.assertEqual(list(seal([])), [])

    def test_against_the_reference(self) -> None:
        for name, transcript in SESSIONS:
            with self.subTest(name):
                expected = reference.seal(reference.read(transcript))
                links = list(seal(read_records(transcript.split(b"\n"))))
                self.assertEqual([link.digest for link in links], [link["digest"] for link in expected])
                self.assertEqual(
                    [link.line.decode() for link in links], [reference.canonical(link) + "\n" for link in expected]
                )

    def test_a_grown_transcript_gives_the_old_links_first(self) -> None:
        for length in range(7):
            start = b"".join(DIRTY.splitlines(keepends=True)[:length])
            self.assertEqual(sealed(start), sealed(DIRTY)[:length])

    def test_white_space_and_key_order_give_the_same_bytes(self) -> None:
        for name, transcript in SESSIONS:
            with self.subTest(name):
                other = b"".join(unsealed_line(record) for record in reference.read(transcript))
                self.assertEqual(sealed(other), sealed(transcript))

    def test_an_error_comes_through(self) -> None:
        links = seal(read_records([call(0), b"{}"]))
        self.assertEqual(next(links).line, sealed(call(0))[0])
        with self.assertRaises(InputError):
            next(links)


class MadeInPython(unittest.TestCase):
    """Records that no file gave: they may hold what reading JSON never gives."""

    def test_what_stands_for_the_same_seals_the_same(self) -> None:
        big = 7 * 10**4299
        pair, character = "\ud83d\ude00", "😀"
        made = Record(
            0, pair, {pair: (pair, [big], {"\ue000": 1, pair: 2})}, {"z": "\ud83d", "y": (1.5, None, True)}, 1
        )
        read = Record(
            0,
            character,
            {character: [character, [big], {"\ue000": 1, character: 2}]},
            {"y": [1.5, None, True], "z": "\ud83d"},
            1,
        )
        expected = list(seal([read]))
        before = sys.get_int_max_str_digits()
        self.addCleanup(sys.set_int_max_str_digits, before)
        for limit in (before, 640, 0):
            sys.set_int_max_str_digits(limit)
            self.assertEqual(list(seal([made])), expected)
            self.assertTrue(verify([expected[0].line]))
        link = {"index": 0, "tool": character, "args": read.args, "response": read.response, "prev": "0" * 64}
        self.assertEqual(expected[0].digest, reference.digest(link))
        self.assertEqual(expected[0].line.decode(), reference.canonical({**link, "digest": expected[0].digest}) + "\n")

    def test_what_json_can_not_hold_is_refused(self) -> None:
        for value, error in (
            (float("nan"), ValueError),
            (float("-inf"), ValueError),
            ({1}, TypeError),
            (b"", TypeError),
        ):
            for record in (Record(0, "a", {"x": [value]}, {}, 1), Record(0, "a", {}, {"x": {"y": value}}, 1)):
                with self.subTest(value=value), self.assertRaises(error):
                    list(seal([record]))

    def test_an_index_that_is_equal_but_no_integer_is_written_as_one(self) -> None:
        odd: list[Any] = [True, 1.0]
        for index in odd:
            first, second = read_records([call(0), call(1)])
            self.assertEqual(list(seal([first, second._replace(index=index)])), list(seal([first, second])))

    def test_an_index_that_is_not_the_next_is_refused(self) -> None:
        records = list(read_records(DIRTY.split(b"\n")))
        for chosen, expected, found, line in (([1], 0, 1, 2), ([0, 1, 3], 2, 3, 4), ([0, 0], 1, 0, 1)):
            with self.subTest(chosen):
                links = seal(records[index] for index in chosen)
                self.assertEqual(len([next(links) for _ in chosen[:-1]]), len(chosen) - 1)
                with self.assertRaises(InputError) as caught:
                    next(links)
                cause = f"index out of order: expected {expected}, found {found}"
                self.assertEqual((caught.exception.cause, caught.exception.line), (cause, line))


class Intact(unittest.TestCase):
    def test_every_sealed_session(self) -> None:
        for name, transcript in SESSIONS:
            with self.subTest(name):
                lines = sealed(transcript)
                head = reference.read(lines[-1])[0]["digest"]
                self.assertEqual(verify(lines), VerifyResult(len(lines), head))

    def test_harmless_changes(self) -> None:
        transcript = session(("a", {"x": [1.5, 2.0, "é😀"]}, {"b": 1, "a": 2}), ("b", {}, {}), ("c", {}, {}))
        for name, change in HARMLESS:
            with self.subTest(name):
                result = verify(change(b"".join(sealed(transcript))).split(b"\n"))
                self.assertTrue(result)
                self.assertIsNone(result.broken)


class Broken(unittest.TestCase):
    def test_edits(self) -> None:
        for name, edit, index in EDITS:
            with self.subTest(name):
                links = reference.read(b"".join(sealed(DIRTY)))
                edit(links)
                found = reference.first_broken(links)
                result = verify([unsealed_line(link) for link in links])
                self.assertFalse(result)
                assert result.broken is not None
                self.assertEqual((result.broken.index, result.broken.expected, result.broken.found), found)
                self.assertEqual(result.broken.index, index)
                self.assertEqual((result.broken.line, result.links), (index + 1, index))
                self.assertEqual(result.head, links[index - 1]["digest"] if index else None)

    def test_prev_comes_before_digest_and_digest_before_index(self) -> None:
        first, second = reference.read(b"".join(sealed(DIRTY)))[:2]
        second.update(index=5, prev="x", digest="y")
        broken = verify([unsealed_line(first), unsealed_line(second)]).broken
        assert broken is not None
        self.assertEqual((broken.expected, broken.found), (first["digest"], "x"))
        second.update(prev=first["digest"])
        broken = verify([unsealed_line(first), unsealed_line(second)]).broken
        assert broken is not None
        self.assertEqual((broken.expected, broken.found), (reference.digest(second), "y"))

    def test_the_line_counts_blank_ones(self) -> None:
        lines = sealed(DIRTY)
        broken = verify([lines[0], b"\n", b"\r\n", lines[2]]).broken
        assert broken is not None
        self.assertEqual((broken.index, broken.line), (1, 4))

    def test_nothing_after_the_first_broken_link_is_read(self) -> None:
        lines = sealed(DIRTY)
        broken = lines[1].replace(b"214", b"215")
        for name, rest in (("no JSON", b"nope\n"), ("a record", call(2)), ("an array", b"[]\n")):
            with self.subTest(name):
                self.assertFalse(verify([lines[0], broken, rest]))
                with self.assertRaises(InputError):
                    verify([lines[0], rest, broken])


RECORD_CAUSE = "a record of a transcript, not a link of a sealed file: use 'replay' to audit it or 'seal' to seal it"

# name, what is made of the link with index 1, cause
NO_LINK: list[tuple[str, Callable[[Link], object], str]] = [
    ("an array", lambda link: [link], "not an object but an array"),
    ("null", lambda link: None, "not an object but null"),
    ("a string", lambda link: "args", "not an object but a string"),
    ("a record", lambda link: {k: v for k, v in link.items() if k not in ("prev", "digest")}, RECORD_CAUSE),
    *[
        (f"no {name}", lambda link, name=name: {k: v for k, v in link.items() if k != name}, f'missing field: "{name}"')
        for name in ("index", "tool", "args", "response", "prev", "digest")
    ],
    ("a field too many", lambda link: {**link, "note": ""}, 'unexpected field: "note"'),
    ("index true", lambda link: {**link, "index": True}, 'field "index" must be an integer, not true or false'),
    (
        "index a float",
        lambda link: {**link, "index": 1.0},
        'field "index" must be an integer, not a number with a fraction or exponent',
    ),
    ("tool null", lambda link: {**link, "tool": None}, 'field "tool" must be a string, not null'),
    ("args an array", lambda link: {**link, "args": []}, 'field "args" must be an object, not an array'),
    ("response a string", lambda link: {**link, "response": ""}, 'field "response" must be an object, not a string'),
    ("prev null", lambda link: {**link, "prev": None}, 'field "prev" must be a string, not null'),
    ("digest an integer", lambda link: {**link, "digest": 0}, 'field "digest" must be a string, not an integer'),
]


class NoChain(unittest.TestCase):
    def test_no_link(self) -> None:
        lines = sealed(DIRTY)
        for name, change, cause in NO_LINK:
            with self.subTest(name):
                self.check([lines[0], b"\n", json.dumps(change(json.loads(lines[1]))).encode(), lines[2]], cause, 3)

    def test_not_json(self) -> None:
        lines = sealed(DIRTY)
        for line, cause in (
            (lines[1][:-2], f"not JSON: the text ends too early at column {len(lines[1]) - 1}"),
            (lines[1][:30], "not JSON: the text ends inside a string at column 31"),
            (b"\xff", "not UTF-8 at byte 1"),
            (lines[1].replace(b'"tool"', b'"args"'), 'duplicate key: "args"'),
        ):
            with self.subTest(cause):
                self.check([lines[0], line], cause, 2)

    def test_index_out_of_order_under_digests_that_hold(self) -> None:
        for indexes, line, cause in (
            ([1], 1, "index out of order: expected 0, found 1"),
            ([0, 0], 2, "index out of order: expected 1, found 0"),
            ([0, 1, 3], 3, "index out of order: expected 2, found 3"),
            ([0, -1], 2, "index out of order: expected 1, found -1"),
        ):
            with self.subTest(indexes):
                records = [{"index": index, "tool": "a", "args": {}, "response": {}} for index in indexes]
                self.check([unsealed_line(link) for link in reference.seal(records)], cause, line)

    def test_no_links(self) -> None:
        for name, lines in (("nothing", []), ("blank lines", [b"\n", b" \t\r\n"])):
            with self.subTest(name):
                self.check(lines, "a sealed file with no links", None)

    def check(self, lines: list[bytes], cause: str, line: int | None) -> None:
        with self.assertRaises(InputError) as caught:
            verify(lines, "sealed.jsonl")
        error = caught.exception
        self.assertEqual((error.cause, error.name, error.line), (cause, "sealed.jsonl", line))


class Reader(unittest.TestCase):
    def test_links_that_hold_are_given(self) -> None:
        lines = sealed(DIRTY)
        reader = ChainReader([*lines[:2], lines[3]])
        self.assertEqual(reader.result, VerifyResult(0, None))
        links = list(reader)
        self.assertEqual([link.record.tool for link in links], ["list_dir", "read_file"])
        self.assertEqual([link.record.line for link in links], [1, 2])
        self.assertEqual([link.prev for link in links], ["0" * 64, links[0].digest])
        self.assertEqual((reader.result.links, reader.result.head), (2, links[1].digest))
        self.assertFalse(reader.result)


if __name__ == "__main__":
    unittest.main()
