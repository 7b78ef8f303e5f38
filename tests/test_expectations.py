"""What is known of a sealed file beforehand: its head, its number of links, its very bytes. And the command `head`."""

import os
import tempfile
import unittest
from hashlib import sha256
from pathlib import Path

from support import SAMPLES, run
from test_samples import BROKEN, DIGESTS

DIRTY = str(SAMPLES / "session-dirty.jsonl")
HEAD = DIGESTS[-1]
OTHER = "ab" * 32
LINES = run("seal", DIRTY).out.encode().splitlines(keepends=True)
SEALED = b"".join(LINES)
CUT = b"".join(LINES[:5])
EXTENDED = run("seal", "-", stdin=b"".join(
    [*(SAMPLES / "session-dirty.jsonl").read_bytes().splitlines(keepends=True),
     b'{"index":6,"tool":"t","args":{},"response":{}}\n']
)).out.encode()  # fmt: skip
SURPLUS = EXTENDED[len(SEALED) :].decode().partition('"digest":"')[2][:64]
RESEALED = run("seal", "-", stdin=(SAMPLES / "session-dirty.jsonl").read_bytes().replace(b"7}", b"3}")).out.encode()
RESEALED_HEAD = RESEALED.splitlines()[-1].decode().partition('"digest":"')[2][:64]


def broken(index: int, expected: str, found: str) -> str:
    return f"chain: broken\nfirst broken link: index {index}\nexpected: {expected}\nfound: {found}\n"


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


INTACT = [
    ("its own head", SEALED, ["--expect-head", HEAD]),
    ("its own number of links", SEALED, ["--expect-links", "6"]),
    ("both", SEALED, ["--expect-head", HEAD, "--expect-links", "6"]),
    ("its own bytes", SEALED, ["--exact"]),
    ("all three", SEALED, ["--exact", "--expect-links=6", f"--expect-head={HEAD}"]),
    ("other spelling, and nobody asks for the bytes", SEALED.replace(b":", b": "), ["--expect-head", HEAD]),
    ("a chain of one link", LINES[0], ["--expect-head", DIGESTS[0], "--expect-links", "1", "--exact"]),
]

FAILS = [
    ("cut by one, head known", CUT, ["--expect-head", HEAD], broken(5, HEAD, "none")),
    ("cut by one, number known", CUT, ["--expect-links", "6"], broken(5, "a link", "none")),
    ("cut by one, both known", CUT, ["--expect-links", "6", "--expect-head", HEAD], broken(5, HEAD, "none")),
    ("cut by five, both known", LINES[0], ["--expect-links", "6", "--expect-head", HEAD], broken(1, "a link", "none")),
    ("grown, old head", EXTENDED, ["--expect-head", HEAD], broken(6, "none", SURPLUS)),
    ("grown, old number", EXTENDED, ["--expect-links", "6"], broken(6, "none", SURPLUS)),
    ("grown, both", EXTENDED, ["--expect-links", "6", "--expect-head", HEAD], broken(6, "none", SURPLUS)),
    ("grown, an early head", SEALED, ["--expect-head", DIGESTS[0]], broken(1, "none", DIGESTS[1])),
    ("replaced, head known", RESEALED, ["--expect-head", HEAD], broken(6, HEAD, "none")),
    (
        "replaced, both known",
        RESEALED,
        ["--expect-head", HEAD, "--expect-links", "6"],
        broken(5, HEAD, RESEALED_HEAD),
    ),
    (
        "replaced and longer, both known",
        EXTENDED,
        ["--expect-head", OTHER, "--expect-links", "6"],
        broken(5, OTHER, HEAD),
    ),
    ("a link that fails comes first", SEALED.replace(b'"hits":3', b'"hits":4'), ["--expect-links", "9"], BROKEN),
    (
        "white space",
        SEALED.replace(b',"index":2', b', "index":2'),
        ["--exact"],
        broken(2, digest(LINES[2]), digest(LINES[2].replace(b',"index":2', b', "index":2'))),
    ),
    (
        "an escape that JSON allows",
        SEALED.replace(b"edited", b"edite\\u0064"),
        ["--exact"],
        broken(4, digest(LINES[4]), digest(LINES[4].replace(b"edited", b"edite\\u0064"))),
    ),
    ("no last line end", SEALED[:-1], ["--exact"], broken(5, digest(LINES[5]), digest(LINES[5][:-1]))),
    ("CRLF", SEALED.replace(b"\n", b"\r\n"), ["--exact"], broken(0, digest(LINES[0]), digest(LINES[0][:-1] + b"\r\n"))),
    ("a blank line between", LINES[0] + b" \n" + LINES[1], ["--exact"], broken(1, "none", digest(b" \n"))),
    ("a blank line before", b"\n\t\n" + SEALED, ["--exact"], broken(0, "none", digest(b"\n"))),
    ("a blank line behind", SEALED + b"\n", ["--exact", "--expect-links", "7"], broken(6, "none", digest(b"\n"))),
    (
        "the wrong head before the wrong bytes",
        SEALED[:-1],
        ["--exact", "--expect-links=6", f"--expect-head={OTHER}"],
        broken(5, OTHER, HEAD),
    ),
]

