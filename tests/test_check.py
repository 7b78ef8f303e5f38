"""Files are told apart by content, audited each by its kind, and judged."""

import os
import tempfile
import tracemalloc
import unittest
from hashlib import sha256
from itertools import chain
from pathlib import Path

from support import SAMPLES

from toolreplay.check import Settings, check_files, check_lines, fail_on_kinds, judge, says_sealed
from toolreplay.engine.canonical import dumps
from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import KINDS
from toolreplay.engine.links import Expectation
from toolreplay.engine.results import FileResult, Outcome
from toolreplay.engine.scope import Scope
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record
from toolreplay.workspace import current_workspace

ANY = frozenset(KINDS)
NO_TOOLS = Scope("nobody", frozenset())


def transcript(*tools: str, response: int = 0) -> list[bytes]:
    """Return the lines of a session of these calls, all without arguments."""
    return [
        dumps({"index": index, "tool": tool, "args": {}, "response": {"n": response}}) + b"\n"
        for index, tool in enumerate(tools)
    ]


def sealed(*tools: str) -> list[bytes]:
    """Return the lines of the same session sealed."""
    records = [Record(index, tool, {}, {"n": 0}, index + 1) for index, tool in enumerate(tools)]
    return [link.line for link in seal(records)]


def kinds(result: FileResult) -> list[str]:
    return [finding.kind for finding in result.findings]


class Content(unittest.TestCase):
    def test_a_transcript_has_no_chain(self) -> None:
        result = check_lines(transcript("a", "b"), "x")
        self.assertEqual((result.chain, result.scope, result.calls, kinds(result)), (None, None, 2, []))

    def test_an_empty_transcript_is_valid(self) -> None:
        for lines in ([], [b"\n"], [b" \t\r\n", b"\n"]):
            self.assertEqual(check_lines(lines, "x").calls, 0)

    def test_a_sealed_file_is_verified_and_audited(self) -> None:
        result = check_lines([b"\n", *sealed("a", "a")], "x", NO_TOOLS)
        self.assertTrue(result.chain)
        self.assertEqual(kinds(result), ["permission-overreach", "permission-overreach", "redundant-call"])
        self.assertEqual([finding.line for finding in result.findings], [2, 3, 3])

    def test_after_a_broken_chain_the_audits_are_left_out(self) -> None:
        lines = sealed("a", "a", "a")
        lines[1] = lines[1].replace(b'"n":0', b'"n":1')
        result = check_lines(lines, "x", NO_TOOLS)
        self.assertFalse(result.chain)
        self.assertEqual((result.replay, result.scope, result.findings, result.calls), (None, None, (), 1))

    def test_neither(self) -> None:
        cases = {
            b"nonsense\n": "x:1: not JSON: expected a value at column 1",
            b'{"prev":""}\n': 'x:1: missing field: "index"',
            b"[]\n": "x:1: not an object but an array",
        }
        for line, text in cases.items():
            with self.subTest(line):
                with self.assertRaises(InputError) as caught:
                    check_lines([line], "x")
                self.assertEqual(str(caught.exception), text)

    def test_a_file_that_must_be_sealed(self) -> None:
        self.assertTrue(check_lines(sealed("a"), "x", must_be_sealed=True).chain)
        cases = [
            ([], "x: the name says sealed, but the file holds no link"),
            ([b"\n", b" \n"], "x: the name says sealed, but the file holds no link"),
            ([b"\n", *transcript("a")], "x:2: the name says sealed, but this is no link of a sealed file"),
            ([b"nonsense"], "x:1: the name says sealed, but this is no link of a sealed file"),
        ]
        for lines, text in cases:
            with self.subTest(text):
                with self.assertRaises(InputError) as caught:
                    check_lines(lines, "x", must_be_sealed=True)
                self.assertEqual(str(caught.exception), text)


