"""The first of each distinct call, and which calls repeat one.

To write and hash every call and response anew takes longer than all the rest of a replay, and most calls never come
again. So a call is known again by a quick key, and where lines can be read again only their places are kept. A line
that is not what it was is an error, never an answer.
"""

from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple, Protocol

from .canonical import dumps, loads
from .transcript import Record, call_digest, canonical_call

_DIGEST_SIZE = 32
_KEY_SIZE = 7


class First(NamedTuple):
    """The first of some identical calls: its index, and the SHA-256 of its canonical form and of its response."""

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a call for tuple.index
    call: bytes
    response: bytes


class Repeat(NamedTuple):
    """A record whose call came before: the call's SHA-256, the first such call, whether the last call was one, too."""

    record: Record
    call: bytes
    first: First
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


def response_digest(record: Record) -> bytes:
    """Return the SHA-256 of a record's canonical response."""
    return sha256(dumps(record.response)).digest()


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
                    key = hash(canonical_call(record, len(lines.line)))
            count = held.count
            number = number_of(key, count)
            if number < count:
                call = call or call_digest(record)
                if held.first(number).call != call:
                    number = self._others.setdefault(call, count)
                if number < count:
                    yield Repeat(record, call, held.first(number), number == self._last)
            if number == count:
                held.keep(record, call)
            self._last = number


class _Digests:
    """Firsts by their digests: 72 bytes each."""

    def __init__(self) -> None:
        self.count = 0
        self._indexes = array("q")
        self._digests = bytearray()

    def keep(self, record: Record, call: bytes) -> None:
        """Take the next first, and the digest of its call."""
        self._indexes.append(record.index)
        self._digests += call
        self._digests += response_digest(record)
        self.count += 1

    def first(self, number: int) -> First:
        """Return one that was taken."""
        place = number * 2 * _DIGEST_SIZE
        middle, end = place + _DIGEST_SIZE, place + 2 * _DIGEST_SIZE
        return First(self._indexes[number], bytes(self._digests[place:middle]), bytes(self._digests[middle:end]))


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

    def first(self, number: int) -> First:
        """Return one that was taken.

        Raises:
            InputError: if its line changed since it was read first.
        """
        place = self._places[number]
        if place < 0:
            return self._read.first(~place)
        value = loads(self._lines.again(place, self._fingerprints[number]))
        self._places[number] = ~self._read.count
        record = Record(value["index"], value["tool"], value["args"], value["response"], 0)
        self._read.keep(record, call_digest(record))
        return self._read.first(~self._places[number])
