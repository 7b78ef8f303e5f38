"""Copies of what is read, for what has to be read twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from .output import OutputError
from .source import lines_of
from .system_errors import cause_of

Lines = Callable[[], Iterator[bytes]]
"""Gives the lines of a file from its beginning."""


@contextmanager
def copied(stream: BinaryIO, name: str) -> Iterator[Lines]:
    """Copy a stream, so that it can be read again and nobody can change it in between.

    Raises:
        InputError: if it can't be read.
        OutputError: if the copy can't be written or read.
    """
    import tempfile  # slow to load

    try:
        with tempfile.TemporaryFile() as copy:
            for line in lines_of(stream, name):
                copy.write(line)

            def lines() -> Iterator[bytes]:
                copy.seek(0)
                for line in copy:  # noqa: UP028 (yield from closes the file with the generator)
                    yield line

            yield lines
    except OSError as error:
        raise OutputError(f"temporary file: {cause_of(error)}") from None