USAGE = [
    (["--expect-head", "abc"], "a head must be 64 lower-case hex digits, not 'abc'"),
    (["--expect-head", HEAD.upper()], f"a head must be 64 lower-case hex digits, not '{HEAD.upper()}'"),
    (["--expect-head", "\u0663" * 64], "a head must be 64 lower-case hex digits, not '" + "\u0663" * 64 + "'"),
    (["--expect-links", "0"], "a number of links must be 1 or more, not '0'"),
    (["--expect-links", "+6"], "a number of links must be 1 or more, not '+6'"),
    (["--expect-links", "\u0666"], "a number of links must be 1 or more, not '\u0666'"),
    (["--expect-links", "9" * 19], f"a number of links must be 1 or more, not '{'9' * 19}'"),
    (["--expect-links", ""], "a number of links must be 1 or more, not ''"),
    (["--expect-links"], "option --expect-links needs a value: NUMBER"),
    (["--exact=yes"], "unknown option: '--exact=yes'; 'toolreplay verify --help' lists them"),
]


class Verify(unittest.TestCase):
    def test_what_is_as_expected(self) -> None:
        for name, sealed, options in INTACT:
            with self.subTest(name):
                self.assertEqual(run("verify", *options, "-", stdin=sealed), (0, "chain: intact\n", ""))

    def test_what_is_not(self) -> None:
        for name, sealed, options, report in FAILS:
            with self.subTest(name):
                self.assertEqual(run("verify", *options, "-", stdin=sealed), (1, report, ""))

    def test_without_expectations_all_of_them_but_the_edited_are_intact(self) -> None:
        for name, sealed, _, report in FAILS:
            with self.subTest(name):
                expected = (1, BROKEN, "") if report == BROKEN else (0, "chain: intact\n", "")
                self.assertEqual(run("verify", "-", stdin=sealed), expected)

    def test_wrong_options(self) -> None:
        for options, error in USAGE:
            with self.subTest(options):
                self.assertEqual(run("verify", "-", *options, stdin=SEALED), (2, "", f"error: {error}\n"))

    def test_an_emptied_file_stays_an_error(self) -> None:
        error = "error: <stdin>: a sealed file with no links\n"
        self.assertEqual(run("verify", "--expect-links", "6", "-"), (2, "", error))


class Head(unittest.TestCase):
    def test_intact(self) -> None:
        self.assertEqual(run("head", "-", stdin=SEALED), (0, f"links: 6\nhead: {HEAD}\n", ""))
        self.assertEqual(run("head", "-", stdin=LINES[0]), (0, f"links: 1\nhead: {DIGESTS[0]}\n", ""))

    def test_a_broken_chain_has_none(self) -> None:
        self.assertEqual(run("head", "-", stdin=SEALED.replace(b'"hits":3', b'"hits":4')), (1, BROKEN, ""))

    def test_a_transcript_has_none(self) -> None:
        code, out, err = run("head", DIRTY)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"\Aerror: .*:1: a record of a transcript, not a link of a sealed file")


class Mutators(unittest.TestCase):
    TWICE = b'{"index":0,"tool":"sql","args":{},"response":{}}\n{"index":1,"tool":"sql","args":{},"response":{}}\n'

    def test_a_mutator_may_repeat(self) -> None:
        clean = (0, "calls: 2\ndivergence: none\nfindings: 0\n", "")
        self.assertEqual(run("replay", "--mutator", "sql", "-", stdin=self.TWICE), clean)
        self.assertEqual(run("replay", "--mutator=x", "--mutator=sql", "-", stdin=self.TWICE), clean)

    def test_the_usual_ones_stay(self) -> None:
        twice = self.TWICE.replace(b"sql", b"write_file")
        self.assertEqual(run("replay", "--mutator", "sql", "-", stdin=twice).code, 0)

    def test_names_match_exactly(self) -> None:
        for name in ("SQL", "sq", "sql ", ""):
            with self.subTest(name):
                self.assertEqual(run("replay", f"--mutator={name}", "-", stdin=self.TWICE).code, 1)


