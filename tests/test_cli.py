"""The command line, in this process: every command, every bad input, every name that attacks."""

import os
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from support import SAMPLES, call, run, session

from toolreplay.output import Output, OutputError, ReaderGone

DIRTY = str(SAMPLES / "session-dirty.jsonl")
CLEAN = str(SAMPLES / "session-clean.jsonl")
SCOPE = str(SAMPLES / "scope.json")

GOOD = call(0)
DEEP = "nested more than 500 levels deep"
LONG = "an integer has more than 4300 digits"
MARK = "a byte order mark; the file must be plain UTF-8"

# name, a file that is bad as a transcript, a sealed file and a scope file alike, line, cause
BAD_EVERYWHERE: list[tuple[str, bytes, int, str]] = [
    ("not JSON", b"hello\n", 1, "not JSON: expected a value at column 1"),
    ("not JSON after blank lines", b"\n \t\r\n{,}\n", 3, "not JSON: expected a key or '}' at column 2"),
    ("an array", b"[]\n", 1, "not an object but an array"),
    ("a string", b'"x"\n', 1, "not an object but a string"),
    ("null", b"\nnull\n", 2, "not an object but null"),
    ("an unknown field", b'{"extra": 1}\n', 1, 'unexpected field: "extra"'),
    ("a duplicate key", b'{"agent":"a","agent":"a"}\n', 1, 'duplicate key: "agent"'),
    ("a duplicate key deep down", b'{"args":[{"b":{"c":1,"c":1}}]}\n', 1, 'duplicate key: "c"'),
    ("NaN", b'{"a":NaN}\n', 1, "not JSON: NaN is no JSON number"),
    ("Infinity", b'{"a":[Infinity]}\n', 1, "not JSON: Infinity is no JSON number"),
    ("-Infinity", b'{"a":-Infinity}\n', 1, "not JSON: -Infinity is no JSON number"),
    ("1e999", b'{"a":1e999}\n', 1, "a number overflows to infinity"),
    ("4301 digits", b'{"a":' + b"9" * 4301 + b"}\n", 1, LONG),
    ("501 levels", b'{"a":' * 501 + b"1" + b"}" * 501 + b"\n", 1, DEEP),
    ("100000 levels", b"[" * 100_000 + b"]" * 100_000 + b"\n", 1, DEEP),
    ("100000 levels that never close", b'{"a":' * 100_000, 1, DEEP),
    ("not UTF-8", b'{"agent":"\xff"}\n', 1, "not UTF-8 at byte 11"),
    ("a byte order mark", b"\xef\xbb\xbf{}\n", 1, MARK),
    ("UTF-16", '{"agent":"a"}\n'.encode("utf-16"), 1, MARK),
    ("UTF-16 without a mark", '{"agent":"a"}\n'.encode("utf-16-le"), 1, "not JSON: expected a key or '}' at column 2"),
    ("a NUL byte", b"\x00", 1, "not JSON: expected a value at column 1"),
    ("a NUL byte in a string", b'{"a":"\x00"}\n', 1, "not JSON: a control character inside a string at column 7"),
    ("torn", b'{"agent": "a', 1, "not JSON: the text ends inside a string at column 13"),
    ("a byte of noise", b"\x1b[2J\n", 1, "not JSON: expected a value at column 1"),
    (
        "a key that attacks",
        rb'{"\n##[error]x\u001b[2J\u202e\u2028\ud83d\\": 1}',
        1,
        r'unexpected field: "\n##\u005berror]x\u001b[2J\u202e\u2028\ud83d\\"',
    ),
    ("a key that is a command", b'{"::error::x": 1}', 1, 'unexpected field: "::error::x"'),
]

