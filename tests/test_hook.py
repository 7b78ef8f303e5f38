"""The hooks: a command line whose end an attacker may write, and the names of files that it is given."""

import os
import re
import tempfile
import unittest
from contextlib import chdir
from pathlib import Path

from support import ROOT, SAMPLES, Outcome, run

CLEAN = (SAMPLES / "session-clean.jsonl").read_bytes()
DIRTY = (SAMPLES / "session-dirty.jsonl").read_bytes()
SCOPE = (SAMPLES / "scope.json").read_bytes()
SEALED = run("seal", str(SAMPLES / "session-dirty.jsonl")).out.encode()

AUDITED = "calls: 4\ndivergence: none\nfindings: 0\n"
MANIFEST = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")


def looks_like_an_option(word: str) -> str:
    return (
        f"error: hook: '{word}' looks like an option, and options count only before '--': "
        "end the hook's arguments with it, as in  args: [--scope, scope.json, --]\n"
    )


# Command lines that are not carried out, with a file of each name there: what is said instead.
REFUSED: list[tuple[tuple[str, ...], str]] = [
    ((), "error: hook: missing argument: FILE\n"),
    (("--",), "error: hook: missing argument: FILE\n"),
    (("--help",), looks_like_an_option("--help")),
    (("--version",), looks_like_an_option("--version")),
    (("-h",), looks_like_an_option("-h")),
    (("--help", "--"), "error: unknown option: '--help'\n"),
    (("--version", "--", "clean.jsonl"), "error: unknown option: '--version'\n"),
    (("--fail-on", "none", "dirty.jsonl"), looks_like_an_option("--fail-on")),
    (("clean.jsonl", "--fail-on=none", "dirty.jsonl"), looks_like_an_option("--fail-on=none")),
    (("--exclude=*", "clean.jsonl"), looks_like_an_option("--exclude=*")),
    (("clean.jsonl", "--", "dirty.jsonl"), "error: hook: 'clean.jsonl' stands before '--', where only options may\n"),
    (("-", "--", "dirty.jsonl"), "error: hook: '-' stands before '--', where only options may\n"),
    (("--scope", "--", "clean.jsonl"), "error: option --scope needs a value: FILE\n"),
    (
        ("--needs-scope", "--", "clean.jsonl"),
        "error: this hook needs a scope file: write  args: [--scope, FILE, --]\n",
    ),
    (("--write-baseline=x", "--", "clean.jsonl"), "error: unknown option: '--write-baseline=x'\n"),
    (("--output-format", "json", "--", "clean.jsonl"), "error: unknown option: '--output-format'\n"),
    (("--needs-scope", "clean.jsonl"), looks_like_an_option("--needs-scope")),
]


