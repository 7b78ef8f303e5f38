"""The first of each distinct call, and which calls repeat one.

To write and hash every call and response anew takes longer than all the rest of a replay, and most calls never come
again. So a call is known again by a quick key, and where lines can be read again only their places are kept. A line
that is not what it was is an error, never an answer.
"""

from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple, Protocol

from .canonical import dumps, encoded, loads
from .transcript import Record, call_digest

_DIGEST_SIZE = 32
_KEY_SIZE = 7


First = tuple[int, bytearray, bytearray]
"""The first of some identical calls: its index, and the SHA-256 of its canonical form and of its response."""


class Repeat(NamedTuple):
    """A record whose call came before.

    `call` is the SHA-256 of the canonical call and `first` the index of the first such call. `differs` says that the
    response is another than the first, `directly` that the call right before was identical.
    """

    record: Record
    call: bytes
    first: int
    differs: bool
    directly: bool


class RereadableLines(Protocol):
    """Lines of a file that can be read again; `line` is the one that was given last, `place` where it begins."""

    place: int
    line: bytes

    def again(self, place: int, fingerprint: int) -> bytes:
        """Read a line again.

        Raises:
            InputError: if the line there no longer has the fingerprint, which is its `hash`.
        """


def _response_digest(record: Record, size: int = 0) -> bytes:
    return sha256(dumps(record.response, size)).digest()


class Firsts:
    """Holds the first of each distinct call, numbered from 0; `calls` counts all calls.

    A call is known again by a key, and then by the digest of the call that had this key first. Another call with a key
    that is taken already, by chance or by design, is known by its digest. Records that were read from lines have equal
    hashes where they are equal as JSON; others may hold a tuple for a list, or a character in two halves.
    """

    def __init__(self, lines: RereadableLines | None = None) -> None:
        """Begin.

        Args:
            lines: what the records are read from, one line a record, if it can be read again.
        """
        self.calls = 0
        self._lines = lines
        self._held = _Digests() if lines is None else _Places(lines)
        self._numbers: dict[int, int] = {}  # by key
        self._others: dict[bytes, int] = {}  # by digest, where the key is another call's
        self._last = -1  # the number of the last call

    def repeats(self, records: Iterable[Record]) -> Iterator[Repeat]:
        """Take the next records and yield the repeats among them.

        Raises:
            InputError: if the lines changed since they were read first.
        """
        lines, held, number_of = self._lines, self._held, self._numbers.setdefault
        for record in records:
            self.calls += 1
            _, tool, args, _, _ = record
            call = b""
            if lines is None:
                call = call_digest(record)
                key = int.from_bytes(call[:_KEY_SIZE])
            else:
                try:
                    key = hash(frozenset(args.items())) ^ hash(tool)
                except TypeError:  # arrays and objects have no hash
                    key = _key_of_text(record)
            count = held.count
            number = number_of(key, count)
            if number < count:
                call = call or call_digest(record)
                first, its_call, response = held.first(number)
                if its_call != call:
                    number = self._others.setdefault(call, count)
                    if number < count:
                        first, _, response = held.first(number)
                if number < count:
                    differs = _response_digest(record, held.size) != response
                    yield Repeat(record, call, first, differs, number == self._last)
            if number == count:
                held.keep(record, call)
            self._last = number


def _key_of_text(record: Record) -> int:
    try:
        return hash(encoded(record.args)) ^ hash(record.tool)
    except ValueError:  # a number for which it takes more
        return hash(dumps(record.args)) ^ hash(record.tool)


class _Digests:
    """Firsts by their digests: 72 bytes each."""

    def __init__(self) -> None:
        self.count = 0
        self.size = 0  # of the line read last in bytes, if that is known
        self._indexes = array("q")
        self._digests = bytearray()

    def keep(self, record: Record, call: bytes) -> None:
        """Take the next first, and the digest of its call."""
        self._indexes.append(record.index)
        self._digests += call
        self._digests += _response_digest(record, self.size)
        self.count += 1

    def first(self, number: int) -> First:
        """Return one that was taken."""
        place = number * 2 * _DIGEST_SIZE
        middle = place + _DIGEST_SIZE
        return self._indexes[number], self._digests[place:middle], self._digests[middle : middle + _DIGEST_SIZE]


class _Places:
    """Firsts by the place of the line that each stands on, and what that line must still be: 16 bytes each.

    No line is read again twice, or few long lines and many repeats would take for ever: from then on its digests are
    held, and what stands instead of the place is the complement of their number.
    """

    def __init__(self, lines: RereadableLines) -> None:
        self.count = 0
        self._lines = lines
        self._places = array("q")
        self._fingerprints = array("q")
        self._read = _Digests()

    def keep(self, record: Record, call: bytes) -> None:
        """Take the next first, whose line was read last; of its call nothing is needed."""
        self._places.append(self._lines.place)
        self._fingerprints.append(hash(self._lines.line))
        self.count += 1

    @property
    def size(self) -> int:
        """How many bytes the line has that was read last."""
        return len(self._lines.line)

    def first(self, number: int) -> First:
        """Return one that was taken.

        Raises:
            InputError: if its line changed since it was read first.
        """
        place = self._places[number]
        if place < 0:
            return self._read.first(~place)
        line = self._lines.again(place, self._fingerprints[number])
        value = loads(line)
        self._places[number] = ~self._read.count
        record = Record(value["index"], value["tool"], value["args"], value["response"], 0)
        self._read.size = len(line)
        self._read.keep(record, call_digest(record))
        return self._read.first(~self._places[number])
