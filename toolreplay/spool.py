"""Output that is held back until its end is reached: in memory while it is small, then in a temporary file."""

from collections.abc import Iterator
from types import TracebackType
from typing import IO, Self

from .output import OutputError
from .system_errors import cause_of

IN_MEMORY = 8 * 2**20
"""Bytes that are held in memory before a temporary file is made."""

_PIECE = 2**20


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
        if len(self._memory) > IN_MEMORY:
            self._to_file()

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
    """Takes pieces of bytes and gives each back when it is asked for."""

    def __init__(self) -> None:
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self._size = 0
        self._at_end = True

    def append(self, data: bytes) -> int:
        """Take some bytes; return where they are.

        Raises:
            OutputError: if the temporary file can't take them.
        """
        at = self._size
        self._size += len(data)
        if self._file is None:
            self._memory += data
            if self._size > IN_MEMORY:
                self._to_file()
            return at
        try:
            if not self._at_end:
                self._file.seek(0, 2)
                self._at_end = True
            self._file.write(data)
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None
        return at

    def read(self, at: int, size: int) -> bytes:
        """Return bytes that were taken.

        Raises:
            OutputError: if the temporary file can't be read.
        """
        if self._file is None:
            return bytes(self._memory[at : at + size])
        try:
            self._at_end = False
            self._file.seek(at)
            return self._file.read(size)
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None

    def _to_file(self) -> None:
        import tempfile  # slow to load, and small sessions have no need of it

        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the store, which lives as long as records do)
            self._file.write(self._memory)
        except OSError as error:
            raise OutputError(f"temporary file: {cause_of(error)}") from None
        self._memory = bytearray()
