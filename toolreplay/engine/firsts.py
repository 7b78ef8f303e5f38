"""The first of each distinct call: digests of it and of its response, kept or made when the call comes again.

To write every response anew takes longer than all the rest of a replay, and most calls never come again. So where the
lines can be read again only their places are kept. A line that is not what it was is an error, never an answer.
"""

from array import array
from hashlib import sha256
from typing import NamedTuple, Protocol

from .canonical import dumps, loads
from .transcript import Record, canonical_call

_DIGEST_SIZE = 32


class First(NamedTuple):
    """The first of some identical calls: its index, and the SHA-256 of its canonical form and response."""

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a call for tuple.index
    call: bytes
    response: bytes


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


class KeptFirsts:
    """The first of each distinct call, numbered from 0: 72 bytes each."""

    def __init__(self) -> None:
        self.count = 0
        self._call = b""
        self._indexes = array("q")
        self._digests = bytearray()

    def key(self, record: Record) -> int:
        """Return what is the same for identical calls, and rarely for others."""
        self._call = canonical_call(record)
        return hash(self._call)

    def keep(self, record: Record) -> None:
        """Take the first of the next distinct call, whose key was asked for last."""
        self._indexes.append(record.index)
        self._digests += sha256(self._call).digest()
        self._digests += response_digest(record)
        self.count += 1

    def first(self, number: int) -> First:
        """Return the first of a distinct call."""
        place = number * 2 * _DIGEST_SIZE
        middle, end = place + _DIGEST_SIZE, place + 2 * _DIGEST_SIZE
        return First(self._indexes[number], bytes(self._digests[place:middle]), bytes(self._digests[middle:end]))


class RereadFirsts:
    """The place of the first record of each distinct call, and what its line must still be: 16 bytes each.

    No line is read again twice, or few long lines and many repeats would take for ever: from then on the digests are
    kept, and what stands instead of the place is the complement of their number.
    """

    def __init__(self, lines: RereadableLines) -> None:
        self.count = 0
        self._lines = lines
        self._places = array("q")
        self._fingerprints = array("q")
        self._add_place, self._add_fingerprint = self._places.append, self._fingerprints.append
        self._kept = KeptFirsts()

    def key(self, record: Record) -> int:
        """Return what is the same for identical calls, and rarely for others; the record was read from the lines."""
        args, tool = record.args, record.tool
        try:
            return hash(frozenset(args.items())) ^ hash(tool)
        except TypeError:  # arrays and objects have no hash
            return hash(canonical_call(record, len(self._lines.line)))

    def keep(self, record: Record) -> None:
        """Take the first of the next distinct call, whose line was read last."""
        self._add_place(self._lines.place)
        self._add_fingerprint(hash(self._lines.line))
        self.count += 1

    def first(self, number: int) -> First:
        """Return the first of a distinct call.

        Raises:
            InputError: if its line changed since it was read first.
        """
        place = self._places[number]
        if place < 0:
            return self._kept.first(~place)
        value = loads(self._lines.again(place, self._fingerprints[number]))
        record = Record(value["index"], value["tool"], value["args"], value["response"], 0)
        self._places[number] = ~self._kept.count
        self._kept.key(record)
        self._kept.keep(record)
        return self._kept.first(~self._places[number])