AUDIT = "calls: 6\ndivergence: index 5\nfindings: 2\n"


class Check(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        os.chdir(folder.name)
        self.addCleanup(os.chdir, before)
        self.write("a.sealed.jsonl", SEALED)
        self.write("cut.sealed.jsonl", CUT)
        self.write("clean.jsonl", (SAMPLES / "session-clean.jsonl").read_bytes())

    def write(self, name: str, data: bytes) -> None:
        Path(name).write_bytes(data)

    def test_the_head_that_is_there(self) -> None:
        for spelling in ("a.sealed.jsonl", "./a.sealed.jsonl"):
            code, out, err = run("check", "--expect-head", f"a.sealed.jsonl={HEAD}", spelling)
            self.assertEqual((code, err), (1, ""))
            self.assertTrue(out.startswith(f"file: {spelling}\nchain: intact\n{AUDIT}"), out)

    def test_another_head(self) -> None:
        report = "file: cut.sealed.jsonl\n" + broken(5, HEAD, "none")
        options = ("--fail-on", "none", f"--expect-head=cut.sealed.jsonl={HEAD}")
        self.assertEqual(run("check", *options, "cut.sealed.jsonl"), (1, report, ""))

    def test_a_file_with_a_head_is_checked_though_nobody_named_it(self) -> None:
        clean = "file: clean.jsonl\ncalls: 4\ndivergence: none\nfindings: 0\n"
        result = run("check", "--expect-head", f"gone.jsonl={HEAD}", "clean.jsonl")
        self.assertEqual(result, (2, clean, "error: gone.jsonl: no such file or directory\n"))

    def test_a_file_with_a_head_must_be_sealed(self) -> None:
        error = "error: clean.jsonl:1: its head is expected, but this is no link of a sealed file\n"
        self.assertEqual(run("check", "--expect-head", f"clean.jsonl={HEAD}", "clean.jsonl"), (2, "", error))
        self.write("empty.jsonl", b"")
        error = "error: empty.jsonl: its head is expected, but the file holds no link\n"
        self.assertEqual(run("check", "--expect-head", f"empty.jsonl={HEAD}", "empty.jsonl"), (2, "", error))

    def test_standard_input(self) -> None:
        options = ("check", "--fail-on=none", f"--expect-head=-={HEAD}", "-")
        self.assertEqual(run(*options, stdin=SEALED).code, 0)
        self.assertEqual(run(*options, stdin=CUT), (1, "file: <stdin>\n" + broken(5, HEAD, "none"), ""))

    def test_exact(self) -> None:
        self.assertEqual(run("check", "--fail-on=none", "--exact", "a.sealed.jsonl", "clean.jsonl").code, 0)
        self.write("a.sealed.jsonl", SEALED[:-1])
        report = "file: a.sealed.jsonl\n" + broken(5, digest(LINES[5]), digest(LINES[5][:-1]))
        self.assertEqual(run("check", "--exact", "a.sealed.jsonl"), (1, report, ""))

    def test_mutators(self) -> None:
        self.write("twice.jsonl", Mutators.TWICE)
        self.assertEqual(run("check", "twice.jsonl").code, 1)
        self.assertEqual(run("check", "--mutator=sql", "twice.jsonl").code, 0)

    def test_wrong_options(self) -> None:
        cases = [
            (["--expect-head", HEAD], f"an expected head must be PATH=DIGEST, not '{HEAD}'"),
            (["--expect-head", f"={HEAD}"], f"an expected head must be PATH=DIGEST, not '={HEAD}'"),
            (["--expect-head", "a=b=abc"], "a head must be 64 lower-case hex digits, not 'abc'"),
            (
                ["--expect-head", f"a={HEAD}", "--expect-head", f"./a={OTHER}"],
                "two different heads are expected of a",
            ),
        ]
        for options, error in cases:
            with self.subTest(options):
                self.assertEqual(run("check", *options, "clean.jsonl"), (2, "", f"error: {error}\n"))


if __name__ == "__main__":
    unittest.main()
