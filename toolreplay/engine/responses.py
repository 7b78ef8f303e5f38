"""The first response to each distinct call: its digest kept, or read again when the call comes again.

To write every response anew takes longer than all the rest of a replay, and most calls never come again. So where the
lines can be read again only their places are kept. A line that is not what it was is an error, never an answer.
"""

from array import array
from hashlib import sha256
from typing import Protocol

from .canonical import dumps, loads
from .transcript import Record

_DIGEST_SIZE = 32


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


class KeptResponses:
    """The digest of the first response to each distinct call, 32 bytes each."""

    size = 0

    def __init__(self) -> None:
        self._digests = bytearray()

    def keep(self, record: Record) -> None:
        """Take the first response to the next distinct call."""
        self.add(response_digest(record))

    def add(self, digest: bytes) -> int:
        """Take the digest of a response; return its number."""
        self._digests += digest
        return len(self._digests) // _DIGEST_SIZE - 1

    def first(self, number: int) -> bytes:
        """Return the digest of the first response to a distinct call, given by its number."""
        return bytes(self._digests[number * _DIGEST_SIZE : (number + 1) * _DIGEST_SIZE])


class RereadResponses:
    """The place of the first record of each distinct call, and what its line must still be: 16 bytes each.

    No line is read again twice, or few long lines and many repeats would take for ever: from then on its digest is
    kept, and what stands instead of its place is the complement of that digest's number.
    """

    def __init__(self, lines: RereadableLines) -> None:
        self._lines = lines
        self._places = array("q")
        self._fingerprints = array("q")
        self._kept = KeptResponses()
        self.size = 0

    def keep(self, record: Record) -> None:
        """Take the first response to the next distinct call."""
        line = self._lines.line
        self._places.append(self._lines.place)
        self._fingerprints.append(hash(line))
        self.size = len(line)

    def first(self, number: int) -> bytes:
        """Return the digest of the first response to a distinct call, given by its number.

        Raises:
            InputError: if the line changed since it was read first.
        """
        place = self._places[number]
        if place < 0:
            return self._kept.first(~place)
        value = loads(self._lines.again(place, self._fingerprints[number]))
        digest = sha256(dumps(value["response"])).digest()
        self._places[number] = ~self._kept.add(digest)
        return digest
