"""The one writer for stdout and stderr: UTF-8 and ``\\n`` on every platform, and nothing in a line that could act.

It writes to the file descriptor without a buffer of its own, so nothing is left for the interpreter to flush (and fail
at) when it ends.
"""

import select
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol, TextIO

from .engine.quoting import inert
from .lines import watcher
from .system_errors import cause_of


class OutputError(Exception):
    """A stream that can't be written; `cause` says why, in a finished text."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class ReaderGone(Exception):
    """Whoever read the output has gone away."""


class _Raw(Protocol):
    def write(self, data: bytes, /) -> int | None: ...
    def fileno(self) -> int: ...


class Output:
    """Writes whole lines, or bytes that are already checked, to one of the standard streams."""

    def __init__(self, stream: TextIO | None, name: str) -> None:
        self._name = name
        self._raw: _Raw | None = None
        if stream is not None:
            buffer = stream.buffer
            self._raw = getattr(buffer, "raw", buffer)

    def lines(self, lines: Iterable[str]) -> None:
        """Write lines, given without their ends."""
        watching = watcher.get()
        if watching is not None:  # reading may have stopped in the middle, with the progress line still there
            watching.wipe()
        self.data("".join(inert(line) + "\n" for line in lines).encode())

    def data(self, data: bytes | memoryview) -> None:
        """Write bytes as they are.

        Raises:
            ReaderGone: if nobody reads any more.
            OutputError: if the stream is closed or can't take them.
        """
        if self._raw is None:
            raise OutputError(f"{self._name}: is closed")
        rest = memoryview(data)
        try:
            while rest:
                written = self._raw.write(rest)  # type: ignore[arg-type]  # any bytes-like object is taken
                if written is None:  # a pipe that a parent made non-blocking is full
                    select.select([], [self._raw.fileno()], [])
                else:
                    rest = rest[written:]
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise OutputError(f"{self._name}: {cause_of(error)}") from None


def stdout() -> Output:
    """Return the writer for standard output."""
    return Output(sys.stdout, "<stdout>")


def complain(error: Exception) -> None:
    """Write an error's one line to standard error."""
    with suppress(OutputError, ReaderGone):  # nobody may be there to be told; the exit code still tells
        Output(sys.stderr, "<stderr>").lines([f"error: {error}"])


def remark(lines: Iterable[str]) -> None:
    """Write notes to standard error, one line each."""
    with suppress(OutputError, ReaderGone):  # the same
        Output(sys.stderr, "<stderr>").lines(f"note: {line}" for line in lines)
