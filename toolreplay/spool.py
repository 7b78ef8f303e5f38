"""Output that is held back until its end is reached: in memory while it is small, then in a temporary file."""

from array import array
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import IO, Self

from .output import OutputError
from .system_errors import cause_of

IN_MEMORY = 8 * 2**20
"""Bytes that are held in memory before a temporary file is made."""

STORED_IN_MEMORY = 32 * 2**20
"""The same for pieces that are asked for again: most sessions are smaller."""

_PIECE = 2**18
_AT_ONCE = 2**18


class Spool:
    """Takes bytes and gives them back in pieces."""

    def __init__(self) -> None:
        self._memory = bytearray()
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, data: bytes) -> None:
        """Take some bytes.

        Raises:
            OutputError: if the temporary file can't take them.
        """
        self._memory += data
        if len(self._memory) > (IN_MEMORY if self._file is None else _AT_ONCE):
            self._to_file()

    def take(self, pieces: Iterable[bytes]) -> None:
        """Take many pieces, holding no more of them at once than makes a good size to write.

        Raises:
            OutputError: as `write` does.
        """
        held: list[bytes] = []
        size = 0
        for piece in pieces:
            held.append(piece)
            size += len(piece)
            if size >= _AT_ONCE:
                self.write(b"".join(held))
                held.clear()
                size = 0
        self.write(b"".join(held))

    def _to_file(self) -> None:
        try:
            if self._file is None:
                import tempfile  # slow to load, and small output has no need of it

                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by __exit__)
            rest = memoryview(self._memory)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None
        self._memory = bytearray()

    def pieces(self) -> Iterator[bytes]:
        """Yield all that was taken.

        Raises:
            OutputError: if the temporary file can't be read.
        """
        if self._file is not None:
            try:
                self._file.seek(0)
                while piece := self._file.read(_PIECE):
                    yield piece
            except OSError as error:
                raise OutputError(f"temporary file: {cause_of(error)}") from None
        yield bytes(self._memory)


class Store:
    """Takes pieces of bytes and gives each back when it is asked for: from memory, or from a temporary file if many."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._held = 0
        self._count = 0
        self._ends = array("Q", [0])  # of the pieces in the file
        self._file: IO[bytes] | None = None

    def append(self, data: bytes) -> int:
        """Take a piece; return its number.

        Raises:
            OutputError: if the temporary file can't take it.
        """
        self._pieces.append(data)
        self._held += len(data)
        if self._held > STORED_IN_MEMORY:
            self._to_file()
        self._count += 1
        return self._count - 1

    def read(self, number: int) -> bytes:
        """Return a piece.

        Raises:
            OutputError: if the temporary file can't be read.
        """
        in_file = len(self._ends) - 1
        if number >= in_file or self._file is None:
            return self._pieces[number - in_file]
        start = self._ends[number]
        try:
            self._file.seek(start)
            return self._file.read(self._ends[number + 1] - start)
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None

    def _to_file(self) -> None:
        try:
            if self._file is None:
                import tempfile  # slow to load, and small sessions have no need of it

                self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the store, when its records go)
            self._file.seek(self._ends[-1])
            self._file.writelines(self._pieces)
            self._file.flush()
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None
        end = self._ends[-1]
        for piece in self._pieces:
            end += len(piece)
            self._ends.append(end)
        self._pieces.clear()
        self._held = 0