class CommandLine(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(chdir(self.enterContext(tempfile.TemporaryDirectory())))
        self.write({"clean.jsonl": CLEAN, "dirty.jsonl": DIRTY, "scope.json": SCOPE})

    def write(self, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            Path(name).write_bytes(content)

    def test_refused(self) -> None:
        for words, text in REFUSED:
            with self.subTest(words):
                self.assertEqual(run("hook", *words), (2, "", text))

    def test_files(self) -> None:
        self.assertEqual(run("hook", "--", "clean.jsonl"), (0, f"file: clean.jsonl\n{AUDITED}", ""))
        self.assertEqual(run("hook", "clean.jsonl"), run("hook", "--", "clean.jsonl"))
        self.assertEqual(run("hook", "--", "dirty.jsonl").code, 1)
        self.assertEqual(run("hook", "--fail-on", "none", "--", "dirty.jsonl").code, 0)

    def test_it_says_what_check_says(self) -> None:
        self.write({"run.sealed.jsonl": SEALED, "broken.jsonl": SEALED.replace(b'"hits":3', b'"hits":4'), "x": b"?"})
        names = ("x", "clean.jsonl", "dirty.jsonl", "run.sealed.jsonl", "broken.jsonl")
        for options in ((), ("--scope", "scope.json"), ("--fail-on=redundant-call",)):
            with self.subTest(options):
                outcome = run("hook", *options, "--", *names)
                self.assertEqual(outcome, run("check", *options, "--", *names))
                self.assertEqual(outcome.code, 2)

    def test_a_scope(self) -> None:
        clean = f"file: clean.jsonl\n{AUDITED}calls: 4\nfindings: 0\n"
        self.assertEqual(run("hook", "--needs-scope", "--scope", "scope.json", "--", "clean.jsonl"), (0, clean, ""))
        self.assertEqual(run("hook", "--needs-scope", "--scope=nothing.json", "--", "clean.jsonl").code, 2)

    @unittest.skipIf(os.name == "nt", "Windows has no such names")
    def test_names(self) -> None:
        shown = {
            "--help": "--help",
            "--version": "--version",
            "--exclude=*": "--exclude=*",
            "--fail-on=none": "--fail-on=none",
            "-": "-",
            "--": "--",
            "a b": "a b",
            "a\nb": "a\\nb",
            "::error::x": "::error::x",
            os.fsdecode(b"\xff"): "\\udcff",
        }
        self.write(dict.fromkeys(shown, CLEAN))
        for name, text in shown.items():
            with self.subTest(name):
                self.assertEqual(run("hook", "--", name), (0, f"file: {text}\n{AUDITED}", ""))
        self.write(dict.fromkeys(shown, DIRTY))
        for name, text in shown.items():
            with self.subTest(name):
                outcome = run("hook", "--", name)
                self.assertEqual((outcome.code, outcome.out.splitlines()[0]), (1, f"file: {text}"))

    def test_what_is_no_transcript(self) -> None:
        self.write({"nul.jsonl": CLEAN + b"\0\n", "run.sealed.jsonl": CLEAN, "sealed.jsonl": b""})
        for name, text in {
            "nul.jsonl": "nul.jsonl:5: not JSON: expected a value at column 1",
            "run.sealed.jsonl": "run.sealed.jsonl:1: the name says sealed, but this is no link of a sealed file",
            "sealed.jsonl": "sealed.jsonl: the name says sealed, but the file holds no link",
            "gone.jsonl": "gone.jsonl: no such file or directory",
        }.items():
            with self.subTest(name):
                self.assertEqual(run("hook", "--", name), (2, "", f"error: {text}\n"))

    def test_batches_report_what_one_call_reports(self) -> None:
        names = [f"session-{number:02}.jsonl" for number in range(12)]
        self.write({name: DIRTY if number % 5 == 1 else CLEAN for number, name in enumerate(names)})
        whole = run("hook", "--", *names)
        parts = [run("hook", "--", *names[start : start + 5]) for start in range(0, 12, 5)]
        self.assertEqual(Outcome(max(part.code for part in parts), "".join(part.out for part in parts), ""), whole)


# Names that the default patterns must catch, and data of others that they must spare.
CAUGHT = (
    "session.jsonl",
    "sessions.jsonl",
    "run-a.sealed.jsonl",
    "sealed.jsonl",
    "agents/transcripts/x.jsonl",
    "transcripts/2026/01/x.jsonl",
    "transcripts/a\nb.jsonl",
    "sessions/x.jsonl",
    "session/x.jsonl",
    "session-dirty.jsonl",
    "samples/session-clean.jsonl",
    "session_2026-01-31.jsonl",
    "session1.jsonl",
    "my-session.jsonl",
    "agent.transcript.jsonl",
    "transcript.jsonl",
    "Session.JSONL",
    "--/transcripts/--help.jsonl",
    "session-\n.jsonl",
    "logs/ü.sealed.jsonl",
)
SPARED = (
    "data.jsonl",
    "data/train.jsonl",
    "datasets/train-00001.jsonl",
    "eval/results.jsonl",
    "logs/events.jsonl",
    "obsession.jsonl",
    "unsealed.jsonl",
    "sessionize.jsonl",
    "web-sessions/x.jsonl",
    "session.json",
    "session.jsonl.gz",
    "sessions/x.json",
    "transcripts.py",
    "session/jsonl",
    "sealed",
)


class Manifest(unittest.TestCase):
    def test_default_names(self) -> None:
        found = re.search(r"files: &names '(.*)'\n", MANIFEST)
        assert found is not None
        pattern = re.compile(found[1])
        for name in CAUGHT:
            self.assertTrue(pattern.search(name), name)
        for name in SPARED:
            self.assertFalse(pattern.search(name), name)

    def test_the_guide_has_each_hook(self) -> None:
        guide = (ROOT / "docs" / "pre-commit.md").read_text(encoding="utf-8")
        for name in re.findall("^- id: (.*)", MANIFEST, re.MULTILINE):
            self.assertIn(f"\n## {name}\n", guide)
        for text in REFUSED[7][1], REFUSED[13][1]:
            self.assertIn(text.removeprefix("error: ").strip().replace("--fail-on", "--scope", 1), guide)

    def test_nothing_but_names_filters(self) -> None:
        self.assertEqual(len(re.findall("^- id:", MANIFEST, re.MULTILINE)), 3)
        self.assertEqual(MANIFEST.count("  types: []\n"), MANIFEST.count("  entry: toolreplay hook"))
        self.assertNotIn("types_or", MANIFEST)
        self.assertNotIn("exclude", MANIFEST)

    def test_files_never_follow_the_entry_at_once(self) -> None:
        self.assertEqual(MANIFEST.count("  args: [--]\n"), MANIFEST.count("  entry: toolreplay hook"))
        self.assertIn("  entry: toolreplay guard\n", MANIFEST)
        self.assertEqual(MANIFEST.count("pass_filenames: false"), 1)


if __name__ == "__main__":
    unittest.main()
