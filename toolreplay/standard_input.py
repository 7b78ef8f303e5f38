"""Standard input that is read to its end, even where a program before us made it non-blocking."""

import io
import select
import sys
from typing import BinaryIO

_BUFFER = 2**18


class _Waiting(io.RawIOBase):
    """Waits for data where a raw stream would say that there is none yet.

    A pipe or terminal that doesn't block is shared with whoever made it so, perhaps only after we began to read. Python
    takes "none yet" for the end there, and half a transcript would be audited, or sealed, as if it were all.
    """

    def __init__(self, raw: io.FileIO) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]  # what a buffered reader hands over
        while (count := self._raw.readinto(buffer)) is None:
            select.select([self._raw], [], [])
        return count


def standard_input() -> BinaryIO | None:
    """Return standard input for reading bytes, or `None` if it is closed. It must not be closed by the reader."""
    if sys.stdin is None:
        return None
    buffer = sys.stdin.buffer
    raw = getattr(buffer, "raw", None)
    if not isinstance(raw, io.FileIO):
        return buffer
    return io.BufferedReader(_Waiting(raw), _BUFFER)  # type: ignore[type-var]  # typed more narrowly than documented
