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
_REMEMBERED = 4096


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
        self._digests += response_digest(record)

    def first(self, number: int) -> bytes:
        """Return the digest of the first response to a distinct call, given by its number."""
        return bytes(self._digests[number * _DIGEST_SIZE : (number + 1) * _DIGEST_SIZE])


class RereadResponses:
    """The place of the first record of each distinct call, and what its line must still be: 16 bytes each."""

    def __init__(self, lines: RereadableLines) -> None:
        self._lines = lines
        self._places = array("q")
        self._fingerprints = array("q")
        self._remembered: dict[int, bytes] = {}
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
        digest = self._remembered.get(number)
        if digest is None:
            value = loads(self._lines.again(self._places[number], self._fingerprints[number]))
            digest = sha256(dumps(value["response"])).digest()
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[number] = digest
        return digest
