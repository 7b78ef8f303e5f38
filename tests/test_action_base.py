"""The action's comparison with a commit: inputs to report, annotations, outputs, summary and exit code."""

import json
import os
import unittest
from pathlib import Path

from action_support import ActionRun, ActionTest, outputs
from hostile import ACTING, HOSTILE, OTHER, shown
from repositories import Scratch, sealed
from runner import Command, commands_in
from test_action_docs import OF_BASE

from toolreplay.engine.growth import SEAL_TRUNCATED, SealFinding
from toolreplay.reports.annotations import annotation_lines, seal_annotations

THREE, CUT, FORK = (b"".join(sealed(*tools)) for tools in ("abc", "ab", "abx"))
HEADS = {2: json.loads(sealed(*"ab")[-1])["digest"], 3: json.loads(sealed(*"abc")[-1])["digest"]}
CHECKED = "file: run.jsonl\nchain: intact\ncalls: {}\ndivergence: none\nfindings: 0\n"
LOST = "keeps index 0 to 1, lacks index 2"


class Names(unittest.TestCase):
    def test_hostile_names(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                path = f"{text}/run.jsonl"
                lines = annotation_lines(seal_annotations([SealFinding(path, SEAL_TRUNCATED, 3, 2)]))
                (command,) = commands_in("\n".join(lines).encode())
                place = command.properties.get("file")
                self.assertIn(place, (None, os.path.normpath(path)))
                where = "" if place else f"{shown(path, '')}: "
                self.assertEqual(command.message, where + LOST)


@unittest.skipUnless(Path("/usr/bin/git").exists(), "no git where the image has it")
class Base(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.workspace)
        self.base = self.scratch.commit({b"run.jsonl": THREE})
        self.put({b"run.jsonl": THREE})

    def put(self, files: dict[bytes, bytes | None]) -> None:
        """Put files into the index and the work tree, as a checkout does."""
        self.scratch.stage(files)
        self.scratch.git("checkout-index", "--all", "--force")

    def act_on_base(self, **inputs: str) -> ActionRun:
        return self.act(**{"files": "run.jsonl", "base": self.base, **inputs})

    def test_without_base_nothing_is_compared(self) -> None:
        self.put({b"run.jsonl": CUT})
        for base in ("", " \n"):
            result = self.act_on_base(base=base)
            self.assertEqual((result.code, result.out), (0, CHECKED.format(2)))

    def test_clean(self) -> None:
        result = self.act_on_base()
        self.assertEqual((result.code, result.err, result.commands), (0, "", []))
        self.assertEqual(result.out, CHECKED.format(3) + f"base: {self.base}\nsealed files: 1\nfindings: 0\n")
        self.assertEqual(result.outputs, outputs("clean", 0, 1, 3, 0, heads={"run.jsonl": HEADS[3]}))
        self.assertIn(f"<pre>\nbase: {self.base}\n", result.summary)

    def test_findings(self) -> None:
        self.put({b"run.jsonl": CUT})
        for fail_on in ("any", "none"):
            with self.subTest(fail_on):
                result = self.act_on_base(fail_on=fail_on)
                self.assertEqual((result.code, result.err), (1, ""))
                report = f"base: {self.base}\nsealed files: 1\nfindings: 1\nseal-truncated: run.jsonl: {LOST}\n"
                self.assertTrue(result.out.startswith(CHECKED.format(2) + report))
                place = {"title": "seal-truncated", "file": "run.jsonl"}
                self.assertEqual(result.commands, [Command("error", place, LOST)])
                self.assertEqual(result.outputs, outputs("findings", 1, 1, 2, 1, heads={"run.jsonl": HEADS[2]}))
                self.assertIn("Files: 1, calls: 2, findings: 1.\n\n", result.summary)
                self.assertIn(report, result.summary)

    def test_the_line_of_a_finding(self) -> None:
        self.put({b"run.jsonl": FORK})
        result = self.act_on_base(summary="false")
        (shown,) = result.commands
        self.assertEqual(shown.properties, {"title": "seal-rewritten", "file": "run.jsonl", "line": "3"})
        self.assertEqual((result.code, result.summary), (1, ""))
        self.assertEqual(self.act_on_base(annotations="false").commands, [])

    def test_allowed_removals(self) -> None:
        self.put({b"run.jsonl": None, b"other.jsonl": CUT})
        result = self.act_on_base(files="other.jsonl")
        place = {"title": "seal-removed", "file": "run.jsonl"}
        gone = Command("error", place, "is not in the index; it had 3 links")
        self.assertEqual((result.code, result.commands), (1, [gone]))
        result = self.act_on_base(files="other.jsonl", allow_removal="else.jsonl\n run.jsonl\r\n")
        self.assertEqual((result.code, result.commands), (0, []))
        self.assertIn("\nremoval allowed: run.jsonl\n", result.out)

    def test_the_files_are_checked_though_the_comparison_fails(self) -> None:
        result = self.act_on_base(base="v9")
        self.assertEqual((result.code, result.out.split("::")[0]), (2, CHECKED.format(3)))
        self.assertEqual(
            result.commands, [Command("error", {"title": "bad-input"}, "no commit 'v9' here; fetch it first")]
        )
        self.assertEqual(result.outputs, outputs("error", 2, 1, 3, 0, heads={"run.jsonl": HEADS[3]}))

    def test_errors_that_are_explained_exist(self) -> None:
        self.scratch.git("clone", "--quiet", "--depth=1", f"file://{self.workspace}", "shallow")
        self.put({b"none/run.jsonl": THREE})
        seen = []
        for folder, base in (("shallow", "8a5e3c6b"), (".", "0" * 40), ("none", self.base)):
            with self.subTest(folder):
                os.chdir(self.workspace / folder)
                seen.append(self.act_on_base(base=base).err)
        self.assertEqual({f"error: {row.strip('`')}\n" for row in OF_BASE}, set(seen))

    def test_hostile_names_of_what_was_lost(self) -> None:
        names = [f"{text}/run.jsonl".encode() for text in HOSTILE.values() if "\0" not in text and "\ud83d" not in text]
        base = self.scratch.commit(dict.fromkeys(names, THREE))
        taken = len(self.scratch.git("ls-files", "-z").split("\0")) - 2
        self.assertGreater(taken, len(names) - 10)
        self.scratch.stage(dict.fromkeys(names))
        result = self.act_on_base(base=base)
        self.assertEqual(result.outputs, outputs("findings", 1, 1, 3, taken, heads={"run.jsonl": HEADS[3]}))
        self.assertEqual(len(result.commands), 10)
        self.assertEqual(result.commands[-1].properties["title"], f"{taken - 9} more")

    def test_hostile_inputs(self) -> None:
        tried = [*list(ACTING.values())[-12:], *OTHER.values()]  # the others differ in the name of a command alone
        held = [text for text in tried if text.strip() and "\0" not in text and "\ud83d" not in text]
        self.assertGreater(len(held), 50)
        for text in held:
            with self.subTest(text):
                result = self.act_on_base(base=text, allow_removal=text)
                message = f"no commit {shown(text.strip())} here; fetch it first"
                self.assertEqual(result.commands, [Command("error", {"title": "bad-input"}, message)])


if __name__ == "__main__":
    unittest.main()
