"""The lines of a stream, read in big blocks: a stream's own buffer would make many short reads."""

import os
import stat
from collections.abc import Iterator
from contextvars import ContextVar
from io import BytesIO
from itertools import chain
from typing import BinaryIO, Protocol

from .engine.errors import InputError
from .system_errors import cause_of

_BLOCK = 2**16


class Readable(Protocol):
    """What lines are read from: up to `size` bytes at once, none at the end."""

    def read(self, size: int, /) -> bytes:
        """Read on."""


class Watcher(Protocol):
    """Hears of what is read."""

    def begin(self, size: int | None) -> None:
        """Hear that a file is begun, of so many bytes if that is known."""

    def read(self, count: int) -> None:
        """Hear that so many bytes more were read."""

    def wipe(self) -> None:
        """Hear that the file is at its end, or that something is printed."""


watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
"""Who hears of it; the command line sets it for the time of a command."""


def lines_of(stream: Readable, name: str) -> Iterator[bytes]:
    r"""Return the lines of a stream, which end at ``\n`` alone.

    Raises:
        InputError: if reading fails.
    """
    return chain.from_iterable(_blocks_of_lines(stream, name))


def _blocks_of_lines(stream: Readable, name: str) -> Iterator[list[bytes]]:
    watching = watcher.get()
    if watching is not None:
        watching.begin(_size(stream))
    torn: list[bytes] = []  # the pieces of a line whose end is not read yet: it may be as long as the file
    while block := _read(stream, name):
        if watching is not None:
            watching.read(len(block))
        if b"\n" not in block:
            torn.append(block)
            continue
        lines = BytesIO(b"".join((*torn, block))).readlines()
        torn = [] if lines[-1].endswith(b"\n") else [lines.pop()]
        yield lines
    if watching is not None:
        watching.wipe()
    if torn:
        yield [b"".join(torn)]


def _size(stream: Readable) -> int | None:
    try:
        status = os.fstat(stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _read(stream: Readable, name: str) -> bytes:
    try:
        return stream.read(_BLOCK)
    except OSError as error:
        raise InputError(cause_of(error), name) from None


def seekable(stream: BinaryIO) -> bool:
    """Tell whether a stream is a regular file, any part of which can be read again."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode) and stream.seekable()
    except OSError:  # it has no descriptor
        return False


class SeekableLines:
    """The lines of a regular file from where it stands; `place` is where the one given last begins, `line` that one."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.place = 0
        self.line = b""
        self._stream = stream
        self._name = name

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines.

        Raises:
            InputError: if reading fails.
        """
        following = self._stream.tell()
        for lines in _blocks_of_lines(self._stream, self._name):
            for line in lines:
                self.line = line
                self.place = following
                following += len(line)
                yield line

    def again(self, place: int, fingerprint: int) -> bytes:
        """Read a line again.

        Raises:
            InputError: if the line there no longer has the fingerprint, which is its `hash`, or reading fails.
        """
        try:
            resume = self._stream.tell()
            self._stream.seek(place)
            line = self._stream.readline()
            self._stream.seek(resume)
        except OSError as error:
            raise InputError(cause_of(error), self._name) from None
        if hash(line) != fingerprint:
            raise InputError("changed while it was read", self._name)
        return line
