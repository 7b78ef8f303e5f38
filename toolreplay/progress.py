"""The progress line: how much of the input has been read, for a person who waits at a terminal.

It is written to standard error, only when that is a terminal and reading takes a while, and wiped before anything else
is written. It holds numbers of ours and nothing of the input.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TextIO

from .lines import watcher
from .output import Output, OutputError, ReaderGone

_PATIENCE = 2.0
_PAUSE = 0.5
_UNITS = ("B", "kB", "MB", "GB", "TB")


class Progress:
    """Watches what is read and shows it from time to time."""

    def __init__(self, stream: TextIO) -> None:
        self._output = Output(stream, "<stderr>")
        self._begun = monotonic()
        self._next = self._begun + _PATIENCE
        self._done = 0
        self._in_file = 0
        self._size: int | None = None
        self._shown = 0

    def begin(self, size: int | None) -> None:
        """Take note that a file is begun, of so many bytes if that is known."""
        self._size = size
        self._in_file = 0

    def read(self, count: int) -> None:
        """Take note that so many bytes more were read."""
        self._done += count
        self._in_file += count
        now = monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._write(_line(self._done, self._in_file, self._size, now - self._begun))

    def wipe(self) -> None:
        """Leave nothing of the line on the terminal."""
        if self._shown:
            self._write("")
            self._shown = 0

    def _write(self, line: str) -> None:
        text = f"\r{line}{' ' * (self._shown - len(line))}\r" if len(line) < self._shown else f"\r{line}"
        self._shown = len(line)
        with suppress(OutputError, ReaderGone):  # nothing is lost but comfort
            self._output.data(text.encode())


def _line(done: int, in_file: int, size: int | None, seconds: float) -> str:
    rate = done / seconds
    line = f"{_amount(done)} read, {_amount(rate)}/s"
    if size is not None and size >= in_file:
        return f"{line}, {in_file * 100 // max(size, 1)} %, {_time((size - in_file) / rate)} left"
    return line


def _amount(count: float) -> str:
    unit = 0
    while count >= 1000 and unit < len(_UNITS) - 1:
        count /= 1000
        unit += 1
    return f"{count:.0f} {_UNITS[unit]}" if unit == 0 or count >= 100 else f"{count:.1f} {_UNITS[unit]}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def shown(stream: TextIO) -> Iterator[None]:
    """Show on a terminal the progress of what is read meanwhile."""
    progress = Progress(stream)
    token = watcher.set(progress)
    try:
        yield
    finally:
        watcher.reset(token)
        progress.wipe()
