"""Which files may be read when the folder they lie in was written by somebody else.

The workspace is the current folder: a checkout, perhaps of an attacker's branch. A name in it may be a link to a secret
elsewhere on the machine, a device or a pipe that never ends. So only regular files are read, and a name inside the
workspace must lead to a file inside it. A path that the user spelled to lie elsewhere is the user's own choice, unless
the workspace is closed.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from .engine.errors import InputError
from .lines import lines_of
from .names import as_text
from .source import STDIN, STDIN_NAME, whole
from .system_errors import cause_of

# O_NONBLOCK: opening a pipe that nobody writes to must not hang. O_NOFOLLOW: all links are resolved by then, so one
# that is met was put there in the meantime.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK")
)


class Workspace(NamedTuple):
    """The folder that is checked, with all links resolved; `closed` says that nothing outside it is read at all."""

    root: str
    closed: bool = False

    def resolve(self, path: str) -> str:
        """Return a path with all links resolved.

        Raises:
            InputError: if it leads out of the workspace, or is no path at all.
        """
        if not path:
            raise InputError("the path is empty")
        try:
            resolved = os.path.realpath(path)
            allowed = self.holds(resolved) or not (self.closed or self._begins_inside(path))
        except OSError as error:
            raise InputError(cause_of(error), as_text(path)) from None
        except ValueError:
            raise InputError("is no valid path", as_text(path)) from None
        if not allowed:
            raise InputError("leads out of the workspace", as_text(path))
        return resolved

    def holds(self, resolved: str) -> bool:
        """Tell whether a path without links lies in the workspace."""
        path, root = os.path.normcase(resolved), os.path.normcase(self.root)
        return path == root or path.startswith(root.rstrip(os.sep) + os.sep)

    def _begins_inside(self, path: str) -> bool:
        spelled = os.path.abspath(path)
        return self.holds(spelled) or self.holds(os.path.realpath(os.path.dirname(spelled)))

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """Open a regular file for reading bytes.

        Raises:
            InputError: if it can't be opened, is no regular file, or leads out of the workspace.
        """
        resolved = self.resolve(path)
        try:
            descriptor = _descriptor(resolved, path)
        except OSError as error:
            raise InputError(cause_of(error), as_text(path)) from None
        with open(descriptor, "rb") as stream:
            yield stream


def whole_in(workspace: Workspace, path: str, *, dash_is_stdin: bool) -> tuple[bytes, str]:
    """Read all of a file as carefully as those that are checked, or of standard input; return its name for errors too.

    Raises:
        InputError: if it can't be read.
    """
    if dash_is_stdin and path == STDIN:
        return whole(path), STDIN_NAME
    name = as_text(path)
    with workspace.opened(path) as stream:
        return b"".join(lines_of(stream, name)), name


def current_workspace(*, closed: bool = False) -> Workspace:
    """Return the current folder as the workspace.

    Raises:
        InputError: if it is gone.
    """
    try:
        return Workspace(os.path.realpath(os.curdir), closed)
    except OSError as error:
        raise InputError(cause_of(error), os.curdir) from None


def _descriptor(resolved: str, path: str) -> int:
    _must_be_regular(os.stat(resolved).st_mode, path)  # before it is opened: to open a device can be to use it
    descriptor = os.open(resolved, _FLAGS)
    try:
        _must_be_regular(os.fstat(descriptor).st_mode, path)
    except InputError:
        os.close(descriptor)
        raise
    return descriptor


def _must_be_regular(mode: int, path: str) -> None:
    if stat.S_ISDIR(mode):
        raise InputError("is a directory", as_text(path))
    if not stat.S_ISREG(mode):
        raise InputError("is no regular file", as_text(path))
