"""Writing a file whole or not at all."""

import os
import stat
from collections.abc import Iterable

from .engine.quoting import bare
from .names import as_text
from .output import OutputError
from .spool import Spool
from .system_errors import cause_of


def write_file(path: str, pieces: Iterable[bytes]) -> None:
    """Write a file whose old content stays untouched until the last piece is safely on disk.

    A regular file is replaced at once and keeps its mode; a symbolic link is followed to its target. Into a device or
    pipe the pieces are written directly, once all of them are there.

    Raises:
        OutputError: if the file can't be written. What `pieces` raises comes through. Either way the old file stays.
    """
    if not path:
        raise OutputError("the path to write is empty")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise _cannot(path, error) from None
    except ValueError:
        raise OutputError(f"{bare(as_text(path))}: is no valid path") from None
    if mode is None or stat.S_ISREG(mode):
        _replace(path, mode, pieces)
    else:
        _write_through(path, pieces)


def _replace(path: str, mode: int | None, pieces: Iterable[bytes]) -> None:
    target = os.path.realpath(path)
    beside = os.path.join(os.path.dirname(target), f".toolreplay-{os.urandom(8).hex()}.tmp")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise _cannot(path, error) from None
    try:
        with open(descriptor, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, target)
    except BaseException as error:
        os.unlink(beside)
        if isinstance(error, OSError):
            raise _cannot(path, error) from None
        raise


def _write_through(path: str, pieces: Iterable[bytes]) -> None:
    with Spool() as spool:
        for piece in pieces:
            spool.write(piece)
        try:
            with open(path, "wb", buffering=0) as file:
                for piece in spool.pieces():
                    rest = memoryview(piece)
                    while rest:
                        rest = rest[file.write(rest) :]
        except OSError as error:
            raise _cannot(path, error) from None


def _cannot(path: str, error: OSError) -> OutputError:
    return OutputError(f"{bare(as_text(path))}: {cause_of(error)}")
