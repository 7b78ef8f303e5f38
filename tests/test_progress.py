"""The progress line: what it says, when, and that it leaves nothing behind."""

import io
import os
import sys
import tempfile
import unittest
from contextlib import chdir
from pathlib import Path
from unittest import mock

from repositories import RepositoryTest, Scratch, sealed
from support import SAMPLES, run, spawn

from toolreplay import progress
from toolreplay.cli import main
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record
from toolreplay.progress import Progress

CLEAN = str(SAMPLES / "session-clean.jsonl")


class Terminal(io.TextIOWrapper):
    """A terminal that keeps what it is sent."""

    def __init__(self) -> None:
        self.sent = io.BytesIO()
        super().__init__(self.sent)

    def isatty(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return self.sent.getvalue().decode()


def screen(text: str) -> str:
    """Return what is to be seen of one line of a terminal in the end."""
    line: list[str] = []
    place = 0
    for character in text:
        if character == "\r":
            place = 0
        else:
            line[place : place + 1] = [character]
            place += 1
    return "".join(line).rstrip(" ")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Line(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = self.enterContext(mock.patch.object(progress, "monotonic", Clock()))
        self.terminal = Terminal()
        self.progress = Progress(self.terminal)

    def at(self, seconds: float, count: int) -> str:
        self.clock.now = 100.0 + seconds
        self.progress.read(count)
        return screen(self.terminal.text)

    def test_what_it_says(self) -> None:
        self.progress.begin(40_000_000)
        self.assertEqual(self.at(1.9, 999), "")
        self.assertEqual(self.at(2, 9_999_001), "10.0 MB read, 5.0 MB/s, 25 %, 6 s left")
        self.assertEqual(self.at(2.4, 10_000_000), "10.0 MB read, 5.0 MB/s, 25 %, 6 s left")
        self.assertEqual(self.at(4, 20_000_000), "40.0 MB read, 10.0 MB/s, 100 %, 0 s left")
        self.assertEqual(self.at(5, 5_000_000), "45.0 MB read, 9.0 MB/s")  # more than there was in the beginning
        self.progress.wipe()
        self.assertEqual(screen(self.terminal.text), "")

    def test_units_and_minutes(self) -> None:
        self.progress.begin(10**12)
        self.assertEqual(self.at(10, 5000), "5.0 kB read, 500 B/s, 0 %, 33333333 min 10 s left")
        self.progress.begin(None)
        self.assertEqual(self.at(20, 3 * 10**12), "3.0 TB read, 150 GB/s")
        self.progress.begin(0)
        self.assertEqual(self.at(30, 0), "3.0 TB read, 100 GB/s, 0 %, 0 s left")

    def test_nothing_shown_nothing_to_wipe(self) -> None:
        self.progress.begin(1)
        self.progress.read(1)
        self.progress.wipe()
        self.assertEqual(self.terminal.text, "")

    def test_only_what_moves_a_cursor_in_its_line(self) -> None:
        self.at(3, 10)
        self.progress.wipe()
        self.assertNotRegex(self.terminal.text, "[^\r -~]")


def run_at_terminal(*words: str) -> tuple[int, str, str]:
    """Run a command for somebody who has no patience."""
    terminal, out = Terminal(), Terminal()
    with (
        mock.patch.object(progress, "_PATIENCE", 0.0),
        mock.patch.object(sys, "stderr", terminal),
        mock.patch.object(sys, "stdout", out),
    ):
        return main(words), out.text, terminal.text


class Guarding(RepositoryTest):
    def test_git_objects_are_read_input_too(self) -> None:
        os.environ.pop("CI", None)
        scratch = Scratch(self.folder / "repository")
        scratch.commit({b"run.sealed.jsonl": b"".join(sealed("a", "b"))})
        scratch.stage({b"run.sealed.jsonl": b"".join(sealed("a", "b", "c"))})
        with chdir(scratch.folder):
            code, out, err = run_at_terminal("guard")
            self.assertEqual((code, out), (0, run("guard").out))
            self.assertIn(" read, ", err)
            self.assertEqual(screen(err), "")
            self.assertEqual(run_at_terminal("guard", "--quiet"), (0, out, ""))


class Shown(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.dict(os.environ))
        os.environ.pop("CI", None)

    def test_each_command_that_reads(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            sealed = str(Path(folder) / "x.jsonl")
            Path(sealed).write_bytes(b"".join(link.line for link in seal([Record(0, "t", {}, {}, 1)])))
            for words in (
                ("replay", CLEAN),
                ("scope", CLEAN, str(SAMPLES / "scope.json")),
                ("seal", CLEAN),
                ("verify", sealed),
                ("head", sealed),
                ("check", CLEAN, sealed),
                ("convert", "--from=toolreplay", CLEAN),
            ):
                with self.subTest(words[0]):
                    code, out, err = run_at_terminal(*words)
                    self.assertEqual((code, out), (0, run(*words).out))
                    self.assertIn(" read, ", err)
                    self.assertEqual(screen(err), "")
                    quiet = run_at_terminal(words[0], "--quiet", *words[1:])
                    self.assertEqual(quiet, (0, out, ""))

    def test_wiped_before_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x"
            path.write_bytes(b"{\n")
            for command in ("replay", "check"):
                with self.subTest(command):
                    _, _, err = run_at_terminal(command, str(path))
                    before, error = err[: err.index("error: ")], err[err.index("error: ") :]
                    self.assertIn(" read, ", before)
                    self.assertEqual(screen(before), "")
                    self.assertEqual(error, f"error: {path}:1: not JSON: the text ends too early at column 2\n")

    def test_not_in_ci_and_not_in_a_pipe(self) -> None:
        with mock.patch.dict(os.environ, CI="true"):
            self.assertEqual(run_at_terminal("replay", CLEAN)[2], "")
        self.assertEqual(run("replay", CLEAN).err, "")
        self.assertEqual(spawn("replay", CLEAN).err, "")


if __name__ == "__main__":
    unittest.main()
