"""Files that the action leaves in the workspace for later steps.

The container runs as root, so what it makes would belong to root and later steps of the job could not change it: it is
given to the owner of the workspace. The checkout may hold links and pipes where a file is to be written. They are
refused: through a link an attacker's branch would choose what is overwritten, git's own files among it.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from .engine.errors import InputError
from .names import as_text
from .replacing import write_file
from .workspace import Workspace


def write_artifact(workspace: Workspace, path: str, pieces: Iterable[bytes]) -> None:
    """Write a file of the workspace, whole or not at all, and give it to the workspace's owner.

    Raises:
        InputError: if the path leads out of the workspace or through a link, or what is there is no regular file.
        OutputError: if it can't be written. What `pieces` raises comes through. Either way an old file stays.
    """
    target = workspace.resolve(path)
    if os.path.normcase(target) != os.path.normcase(os.path.normpath(os.path.join(workspace.root, path))):
        raise InputError("is a link or lies behind one", as_text(path))
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        raise InputError("is no regular file", as_text(path))
    write_file(path, pieces)
    _give_away(target, os.stat(workspace.root))


def _give_away(path: str, to: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root may, and only root's files need it
            os.chown(path, to.st_uid, to.st_gid)
