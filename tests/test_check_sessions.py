"""Recorded sessions among the files of ``check``, of the hook and of the action."""

import unittest
from pathlib import Path

from action_support import ActionTest, outputs
from runner import Command
from support import SAMPLES, run
from test_convert import CALL, FORMATS, ONE, RESULT, TWICE

CLEAN = "calls: 4\ndivergence: none\nfindings: 0\n"
MESSAGE = "tool 'Bash' returned a different response than the identical call at index 0"


def counted(name: str, calls: int) -> str:
    return (
        f"note: {name}: calls: {calls}, without a result: 0, results without a call: 0, duplicates removed: 0,"
        " lines not read: 0, records ignored: 0\n"
    )


class Check(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("clean.jsonl", (SAMPLES / "session-clean.jsonl").read_bytes())
        self.write("claude.jsonl", TWICE)
        self.write("run.sealed.jsonl", run("seal", "clean.jsonl").out)

    def test_auto_tells_each_file_by_its_content(self) -> None:
        outcome = run("check", "--from=auto", "run.sealed.jsonl", "clean.jsonl", "claude.jsonl")
        self.assertEqual(
            outcome.out,
            f"file: claude.jsonl\n{ONE}file: clean.jsonl\n{CLEAN}file: run.sealed.jsonl\nchain: intact\n{CLEAN}",
        )
        self.assertEqual(
            outcome.err,
            f"note: claude.jsonl: taken for claude-code\n{counted('claude.jsonl', 2)}"
            "note: clean.jsonl: taken for toolreplay\n",
        )
        self.assertEqual(outcome.code, 1)

    def test_a_format_is_for_the_files_that_are_not_sealed(self) -> None:
        for command in ("check", "hook"):
            outcome = run(command, "--from=claude-code", "--", "run.sealed.jsonl", "claude.jsonl", "clean.jsonl")
            self.assertEqual(outcome.code, 2)
            self.assertEqual(
                outcome.err,
                counted("claude.jsonl", 2) + "error: clean.jsonl: holds nothing of the format claude-code\n",
            )
            self.assertEqual(outcome.out, f"file: claude.jsonl\n{ONE}file: run.sealed.jsonl\nchain: intact\n{CLEAN}")

    def test_notes_stand_beside_every_kind_of_report(self) -> None:
        for kind in ("json", "sarif", "junit", "github", "html"):
            outcome = run("check", "--from=claude-code", f"--output-format={kind}", "claude.jsonl")
            self.assertEqual((outcome.code, outcome.err), (1, counted("claude.jsonl", 2)), kind)

    def test_a_page_shows_the_calls(self) -> None:
        page = run("check", "--from=auto", "--output-format=html", "claude.jsonl").out
        self.assertIn("<i>line 1</i>", page)
        self.assertIn("<i>line 3</i>", page)

    def test_standard_input(self) -> None:
        outcome = run("check", "--from=auto", "-", stdin=TWICE.encode())
        self.assertEqual((outcome.code, outcome.out), (1, f"file: <stdin>\n{ONE}"))

    def test_losses_are_errors_if_asked(self) -> None:
        self.write("torn.jsonl", TWICE + CALL[:30])
        error = "error: torn.jsonl: not everything could be read: lines not read: 1\n"
        self.assertEqual(run("check", "--from=auto", "--strict-import", "torn.jsonl"), (2, "", error))

    def test_a_name_that_says_sealed_is_no_session(self) -> None:
        self.write("x.sealed.jsonl", TWICE)
        error = "error: x.sealed.jsonl:1: the name says sealed, but this is no link of a sealed file\n"
        self.assertEqual(run("check", "--from=auto", "x.sealed.jsonl"), (2, "", error))

    def test_each_file_is_a_session_of_its_own(self) -> None:
        # A session that was resumed or forked begins with a copy of the other's records, ids and all. And a subagent's
        # file may lie beside the session that holds the same calls: they are counted once in each.
        sessions = Path(__file__).parent / "sessions" / "claude-code"
        self.write("fork.jsonl", TWICE + CALL % ("3", "Read") + RESULT % ("3", "c"))
        self.write("s.jsonl", (sessions / "subagents-within.jsonl").read_bytes())
        self.write("s/subagents/agent-one.jsonl", (sessions / "subagent-file.jsonl").read_bytes())
        files = ("claude.jsonl", "fork.jsonl", "s.jsonl", "s/subagents/agent-one.jsonl")
        lines = run("check", "--from=auto", *files).out.splitlines()
        self.assertEqual([line for line in lines if line.startswith("calls: ")], [f"calls: {n}" for n in (2, 3, 3, 1)])

    def test_names_in_notes_are_escaped(self) -> None:
        name = "a\u202eb.jsonl"
        self.write(name, CALL % ("1", "Bash") + RESULT % ("1", "a") + '{"type":"x\\n::error::y"}\n')
        outcome = run("check", "--from=auto", name)
        self.assertEqual((outcome.code, outcome.err.count("\n")), (0, 2))
        self.assertIn("note: a\\u202eb.jsonl: taken for claude-code\n", outcome.err)
        self.assertTrue(outcome.err.endswith(", records ignored: 1 ('x\\n::error::y' 1)\n"))


class Action(ActionTest):
    def test_a_finding_points_into_the_file_that_is_there(self) -> None:
        self.write("claude.jsonl", "\n" + TWICE)
        result = self.act({"INPUT_FROM": "claude-code"}, files="claude.jsonl")
        self.assertEqual((result.code, result.outputs), (1, outputs("findings", 1, 1, 2, 1)))
        place = {"title": "non-determinism", "file": "claude.jsonl", "line": "4"}
        self.assertEqual(result.commands, [Command("error", place, MESSAGE)])
        self.assertEqual(result.err, counted("claude.jsonl", 2))

    def test_execution_files(self) -> None:
        source = Path(__file__).parent / "sessions" / "claude-code" / "execution-file.json"
        self.write("execution.json", source.read_bytes())
        result = self.act({"INPUT_FROM": "auto"}, files="*.json", fail_on="none")
        place = {"title": "non-determinism", "file": "execution.json", "line": "40"}
        message = "tool 'Read' returned a different response than the identical call at index 0"
        self.assertIn(Command("warning", place, message), result.commands)

    def test_an_unknown_format(self) -> None:
        result = self.act({"INPUT_FROM": "word"}, files="x")
        error = f"error: input 'from': 'word' is not a format; there are {FORMATS}\n"
        self.assertEqual((result.code, result.err), (2, error))


if __name__ == "__main__":
    unittest.main()
