"""Writing a file whole or not at all."""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from .engine.quoting import bare
from .names import as_text
from .output import OutputError, ReaderGone
from .spool import Spool
from .system_errors import cause_of


def write_file(path: str, pieces: Iterable[bytes]) -> None:
    """Write a file whose old content stays untouched until the last piece is safely on disk.

    A regular file is replaced at once and keeps its mode and, where that is allowed, its owner; a symbolic link is
    followed to its target. Into a device or pipe the pieces are written directly, once all of them are there.

    Raises:
        OutputError: if the file can't be written. What `pieces` raises comes through. Either way the old file stays.
        ReaderGone: if nobody reads from the pipe any more.
    """
    if not path:
        raise OutputError("the path to write is empty")
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    except OSError as error:
        raise _cannot(path, error) from None
    except ValueError:
        raise OutputError(f"{bare(as_text(path))}: is no valid path") from None
    if old is None or stat.S_ISREG(old.st_mode):
        _replace(path, old, pieces)
    else:
        _write_through(path, pieces)


def _replace(path: str, old: os.stat_result | None, pieces: Iterable[bytes]) -> None:
    if old is None and not os.path.basename(path):
        raise _cannot(path, IsADirectoryError(errno.EISDIR, ""))
    if old is not None and not _may_be_written(path):  # replacing it would get round what its owner forbade
        raise _cannot(path, PermissionError(errno.EACCES, ""))
    mode = 0o666 if old is None else 0o600  # what is private must not be open to others for even a moment
    try:
        target = os.path.realpath(path)  # fails where the current folder is gone
        beside = os.path.join(os.path.dirname(target), f".toolreplay-{os.urandom(8).hex()}.tmp")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        raise _cannot(path, error) from None
    try:
        with open(descriptor, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            _keep_owner(beside, old)
            os.chmod(beside, stat.S_IMODE(old.st_mode))
        os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            raise _cannot(path, error) from None
        raise


def _may_be_written(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _keep_owner(path: str, old: os.stat_result) -> None:
    new = os.stat(path)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):  # only root may always
            os.chown(path, old.st_uid, old.st_gid)


def _write_through(path: str, pieces: Iterable[bytes]) -> None:
    with Spool() as spool:
        spool.take(pieces)
        try:
            with open(path, "wb", buffering=0) as file:
                for piece in spool.pieces():
                    rest = memoryview(piece)
                    while rest:
                        rest = rest[file.write(rest) :]
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise _cannot(path, error) from None


def _cannot(path: str, error: OSError) -> OutputError:
    return OutputError(f"{bare(as_text(path))}: {cause_of(error)}")
