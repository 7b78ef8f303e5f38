"""Checking in several processes: many files side by side, or the ranges of one big sealed file.

Each link carries the digest of the one before, so a range of a sealed file can be verified as if its first link were
right, and then joined: that link must continue the range before. Wherever anything is amiss, the rest of the file from
there on is read again in one piece, so that what is reported is the same whatever the number of processes.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from .arguments import Arguments, Option, UsageError
from .engine.chain import ChainReader
from .engine.errors import InputError
from .engine.links import FIRST_PREV, NOTHING_EXPECTED, Start, VerifyResult
from .engine.quoting import quoted
from .engine.transcript import BLANK, value_of
from .exit_codes import COULD_NOT_RUN
from .lines import lines_of, seekable, watcher
from .source import STDIN, opened, shown_name, verify_file
from .system_errors import cause_of

if TYPE_CHECKING:
    from .engine.links import Expectation

MOST = 64
OPTION = Option("--jobs", "N", f"use N processes, 1 to {MOST} (default 1)")

SMALLEST_RANGE = 2**20
"""Bytes that are worth a process."""

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def jobs(arguments: Arguments) -> int:
    """Return the number of processes that a command line asks for.

    Raises:
        UsageError: if it is none from 1 to `MOST`.
    """
    text = arguments.last(OPTION.name)
    if text is None:
        return 1
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= MOST):
        raise UsageError(f"option {OPTION.name}: {quoted(text)} is no number from 1 to {MOST}")
    return int(text)


def mapped(
    make: Callable[[_Given], _Made], given: Iterable[_Given], processes: int, at_once: int = 1
) -> Iterator[_Made]:
    """Make something of each in other processes, and yield what was made in the order of what was given.

    Args:
        make: a function of a module; what it takes, returns and raises is copied between processes.
        given: what to make it of.
        processes: how many there are.
        at_once: how many are handed over together.

    Raises:
        InputError: if the processes can't be started, or one ends before its time.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    try:
        executor = ProcessPoolExecutor(processes, initializer=_begin)
        try:
            yield from executor.map(make, given, chunksize=at_once)
        finally:
            executor.shutdown(cancel_futures=True)
    except BrokenProcessPool:
        raise InputError("a process that checked a part has ended before its time") from None
    except OSError as error:
        for started in active_children():  # nobody has work for them, and this process would wait for their end
            started.terminate()
        raise InputError(f"other processes could not be started: {cause_of(error)}") from None


def _begin() -> None:
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    # Ctrl-C ends these processes at once and without a word; the first one hears of it too, and speaks for all.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watcher.set(None)
    first = parent_process()
    assert first is not None, "this is not the first process"
    # Where the first is killed nobody else tells these, and they would wait for work for ever.
    Thread(target=_end_after, args=(first.sentinel,), daemon=True).start()


def _end_after(process: int) -> None:
    from multiprocessing.connection import wait

    wait([process])
    os._exit(COULD_NOT_RUN)


class _Part(NamedTuple):
    """What a range of a sealed file holds: its lines, and where its links begin and end if all of them hold."""

    start: int
    lines: int
    sound: bool
    first: tuple[int, str] | None = None
    links: int = 0
    head: str = ""


class _Range:
    """The bytes of a stream up to a place."""

    def __init__(self, stream: BinaryIO, end: int) -> None:
        self._stream = stream
        self._end = end

    def read(self, size: int, /) -> bytes:
        return self._stream.read(min(size, self._end - self._stream.tell()))


class _Counting:
    """Gives lines on and counts them."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self.count = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.count += 1
            yield line


def verify_in_parts(path: str, expectation: "Expectation", processes: int) -> VerifyResult:
    """Verify a sealed file as `verify_file` does, in several processes where that is possible and worth it.

    Raises:
        InputError: as `verify_file` does.
    """
    ranges = [] if path == STDIN or expectation != NOTHING_EXPECTED else _ranges(path, processes)
    if len(ranges) < 2:
        return verify_file(path, expectation)
    at = Start()
    for part in mapped(_part, ranges, min(processes, len(ranges))):
        if not part.sound or part.first not in (None, (at.links, at.head or FIRST_PREV)):
            return _rest(path, part.start, at)
        at = Start(at.links + part.links, part.head or at.head, at.lines + part.lines)
    return VerifyResult(at.links, at.head) if at.links else verify_file(path)


def _ranges(path: str, processes: int) -> list[tuple[str, int, int]]:
    """Divide a file at line ends."""
    with opened(path) as stream:
        if not seekable(stream):
            return []
        size = os.fstat(stream.fileno()).st_size
        count = min(processes, size // SMALLEST_RANGE)
        places = [0]
        for number in range(1, count):
            stream.seek(max(size * number // count, places[-1]))
            stream.readline()
            places.append(stream.tell())
    return [(path, start, end) for start, end in zip(places, [*places[1:], size], strict=True) if start < end]


def _part(which: tuple[str, int, int]) -> _Part:
    path, start, end = which
    with opened(path) as stream:
        stream.seek(start)
        lines = _Counting(lines_of(_Range(stream, end), path))
        try:
            rest = iter(lines)
            line, first = _first(rest)
            if first is None:
                return _Part(start, lines.count, sound=True)
            reader = ChainReader(chain((line,), rest), path, NOTHING_EXPECTED, Start(first[0], first[1], 0))
            result = reader.read()
        except InputError:
            return _Part(start, lines.count, sound=False)
        links = result.links - first[0]
        return _Part(start, lines.count, result.broken is None, first, links, result.head or "")


def _first(lines: Iterable[bytes]) -> tuple[bytes, tuple[int, str] | None]:
    """Take lines up to the first link; return its line, its index and its `prev`.

    Raises:
        InputError: if it is no link.
    """
    for line in lines:
        value: Any = value_of(line, "", 0)
        if value is not BLANK:
            index, prev = (value.get("index"), value.get("prev")) if type(value) is dict else (None, None)
            if type(index) is int and type(prev) is str:
                return line, (index, prev)
            raise InputError("no link")
    return b"", None


def _rest(path: str, start: int, at: Start) -> VerifyResult:
    name = shown_name(path)
    with opened(path) as stream:
        stream.seek(start)
        return ChainReader(lines_of(stream, name), name, NOTHING_EXPECTED, at).read()
