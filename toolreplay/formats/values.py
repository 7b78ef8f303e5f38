r"""The JSON values of a file: one on each line, several on a line, or one over many lines, and where each stands.

Session files are written by programs that crash, and pass through CI. So this reader, unlike that of a transcript,
goes on:

* two values on one line are both read;
* a line that can't be read is counted and skipped; where it is the last and has no line end, it is torn;
* lines before the first value that are no JSON are counted and skipped, and so is a byte order mark;
* a value may span lines (a pretty-printed document) as long as no line before it held a value of its own.

What a value may be is as strict as in a transcript: a duplicate key, ``NaN``, too long a number or too deep a nesting
makes the line one that can't be read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from ..engine.canonical import DEEPEST, Json, loads
from ..engine.errors import InputError, JsonError
from .counts import Tally
from .format import Place

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}"]', re.DOTALL)
_BLANK = b" \t\r\n"
_NOTHING = (b"\n", b"\r\n")  # the common ones of the blank lines
_NOT_BLANK = re.compile(rb"[^ \t\r\n]")
_OPENS = b"{["
_BEGINS = (b"{", b"[", b'"')
_GOES_ON = (b"{", b"[", b",", b":")
"""How what may stand in the middle of a value begins, and what a line before it ends with."""

_LIKE_JSON = re.compile(rb'\{|\[[ \t\r\n]*(?:[{\["\]]|$)')
"""How what should be a record begins; a line of a log may begin with a word in brackets."""

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class LinePlace:
    """The place of a value that stands on one line."""

    def __init__(self) -> None:
        self.line = 0

    def of(self, part: Json) -> int:
        """Return the line, whatever the part."""
        return self.line


class DocumentPlace:
    """The places of the objects and arrays in a value that spans lines."""

    def __init__(self, value: Json, openings: list[int]) -> None:
        self._value = value  # keeps the parts alive, so that their ids stay theirs
        self._first = openings[0]
        self._lines = dict(zip(map(id, _parts(value)), openings, strict=True))

    def of(self, part: Json) -> int:
        """Return the line on which a part opens."""
        return self._lines.get(id(part), self._first)


def _parts(value: Json) -> Iterator[Json]:
    """Give the objects and arrays in a value in the order in which they open."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            yield part
            stack.extend(reversed(part.values()))
        elif isinstance(part, list):
            yield part
            stack.extend(reversed(part))


class _Scan:
    """Follows brackets, over lines, until a value is complete.

    `openings` are the lines of the brackets that open. `sound` turns false at a string that does not end on its line
    and where the nesting is too deep: whatever follows, the value can't be read then.
    """

    def __init__(self) -> None:
        self.openings: list[int] = []
        self.sound = True
        self._depth = 0

    def line(self, line: bytes, number: int, start: int = 0) -> int | None:
        """Scan a line; return where the value ends in it, or `None` if it does not."""
        for match in _TOKEN.finditer(line, start):
            mark = match[0]
            if mark in (b"{", b"["):
                self.openings.append(number)
                self._depth += 1
                if self._depth > DEEPEST:
                    self.sound = False
                    return None
            elif mark in (b"}", b"]"):
                self._depth -= 1
                if self._depth <= 0:
                    return match.end()
            elif mark == b'"':
                self.sound = False
                return None
        return None


def _may_follow(before: bytes, line: bytes) -> bool:
    """Tell whether a line can go on with a value after another, neither of them blank: between elements is a comma.

    Else one torn line would have all lines after it, which are values of their own, held in memory as a part of it.
    """
    return line.lstrip(_BLANK)[:1] not in _BEGINS or before.rstrip(_BLANK)[-1:] in _GOES_ON


def end_of_value(line: bytes, start: int) -> int | None:
    """Return where the array or object that opens in a line at `start` ends, or `None` if it does not end there."""
    return _Scan().line(line, 0, start)