# name, text, how a report shows it
NAMES: list[tuple[str, str, str]] = [
    ("newlines", "a\nindex 9: redundant-call", r"a\nindex 9: redundant-call"),
    ("carriage returns", "a\r::error::x", r"a\r::error::x"),
    ("a terminal's command", "\x1b[2J\x9b", r"\u001b[2J\u009b"),
    ("turned round", "\u202egnp.exe", r"\u202egnp.exe"),
    ("line separators", "a\u2028b\u2029c\x85d\x0ce", r"a\u2028b\u2029c\u0085d\u000ce"),
    ("a quote", "' is fine", r"\' is fine"),
    ("a backslash", "\\' \\n", r"\\\' \\n"),
    ("lone surrogates", "\ud83d\ude00"[::-1], r"\ude00\ud83d"),
    ("an old command", "##[error]x", r"##\u005berror]x"),
    ("a command", "::error::x", "::error::x"),
    ("Urdu", "می\u200cروم", "می\u200cروم"),
    ("1 MB", "n" * 1_000_000, None or "n" * 200),
]


def shown(name: str, escaped: str) -> str:
    return f"'{escaped}…' (1000000 characters)" if name == "1 MB" else f"'{escaped}'"


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        self.folder = Path(folder.name)

    def write(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return name

    def refused(self, *words: str, error: str, stdin: bytes = b"") -> None:
        self.assertEqual(run(*words, stdin=stdin), (2, "", f"error: {error}\n"), words)


class BadInput(Files):
    def test_bad_everywhere(self) -> None:
        self.write("good.jsonl", GOOD)
        for name, data, line, cause in BAD_EVERYWHERE:
            with self.subTest(name):
                path = self.write("bad", data)
                error = f"bad:{line}: {cause}"
                self.refused("replay", path, error=error)
                self.refused("seal", path, error=error)
                self.refused("seal", path, "-o", "out", error=error)
                self.refused("verify", path, error=error)
                self.refused("scope", path, SCOPE, error=error)
                self.refused("scope", "good.jsonl", path, error=error)
                self.refused("replay", "-", error=f"<stdin>:{line}: {cause}", stdin=data)
                self.refused("verify", "-", error=f"<stdin>:{line}: {cause}", stdin=data)
                self.refused("scope", DIRTY, "-", error=f"<stdin>:{line}: {cause}", stdin=data)
        self.assertEqual(sorted(os.listdir()), ["bad", "good.jsonl"])

    def test_bad_on_the_last_line(self) -> None:
        sealed = run("seal", DIRTY).out.encode()
        for name, data, line, cause in BAD_EVERYWHERE:
            with self.subTest(name):
                path = self.write("bad", Path(DIRTY).read_bytes() + b"\n" + data)
                error = f"bad:{line + 7}: {cause}"
                self.refused("replay", path, error=error)
                self.refused("seal", path, error=error)
                self.refused("scope", path, SCOPE, error=error)
                self.refused("verify", self.write("bad", sealed + b"\n" + data), error=error)

    def test_paths(self) -> None:
        for words in (
            ["replay", "{}"],
            ["seal", "{}"],
            ["verify", "{}"],
            ["scope", "{}", SCOPE],
            ["scope", DIRTY, "{}"],
        ):
            for path, error in (
                ("missing.jsonl", "missing.jsonl: no such file or directory"),
                (".", ".: is a directory"),
                ("", "the path is empty"),
                ("a\n::error::x", "a\\n::error::x: no such file or directory"),
            ):
                with self.subTest(words=words, path=path):
                    self.refused(*(word.replace("{}", path) for word in words), error=error)

    def test_each_takes_the_other_for_what_it_is(self) -> None:
        sealed = self.write("sealed", run("seal", DIRTY).out.encode())
        link = "sealed:1: a link of a sealed file, not a record of a transcript: use 'verify' to check it"
        self.refused("replay", sealed, error=link)
        self.refused("seal", sealed, error=link)
        self.refused("scope", sealed, SCOPE, error=link)
        self.refused(
            "verify",
            CLEAN,
            error=f"{CLEAN}:1: a record of a transcript, not a link of a sealed file:"
            " use 'replay' to audit it or 'seal' to seal it",
        )

    def test_no_links(self) -> None:
        self.refused("verify", "-", error="<stdin>: a sealed file with no links")


class Reading(Files):
    def test_ends_of_lines(self) -> None:
        lines = [call(0, "a"), call(1, "b\u2028\u2029\x85"), call(2, "a")]
        clean = "calls: 3\ndivergence: none\nfindings: 0\n"
        for name, data in (
            ("LF", b"".join(lines)),
            ("CRLF", b"".join(lines).replace(b"\n", b"\r\n")),
            ("no final newline", b"".join(lines).rstrip()),
            ("blank lines", b"\n\r\n \t\n".join(lines) + b"\n\n"),
        ):
            with self.subTest(name):
                self.assertEqual(run("replay", "-", stdin=data), (0, clean, ""))
                self.assertEqual(run("seal", "-", stdin=data).out, run("seal", "-", stdin=b"".join(lines)).out)

    def test_500_levels_and_4300_digits_go_all_the_way(self) -> None:
        deep = b'{"index":0,"tool":"a","args":{"x":' + b"[" * 498 + b"9" * 4300 + b"]" * 498 + b'},"response":{}}\n'
        sealed = run("seal", "-", stdin=deep)
        self.assertEqual((sealed.code, sealed.err), (0, ""))
        self.assertEqual(run("verify", "-", stdin=sealed.out.encode()), (0, "chain: intact\n", ""))
        self.assertEqual(run("replay", "-", stdin=deep).code, 0)


class Names(Files):
    def test_in_findings(self) -> None:
        for name, text, escaped in NAMES:
            with self.subTest(name):
                tool = shown(name, escaped)
                transcript = self.write("t", session((text, {}, {}), (text, {}, {"x": 1})))
                n = f"tool {tool} returned a different response than the identical call at index 0"
                r = f"tool {tool} repeats the identical call at index 0 with no state change between them"
                report = "calls: 2\ndivergence: index 1\nfindings: 2\n"
                report += f"index 1: non-determinism: {n}\nindex 1: redundant-call: {r}\n"
                self.assertEqual(run("replay", transcript), (1, report, ""))
                transcript = self.write("t", session((text, {}, {})))
                text_in_json = call(0, text).split(b'"tool": ')[1].split(b', "args"')[0]
                declared = self.write("s", b'{"agent":%b,"allowed_tools":[]}' % text_in_json)
                o = f"tool {tool} is not in the declared scope for agent {tool}"
                report = f"calls: 1\nfindings: 1\nindex 0: permission-overreach: {o}\n"
                self.assertEqual(run("scope", transcript, declared), (1, report, ""))

    def test_in_a_digest(self) -> None:
        link = run("seal", "-", stdin=call(0)).out
        digest = link.split('"digest":"')[1][:64]
        for name, text, escaped in NAMES:
            with self.subTest(name):
                raw = call(0, text).split(b'"tool": ')[1].split(b', "args"')[0].decode()
                edited = link.replace(f'"{digest}"', raw)
                report = (
                    f"chain: broken\nfirst broken link: index 0\nexpected: {digest}\nfound: {shown(name, escaped)}\n"
                )
                self.assertEqual(run("verify", "-", stdin=edited.encode("utf-8", "backslashreplace")), (1, report, ""))

    def test_in_options_and_commands(self) -> None:
        for name, text, escaped in NAMES:
            with self.subTest(name):
                if name == "1 MB":
                    continue
                self.refused(text, error=f"unknown command: '{escaped}'; 'toolreplay --help' lists them")
                self.refused(
                    "seal",
                    DIRTY,
                    "-" + text,
                    error=f"unknown option: '-{escaped}'; 'toolreplay seal --help' lists them",
                )
                self.refused("seal", DIRTY, text, error=f"seal: one argument too many: '{escaped}'")


class Usage(Files):
    def test_refused(self) -> None:
        for words, error in (
            ([], "no command; 'toolreplay --help' lists them"),
            ([""], "unknown command: ''; 'toolreplay --help' lists them"),
            (["repla"], "unknown command: 'repla'; 'toolreplay --help' lists them"),
            (["--vers"], "unknown command: '--vers'; 'toolreplay --help' lists them"),
            (["replay"], "replay: missing argument: TRANSCRIPT"),
            (["scope", DIRTY], "scope: missing argument: SCOPE"),
            (["verify"], "verify: missing argument: SEALED"),
            (["seal", "-o", "x"], "seal: missing argument: TRANSCRIPT"),
            (["scope", "-", "-"], "standard input ('-') can be read only once"),
            (["replay", DIRTY, CLEAN], f"replay: one argument too many: '{CLEAN}'"),
            (["version", "x"], "version: one argument too many: 'x'"),
            (["--version", "x"], "version: one argument too many: 'x'"),
            (["--help", "x\n"], "one argument too many: 'x\\n'"),
            (["seal", DIRTY, "--out", "x"], "unknown option: '--out'; 'toolreplay seal --help' lists them"),
            (["seal", DIRTY, "-o"], "option -o needs a value: FILE"),
            (["replay", "--", "-x"], "-x: no such file or directory"),
        ):
            with self.subTest(words):
                self.refused(*words, error=error)

    def test_version(self) -> None:
        for word in ("version", "--version"):
            self.assertEqual(run(word), (0, "toolreplay 0.6.0\n", ""))

    def test_help(self) -> None:
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[0], "usage: toolreplay COMMAND …")
        for command in ("replay", "scope", "seal", "verify", "version"):
            self.assertRegex(out, rf"(?m)^  {command} +[A-Z].*\.$")
            code, out_of_one, err = run(command, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(out_of_one.startswith(f"usage: toolreplay {command}"))


class Ends(unittest.TestCase):
    """How a run ends that a command can't finish."""

    def test_exit_codes(self) -> None:
        for error, expected in (
            (ReaderGone(), (141, "", "")),
            (KeyboardInterrupt(), (130, "", "")),
            (MemoryError(), (2, "", "error: not enough memory\n")),
            (OutputError("<stdout>: is closed"), (2, "", "error: <stdout>: is closed\n")),
        ):
            with self.subTest(error), mock.patch.object(Output, "lines", side_effect=raised_once(error)):
                self.assertEqual(run("version"), expected)

    def test_a_mistake_of_ours_is_not_hidden(self) -> None:
        for error in (RuntimeError("x"), RecursionError("x"), OSError("x")):
            with mock.patch.object(Output, "lines", side_effect=error), self.assertRaises(type(error)):
                run("version")


def raised_once(error: BaseException) -> Callable[..., None]:
    """Raise an error at the first call; then write as ever, so that it can be told."""
    waiting = [error]

    def write(lines: list[str]) -> None:
        if waiting:
            raise waiting.pop()
        sys.stderr.buffer.write("".join(f"{line}\n" for line in lines).encode())

    return write


class SealToFile(Files):
    def test_to_a_file(self) -> None:
        expected = run("seal", DIRTY).out.encode()
        self.assertEqual(run("seal", DIRTY, "-o", "out"), (0, "", ""))
        self.assertEqual(run("seal", "-o", "out2", "--", DIRTY), (0, "", ""))
        self.assertEqual([Path(name).read_bytes() for name in ("out", "out2")], [expected, expected])
        self.assertEqual(run("verify", "out"), (0, "chain: intact\n", ""))

    def test_to_standard_output(self) -> None:
        self.assertEqual(run("seal", DIRTY, "-o", "-"), run("seal", DIRTY))
        self.assertEqual(os.listdir(), [])

    def test_onto_its_own_input(self) -> None:
        path = self.write("t", Path(DIRTY).read_bytes())
        self.assertEqual(run("seal", path, "-o", path), (0, "", ""))
        self.assertEqual(Path(path).read_text(), run("seal", DIRTY).out)

    def test_a_failure_keeps_the_old_file(self) -> None:
        old = self.write("out", b"old")
        bad = self.write("bad", GOOD + b"{}")
        self.refused("seal", bad, "-o", old, error='bad:2: missing field: "index"')
        self.assertEqual(Path(old).read_bytes(), b"old")
        self.refused("seal", bad, error='bad:2: missing field: "index"')
        self.refused("seal", DIRTY, "-o", "", error="the path to write is empty")
        self.refused("seal", DIRTY, "-o", "none/out", error="none/out: no such file or directory")
        self.refused("seal", DIRTY, "-o", ".", error=".: is a directory")
        self.assertEqual(sorted(os.listdir()), ["bad", "out"])

    def test_nothing_to_seal(self) -> None:
        self.assertEqual(run("seal", "-"), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
