"""The action: inputs to report, annotations, outputs, summary and exit code."""

import os
import unittest
from pathlib import Path
from unittest import mock

from action_support import ActionTest, outputs
from runner import Command
from support import SAMPLES, run
from test_samples import BROKEN, DIRTY, OVERREACH, REPLAY

from toolreplay.output import OutputError, ReaderGone

CLEAN_REPORT = "file: clean.jsonl\ncalls: 4\ndivergence: none\nfindings: 0\n"
REDUNDANT = "tool 'read_file' repeats the identical call at index 1 with no state change between them"
DIVERGED = "tool 'search' returned a different response than the identical call at index 3"
OVERREACHED = "tool 'write_file' is not in the declared scope for agent 'docs-reader'"


def on(path: str, line: int, title: str, message: str, level: str = "error") -> Command:
    """Return the annotation of a line of a file."""
    return Command(level, {"title": title, "file": path, "line": str(line)}, message)


class Action(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        for name in ("session-clean.jsonl", "session-dirty.jsonl", "scope.json"):
            self.write(name.removeprefix("session-"), (SAMPLES / name).read_bytes())
        self.sealed = run("seal", DIRTY).out

    def test_clean(self) -> None:
        result = self.act(files="clean.jsonl")
        self.assertEqual((result.code, result.out, result.err), (0, CLEAN_REPORT, ""))
        self.assertEqual(result.outputs, outputs("clean", 0, 1, 4, 0))

    def test_findings(self) -> None:
        result = self.act(files="dirty.jsonl", scope="scope.json")
        self.assertEqual(result.code, 1)
        self.assertEqual(result.outputs, outputs("findings", 1, 1, 6, 3))
        self.assertTrue(result.out.startswith(f"file: dirty.jsonl\n{REPLAY}{OVERREACH}::error "))
        self.assertEqual(
            result.commands,
            [
                on("dirty.jsonl", 5, "permission-overreach", OVERREACHED),
                on("dirty.jsonl", 6, "non-determinism", DIVERGED),
                on("dirty.jsonl", 3, "redundant-call", REDUNDANT),
            ],
        )

    def test_findings_that_may_pass_are_warnings(self) -> None:
        result = self.act(files="dirty.jsonl", fail_on="none")
        self.assertEqual((result.code, result.outputs), (0, outputs("findings", 0, 1, 6, 2)))
        self.assertEqual([command.name for command in result.commands], ["warning", "warning"])
        result = self.act(files="dirty.jsonl", fail_on="redundant-call, permission-overreach")
        self.assertEqual((result.code, result.outputs), (1, outputs("findings", 1, 1, 6, 2)))
        self.assertEqual(
            result.commands,
            [
                on("dirty.jsonl", 3, "redundant-call", REDUNDANT),
                on("dirty.jsonl", 6, "non-determinism", DIVERGED, "warning"),
            ],
        )

    def test_the_line_is_the_true_line_of_the_file(self) -> None:
        self.write("dirty.jsonl", b"\n \n" + Path(DIRTY).read_bytes().replace(b"\n", b"\r\n\n"))
        lines = [command.properties["line"] for command in self.act(files="dirty.jsonl").commands]
        self.assertEqual(lines, ["13", "7"])

    def test_a_broken_chain_fails_whatever_may_pass(self) -> None:
        self.write("a.jsonl", "\n" + self.sealed.replace('"hits":3', '"hits":4'))
        result = self.act(files="a.jsonl", fail_on="none")
        self.assertEqual((result.code, result.outputs), (1, outputs("findings", 1, 1, 3, 1)))
        text = "; ".join(BROKEN.splitlines()[1:])
        self.assertEqual(result.commands, [on("a.jsonl", 5, "broken-chain", text)])

    def test_one_unreadable_file_does_not_stop_the_rest(self) -> None:
        self.write("bad.jsonl", "\n[]\n")
        result = self.act(files="*.jsonl\nnone\nno*ne", fail_on="none")
        self.assertEqual((result.code, result.outputs), (2, outputs("error", 2, 3, 10, 2)))
        self.assertIn(f"{CLEAN_REPORT}file: dirty.jsonl\n{REPLAY}", result.out)
        errors = [
            "input 'files': 'none' matches no file",
            "input 'files': 'no*ne' matches no file",
            "bad.jsonl:2: not an object but an array",
        ]
        self.assertEqual(result.err, "".join(f"error: {error}\n" for error in errors))
        self.assertEqual(
            result.commands[:3],
            [
                Command("error", {"title": "bad-input"}, errors[0]),
                Command("error", {"title": "bad-input"}, errors[1]),
                on("bad.jsonl", 2, "unreadable", "not an object but an array"),
            ],
        )

    def test_a_scope_that_can_not_be_read(self) -> None:
        self.write("bad.json", "{}")
        cases = {"none": (None, "no such file or directory"), "bad.json": ("1", 'missing field: "agent"')}
        for path, (line, cause) in cases.items():
            with self.subTest(path):
                result = self.act(files="clean.jsonl", scope=path)
                self.assertEqual((result.code, result.outputs), (2, outputs("error", 2, 0, 0, 0)))
                place = {"file": path} if line is None else {"file": path, "line": line}
                self.assertEqual(result.commands, [Command("error", {"title": "unreadable", **place}, cause)])

    def test_inputs_that_are_refused(self) -> None:
        kinds = "any, none, or of non-determinism, permission-overreach, redundant-call with commas between"
        cases: list[tuple[dict[str, str], str]] = [
            ({}, "input 'files': '' is not a list of files, one path or pattern a line"),
            ({"files": " \n\t\n"}, "input 'files': '' is not a list of files, one path or pattern a line"),
            ({"files": "x", "fail-on": "all"}, f"input 'fail-on': 'all' is not {kinds}"),
            ({"files": "x", "annotations": "yes"}, "input 'annotations': 'yes' is not true or false"),
            ({"files": "x", "summary": "0"}, "input 'summary': '0' is not true or false"),
            ({"files": "x", "fail_on": "any"}, "unknown input: 'fail_on'"),
            ({"file": "x"}, "unknown input: 'file'"),
        ]
        for given, error in cases:
            with self.subTest(error):
                result = self.act({f"INPUT_{name.upper()}": value for name, value in given.items()})
                self.assertEqual((result.code, result.err), (2, f"error: {error}\n"))
                self.assertEqual(result.outputs, outputs("error", 2, 0, 0, 0))
                self.assertEqual(result.commands, [Command("error", {"title": "bad-input"}, error)])
                self.assertTrue(
                    result.summary.startswith("### ToolReplay: error\n\nFiles: 0, calls: 0, findings: 0.\n\n")
                )
                self.assertIn("<pre>\nerror: ", result.summary)

    def test_an_empty_input_is_as_good_as_none(self) -> None:
        result = self.act(files="\n ./clean.jsonl\r\n\n", scope="", fail_on="", annotations=" ", summary="")
        self.assertEqual((result.code, result.out), (0, CLEAN_REPORT))
        self.assertIn("ToolReplay: clean", result.summary)

    def test_without_annotations_and_summary(self) -> None:
        self.write("bad.jsonl", "x")
        result = self.act(files="*.jsonl", annotations="false", summary="False")
        self.assertEqual((result.code, result.commands, result.summary), (2, [], ""))
        self.assertEqual(self.act(files="", summary="false").summary, "")

    def test_more_findings_than_annotations_are_shown(self) -> None:
        call = '{"index": %d, "tool": "a", "args": {}, "response": {}}\n'
        self.write("a.jsonl", "".join(call % index for index in range(9)))
        self.write("b.jsonl", "".join(call % index for index in range(6)))
        self.write("c.jsonl", "".join(call % index for index in range(3)))
        for level, fail_on in (("error", "any"), ("warning", "none")):
            commands = self.act(files="[abc].jsonl", fail_on=fail_on).commands
            places = [(command.properties["file"], command.properties["line"]) for command in commands[:9]]
            self.assertEqual(places, [*(("a.jsonl", str(line)) for line in range(2, 10)), ("b.jsonl", "2")])
            more = "6 more in the report in the log of this step: b.jsonl (4), c.jsonl (2)"
            self.assertEqual(commands[9:], [Command(level, {"title": "6 more"}, more)])

    @unittest.skipUnless(os.name == "posix", "paths look otherwise here")
    def test_only_what_lies_in_the_workspace_is_read(self) -> None:
        (self.parent / "secret.jsonl").write_bytes(b"")
        for files in ("../secret.jsonl", str(self.parent / "secret.jsonl"), "../*", "/dev/null", "."):
            with self.subTest(files):
                result = self.act(files=files)
                self.assertEqual(result.err, f"error: input 'files': '{files}' matches no file\n")
        result = self.act(files="clean.jsonl", scope="../scope.json")
        self.assertEqual(result.err, "error: ../scope.json: leads out of the workspace\n")

    def test_a_bug_is_told_without_a_traceback_and_with_outputs(self) -> None:
        with mock.patch("toolreplay.action_run.check_files", side_effect=KeyError("::error::x\n::error::y")):
            result = self.act(files="clean.jsonl")
        self.assertEqual((result.code, result.outputs), (2, outputs("error", 2, 0, 0, 0)))
        self.assertRegex(
            result.err, r"^error: internal error: 'KeyError' at line \d+ of 'mock.py'; please report it\n$"
        )
        self.assertEqual(len(result.commands), 1)

    def test_not_enough_memory(self) -> None:
        with mock.patch("toolreplay.action_run.check_files", side_effect=MemoryError):
            result = self.act(files="clean.jsonl")
        self.assertEqual((result.code, result.err), (2, "error: not enough memory\n"))
        self.assertEqual(result.outputs, outputs("error", 2, 0, 0, 0))

    def test_an_interruption(self) -> None:
        with mock.patch("toolreplay.action_run.check_files", side_effect=KeyboardInterrupt):
            result = self.act(files="clean.jsonl")
        self.assertEqual((result.code, result.err, result.outputs), (130, "", outputs("error", 130, 0, 0, 0)))

    def test_a_log_that_nobody_reads_or_that_is_full(self) -> None:
        full = OutputError("<stdout>: no space left on device")
        for error, code, told in ((ReaderGone(), 141, ""), (full, 2, f"error: {full}\n")):
            with mock.patch("toolreplay.action_run.stdout", side_effect=error):
                result = self.act(files="clean.jsonl")
            self.assertEqual((result.code, result.err, result.outputs), (code, told, outputs("error", code, 0, 0, 0)))

    def test_files_of_the_runner_that_can_not_be_written(self) -> None:
        result = self.act({"GITHUB_STEP_SUMMARY": str(self.workspace)}, files="clean.jsonl")
        self.assertEqual((result.code, result.outputs), (2, outputs("error", 2, 0, 0, 0)))
        self.assertRegex(result.err, "^error: the file of GITHUB_STEP_SUMMARY: .*\n$")
        result = self.act({"GITHUB_OUTPUT": str(self.workspace)}, files="clean.jsonl")
        self.assertEqual((result.code, result.outputs), (2, {}))
        self.assertRegex(result.err, "^error: the file of GITHUB_OUTPUT: .*\n$")

    def test_away_from_the_runner(self) -> None:
        result = self.act({"GITHUB_OUTPUT": "", "GITHUB_STEP_SUMMARY": ""}, files="clean.jsonl")
        self.assertEqual((result.code, result.out, result.err), (0, CLEAN_REPORT, ""))

    def test_what_stands_in_the_files_of_the_runner_stays(self) -> None:
        self.act(files="clean.jsonl")
        before = self.output_file.read_bytes()
        self.assertIn(b"verdict<<toolreplay-", before)
        self.act(files="clean.jsonl")
        self.assertNotEqual(self.output_file.read_bytes(), before)  # the delimiter is random

    @unittest.skipUnless(os.name == "posix", "needs symbolic links and named pipes")
    def test_links_and_pipes(self) -> None:
        (self.parent / "secret.jsonl").write_bytes(b"")
        os.symlink(self.parent / "secret.jsonl", "out.jsonl")
        os.mkfifo("pipe.jsonl")
        result = self.act(files="[op]*.jsonl")
        self.assertEqual(result.outputs, outputs("error", 2, 2, 0, 0))
        errors = "error: out.jsonl: leads out of the workspace\nerror: pipe.jsonl: is no regular file\n"
        self.assertEqual(result.err, errors)


if __name__ == "__main__":
    unittest.main()
