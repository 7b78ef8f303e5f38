"""``toolreplay check``: what it prints, where, and its exit codes."""

import os
import tempfile
import unittest
from pathlib import Path

from support import SAMPLES, run
from test_samples import BROKEN, DIRTY, OVERREACH, REPLAY, SCOPE

CLEAN_REPORT = "calls: 4\ndivergence: none\nfindings: 0\n"
KINDS = "any, none, or of non-determinism, permission-overreach, redundant-call with commas between"


class Check(unittest.TestCase):
    def setUp(self) -> None:
        sealed = run("seal", DIRTY).out
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        for name in ("session-clean.jsonl", "session-dirty.jsonl", "scope.json"):
            Path(name.removeprefix("session-")).write_bytes((SAMPLES / name).read_bytes())
        Path("run.sealed.jsonl").write_text(sealed, encoding="utf-8", newline="\n")
        Path("broken.jsonl").write_text(sealed.replace('"hits":3', '"hits":4'), encoding="utf-8", newline="\n")
        Path("bad.jsonl").write_text("\n[]\n", encoding="utf-8", newline="\n")

    def test_clean(self) -> None:
        self.assertEqual(run("check", "clean.jsonl"), (0, f"file: clean.jsonl\n{CLEAN_REPORT}", ""))

    def test_standard_input(self) -> None:
        clean = Path("clean.jsonl").read_bytes()
        self.assertEqual(run("check", "-", stdin=clean), (0, f"file: <stdin>\n{CLEAN_REPORT}", ""))

    def test_a_scope_and_a_baseline_on_standard_input(self) -> None:
        report = f"file: dirty.jsonl\n{REPLAY}{OVERREACH}"
        scope = Path("scope.json").read_bytes()
        self.assertEqual(run("check", "--scope", "-", "dirty.jsonl", stdin=scope), (1, report, ""))
        error = 'error: <stdin>:1: missing field: "agent"\n'
        self.assertEqual(run("check", "--scope=-", "dirty.jsonl", stdin=b"{}"), (2, "", error))
        self.assertEqual(run("check", "--write-baseline", "known.json", "dirty.jsonl").code, 0)
        known = Path("known.json").read_bytes()
        found = run("check", "--baseline", "-", "dirty.jsonl", stdin=known)
        self.assertEqual(
            (found.code, found.err, found.out.splitlines()[-1]), (0, "", "baseline: 2 known, 0 new, 0 gone")
        )
        error = "error: standard input ('-') can be read only once\n"
        for words in (("--scope", "-", "-"), ("--baseline", "-", "-"), ("--scope", "-", "--baseline", "-", "x")):
            self.assertEqual(run("check", *words, stdin=scope), (2, "", error))
        error = "error: -: no such file or directory\n"
        self.assertEqual(run("hook", "--scope", "-", "--", "dirty.jsonl", stdin=scope), (2, "", error))

    def test_findings(self) -> None:
        self.assertEqual(run("check", "dirty.jsonl"), (1, f"file: dirty.jsonl\n{REPLAY}", ""))

    def test_with_a_scope(self) -> None:
        report = f"file: dirty.jsonl\n{REPLAY}{OVERREACH}"
        self.assertEqual(run("check", "--scope", "scope.json", "dirty.jsonl"), (1, report, ""))
        self.assertEqual(run("check", "dirty.jsonl", f"--scope={SCOPE}"), (1, report, ""))

    def test_a_sealed_file_is_verified_first(self) -> None:
        report = f"file: run.sealed.jsonl\nchain: intact\n{REPLAY}"
        self.assertEqual(run("check", "run.sealed.jsonl"), (1, report, ""))

    def test_a_broken_chain_fails_whatever_else_may_pass(self) -> None:
        report = f"file: broken.jsonl\n{BROKEN}"
        self.assertEqual(run("check", "--fail-on=none", "--scope=scope.json", "broken.jsonl"), (1, report, ""))

    def test_fail_on(self) -> None:
        for value, code in [("none", 0), ("permission-overreach", 0), ("redundant-call", 1), ("any", 1)]:
            with self.subTest(value):
                outcome = run("check", "--fail-on", value, "dirty.jsonl")
                self.assertEqual(outcome, (code, f"file: dirty.jsonl\n{REPLAY}", ""))

    def test_many_files_are_sorted_and_an_error_appears_on_stderr_alone(self) -> None:
        report = f"file: clean.jsonl\n{CLEAN_REPORT}file: dirty.jsonl\n{REPLAY}"
        error = "error: bad.jsonl:2: not an object but an array\n"
        self.assertEqual(run("check", "dirty.jsonl", "bad.jsonl", "clean.jsonl"), (2, report, error))
        self.assertEqual(run("check", "--fail-on=none", "bad.jsonl"), (2, "", error))

    def test_names_after_two_dashes_are_files(self) -> None:
        Path("--help").write_bytes(Path("clean.jsonl").read_bytes())
        self.assertEqual(run("check", "--", "--help"), (0, f"file: --help\n{CLEAN_REPORT}", ""))

    @unittest.skipUnless(os.name == "posix", "no path can be like that here")
    def test_a_name_that_attacks_is_escaped(self) -> None:
        outcome = run("check", "##[error]x", "::error::y\n::error::z")
        missing = "no such file or directory"
        errors = f"error: ##\\u005berror]x: {missing}\nerror: ::error::y\\n::error::z: {missing}\n"
        self.assertEqual(outcome, (2, "", errors))

    def test_what_can_not_be_run(self) -> None:
        cases = {
            (): "check: missing argument: FILE",
            ("",): "the path is empty",
            ("--fail-on=", "x"): f"option --fail-on: '' is not {KINDS}",
            ("--fail-on=all", "x"): f"option --fail-on: 'all' is not {KINDS}",
            ("--scope=none.json", "x"): "none.json: no such file or directory",
            ("--scope=clean.jsonl", "x"): "clean.jsonl:2: not JSON: more text after the value at column 1",
            ("--sc", "x"): "unknown option: '--sc'; 'toolreplay check --help' lists them",
            ("-", "-"): "standard input ('-') can be read only once",
        }
        for words, error in cases.items():
            with self.subTest(words):
                self.assertEqual(run("check", *words), (2, "", f"error: {error}\n"))

    @unittest.skipUnless(os.name == "posix", "needs symbolic links")
    def test_links_out_of_the_workspace_are_not_read(self) -> None:
        os.symlink(DIRTY, "out.jsonl")
        os.symlink(SCOPE, "scope-out.json")
        out = "leads out of the workspace\n"
        self.assertEqual(run("check", "out.jsonl"), (2, "", f"error: out.jsonl: {out}"))
        self.assertEqual(run("check", "--scope=scope-out.json", "x"), (2, "", f"error: scope-out.json: {out}"))


if __name__ == "__main__":
    unittest.main()