class BlankBeginnings(unittest.TestCase):
    """A file may begin with any number of blank lines, and is read in one pass all the same."""

    def test_lines_are_counted(self) -> None:
        blank = [b"  \r\n", b"\n", b"\t\n"]
        result = check_lines([*blank, *transcript("a", "a")], "x")
        self.assertEqual([(finding.line, finding.index) for finding in result.findings], [(5, 1)])
        for line, cause in (
            (b"[]\n", "not an object but an array"),
            (b"\r\r\n", "the text ends too early at column 1"),
        ):
            with self.assertRaisesRegex(InputError, f"^x:4: .*{cause}$"):
                check_lines([*blank, line], "x")

    def test_an_exact_file_has_none(self) -> None:
        result = check_lines([b" \n", b"\t\n", *sealed("a")], "x", expectation=Expectation(exact=True))
        assert result.chain is not None and result.chain.broken is not None
        self.assertEqual((result.chain.broken.line, result.chain.broken.found), (1, sha256(b" \n").hexdigest()))

    def test_they_are_not_held(self) -> None:
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        for end in ([], transcript("a"), sealed("a")):
            with self.subTest(end):
                tracemalloc.reset_peak()
                lines = chain((b" " * size + b"\n" for size in range(1000, 6000)), end)
                self.assertEqual(check_lines(lines, "x").calls, len(end))
                self.assertLess(tracemalloc.get_traced_memory()[1], 10**6)


class Names(unittest.TestCase):
    def test_names_that_do_not_say_sealed(self) -> None:
        for path in ("session.jsonl", "unsealed.jsonl", "sealed/x.jsonl", "sealedx.jsonl", "to-be-sealed.jsonl", ""):
            self.assertFalse(says_sealed(path), path)

    def test_names_that_say_sealed(self) -> None:
        for path in ("sealed.jsonl", "x.sealed.jsonl", "a/b.sealed.jsonl", "X.SEALED.JSONL", "x.sealed", "sealed"):
            self.assertTrue(says_sealed(path), path)


class FailOn(unittest.TestCase):
    def test_values(self) -> None:
        cases = {
            "any": ANY,
            "none": frozenset(),
            "redundant-call": {"redundant-call"},
            "redundant-call, non-determinism": {"redundant-call", "non-determinism"},
            "": None,
            "any,none": None,
            "redundant-call,": None,
            "Any": None,
            "redundant": None,
        }
        for text, wanted in cases.items():
            with self.subTest(text):
                self.assertEqual(fail_on_kinds(text), wanted)

    def test_what_an_outcome_means(self) -> None:
        clean = check_lines(transcript("a"), "x")
        redundant = check_lines(transcript("a", "a"), "x")
        broken = check_lines([sealed("a")[0].replace(b'"n":0', b'"n":1')], "x")
        cases: list[tuple[Outcome, frozenset[str], int]] = [
            (clean, ANY, 0),
            (redundant, frozenset(), 0),
            (redundant, frozenset({"non-determinism"}), 0),
            (redundant, frozenset({"redundant-call"}), 1),
            (redundant, ANY, 1),
            (broken, frozenset(), 1),
            (InputError("unreadable", "x"), frozenset(), 2),
        ]
        for outcome, fail_on, code in cases:
            with self.subTest(outcome=outcome, fail_on=fail_on):
                self.assertEqual(judge(outcome, fail_on), code)


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        Path("b.jsonl").write_bytes(b"".join(transcript("a", "a")))
        Path("a.sealed.jsonl").write_bytes(b"".join(transcript("a")))
        Path("-").write_bytes((SAMPLES / "session-clean.jsonl").read_bytes())
        self.settings = Settings(current_workspace())

    def test_no_files(self) -> None:
        self.assertEqual(list(check_files([], self.settings)), [])

    def test_sorted_each_once_and_one_error_does_not_stop_the_rest(self) -> None:
        outcomes = list(check_files(["none", "b.jsonl", "a.sealed.jsonl", "b.jsonl", "-"], self.settings))
        names = [outcome.name if isinstance(outcome, InputError) else outcome.path for outcome in outcomes]
        self.assertEqual(names, ["-", "a.sealed.jsonl", "b.jsonl", "none"])
        self.assertEqual([judge(outcome, ANY) for outcome in outcomes], [0, 2, 1, 2])


if __name__ == "__main__":
    unittest.main()
