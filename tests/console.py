"""Running the commands that a document shows, in a folder that holds a copy of the samples.

A block of the language ``console`` is what a terminal shows: a line that begins with ``$ `` is typed, and what follows
it up to the next one is printed, on stdout and stderr together. A line of a lone ``…`` stands for any lines. A
command ends with its line, but for a ``\\`` at its end or a ``<<'EOF'`` in it.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from support import ROOT, SAMPLES

from toolreplay.cli import main

_PROGRAMS = (["python", "-m", "toolreplay"], ["python3", "-m", "toolreplay"], ["toolreplay"])
# Words, quoted text without a pipe, pipes and at the end a file to write: what the shell would read in no other way.
_PLAIN = re.compile(r"""(?:[\w./=:,@%+ -]|'[^'|>]*'| \| )+(?: > [\w./-]+)?""")


class Step(NamedTuple):
    """A command, its line in the block and the output that the document shows."""

    command: str
    line: int
    shown: list[str]


def steps(lines: list[str]) -> Iterator[Step]:
    """Yield the commands of a console block."""
    step: Step | None = None
    rest = iter(enumerate(lines, 1))
    for number, line in rest:
        if line.startswith("$ "):
            if step is not None:
                yield step
            command = line[2:]
            heredoc = re.search(r"<<'(\w+)'", command)
            while command.endswith("\\") or (heredoc and not command.endswith("\n" + heredoc[1])):
                command += "\n" + next(rest)[1]
            step = Step(command, number, [])
        elif step is None:
            raise ValueError(f"output before the first command: {line}")
        else:
            step.shown.append(line)
    if step is not None:
        yield step


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Tell whether the output that a document shows is what was printed."""
    pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


class Terminal:
    """Runs commands one after the other, as one reader of one document would."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "checkout"
        self._programs = folder / "bin"
        shutil.copytree(SAMPLES, self._folder / "samples")
        self._programs.mkdir()
        for name, words in (("python", ""), ("python3", ""), ("toolreplay", " -m toolreplay")):
            script = self._programs / name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{words} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        self._code = 0

    def run(self, command: str) -> list[str]:
        """Run a command and return the lines that it prints."""
        printed = self._pipe(command) if _PLAIN.fullmatch(command) else self._in_shell(command)
        return printed.decode().removesuffix("\n").split("\n") if printed else []

    def python(self, source: str) -> None:
        """Run a piece of Python."""
        with contextlib.chdir(self._folder), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, "<document>", "exec"), {"__name__": "__main__"})

    def _pipe(self, command: str) -> bytes:
        """Run a plain pipe: our own commands in this process, which is much faster, all others by the shell."""
        line, _, target = command.partition(" > ")
        stages = line.split(" | ")
        data, printed = b"", io.BytesIO()
        for position, stage in enumerate(stages):
            out = printed if position == len(stages) - 1 and not target else io.BytesIO()
            words = shlex.split(stage)
            own = next((words[len(start) :] for start in _PROGRAMS if words[: len(start)] == start), None)
            if own is None:
                out.write(self._in_shell(stage, data))
            else:
                with contextlib.chdir(self._folder):
                    self._code = _main(own, data, out, printed)
            data = out.getvalue()
        if target:
            (self._folder / target).write_bytes(data)
        return printed.getvalue()

    def _in_shell(self, command: str, given: bytes = b"") -> bytes:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "PATH": f"{self._programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(self._programs.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C",
        }
        finished = subprocess.run(
            ["sh", "-c", f"(exit {self._code})\n{command}"],
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self._folder,
            env=environment,
            check=False,
            timeout=60,
        )
        self._code = finished.returncode
        return finished.stdout


def _main(words: list[str], stdin: bytes, out: io.BytesIO, err: io.BytesIO) -> int:
    streams = [io.TextIOWrapper(stream) for stream in (io.BytesIO(stdin), out, err)]
    try:
        with contextlib.ExitStack() as stack:
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                stack.enter_context(mock.patch.object(sys, name, stream))
            return main(words)
    finally:
        for stream in streams[1:]:  # what was read may be closed
            stream.detach()