class Values:
    """Iterates over the values of a file, each with the place where it stands.

    A place holds for the value that it is given with, until the next one is asked for.

    Attributes:
        embedded: finds the value in a line that is no JSON, or gives `None`.
        broken: why a value that spans lines could not be read as one, if that was tried.
    """

    def __init__(
        self, lines: Iterable[bytes], name: str, tally: Tally, embedded: Callable[[bytes], Json] | None = None
    ) -> None:
        self.embedded = embedded
        self.broken: InputError | None = None
        self._lines = enumerate(_unmarked(lines, name), 1)
        self._name = name
        self._tally = tally
        self._place = LinePlace()
        self._may_span = True
        self._begun = False

    def __iter__(self) -> Iterator[tuple[Json, Place]]:
        """Yield each value and its place.

        Raises:
            InputError: if the file is in UTF-16.
        """
        place = self._place
        for number, line in self._lines:
            if line in _NOTHING:
                continue
            try:
                value = loads(line)
            except JsonError:
                spans = self._may_span and line.lstrip(_BLANK)[:1] in (b"{", b"[")
                yield from self._spanning(number, line) if spans else self._pieces(number, line)
            else:
                self._begun, self._may_span = True, False
                place.line = number
                yield value, place

    def _spanning(self, number: int, line: bytes) -> Iterator[tuple[Json, Place]]:
        """Read a value that begins on this line and ends on a later one; if it does not, read line by line."""
        lines = [line]
        before = line
        scan = _Scan()
        end = scan.line(line, number)
        while end is None and scan.sound:
            last, line = next(self._lines, (0, b""))
            if not last:
                break
            lines.append(line)
            if _NOT_BLANK.search(line) is not None:
                if not _may_follow(before, line):
                    break
                before = line
            end = scan.line(line, last)
        if len(lines) == 1:
            yield from self._pieces(number, lines[0])
            return
        try:
            value = loads(b"".join([*lines[:-1], lines[-1][:end]]))
        except JsonError as error:
            self.broken = InputError(error.cause, self._name, number + error.newlines)
            self._may_span = False
            for place, line in enumerate(lines, number):
                yield from self._pieces(place, line)
        else:
            self._begun = True
            yield value, DocumentPlace(value, scan.openings)
            yield from self._pieces(number + len(lines) - 1, lines[-1], end or 0)

    def _pieces(self, number: int, line: bytes, start: int = 0) -> Iterator[tuple[Json, Place]]:
        """Read the values on a line, as far as there are any."""
        self._place.line = number
        while (opening := _NOT_BLANK.search(line, start)) is not None:
            start = opening.start()
            value = None if self.embedded is None or line[start] == _OPENS[0] else self.embedded(line[start:])
            if value is not None:
                self._begun, self._may_span = True, False
                yield value, self._place
                return
            end = end_of_value(line, start) if line[start] in _OPENS else None
            if end is None:
                self._skip(number, line, start)
                return
            try:
                value = loads(line[start:end])
            except JsonError:
                self._skip(number, line, start)
                if not self._begun and not _LIKE_JSON.match(line, start):
                    return  # text that begins with something in brackets, as log lines do
            else:
                self._begun, self._may_span = True, False
                yield value, self._place
            start = end

    def _skip(self, number: int, line: bytes, start: int) -> None:
        """Count a line of which something could not be read."""
        if self._begun or _LIKE_JSON.match(line, start):
            self._tally.not_read(number)
            self._tally.torn = not line.endswith(b"\n")
        else:
            self._tally.leading += 1


def _unmarked(lines: Iterable[bytes], name: str) -> Iterable[bytes]:
    """Take a byte order mark off the first line."""
    rest = iter(lines)
    first = next(rest, b"")
    if first.startswith(_UTF16_MARKS):
        raise InputError("is in UTF-16; save it as UTF-8", name)
    return chain([first.removeprefix(_UTF8_MARK)], rest)
