"""The one place that runs git.

A repository can name programs for git to run and can swap one object for another. So only plumbing commands that read
are run from here, and what could still act is turned off: the monitor of the work tree, replaced objects, the fetching
of objects that a partial clone lacks, every transport. No hook, filter, textconv, external diff or alias has a part in
such commands.

git's own messages are not shown: they differ between versions and hold whatever the repository's names hold.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from .engine.errors import InputError

_PLACES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",  # `git commit -- PATH` gives hooks an index of its own
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)
"""Variables that say where things are. All others of git's own are dropped: some name programs, some change output."""

_SAFE = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # or a ref below refs/replace shows other content than was committed; see _CONFIG
    "GIT_NO_LAZY_FETCH": "1",  # or a missing object starts the program that remote.NAME.uploadpack names
    "GIT_ALLOW_PROTOCOL": "none",  # the same, for versions of git that don't know the line above
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_CONFIG = (
    *("-c", "core.fsmonitor=false"),  # or it names a program
    *("-c", "core.useReplaceRefs=false"),  # or a setting of the repository undoes the variable, in git 2.39 at least
)

_PIECE = 2**16


class GitError(Exception):
    """git could not do what it was asked for; the text is finished and escaped.

    No `InputError`: what reads an object's lines takes that for a fault of the lines, and a repository that can't be
    read would pass.
    """


class Git:
    """git, run in the current folder.

    Args:
        program: its absolute path.
        environment: what it finds in its environment, beside what is set here.
        config: further ``-c NAME=VALUE`` words.
    """

    def __init__(self, program: str, environment: Mapping[str, str], config: Sequence[str] = ()) -> None:
        self._command = [program, "--no-pager", *_CONFIG, *config]
        self._environment = {**environment, **_SAFE}

    @contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a git command with pipes to its input and output, and end it when the block is left.

        Raises:
            GitError: if it can't be started.
        """
        try:
            process = subprocess.Popen(  # noqa: S603 (fixed commands; whatever is named by others is no option)
                [*self._command, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
            )
        except OSError:
            raise GitError("git could not be started") from None
        try:
            yield process
        finally:
            for pipe in (process.stdout, process.stdin):
                with suppress(OSError):  # whatever was not yet sent has no reader any more
                    pipe_of(pipe).close()
            process.kill()
            process.wait()

    def answer(self, *words: str) -> tuple[int, str]:
        """Run a command that prints little; return its exit code and what it printed, without the last line end."""
        with self.running(*words) as process:
            printed, _ = process.communicate()
        return process.returncode, printed.decode("utf-8", "surrogateescape").removesuffix("\n")

    def records(self, *words: str) -> Iterator[bytes]:
        r"""Run a command that prints records ended by ``\0``; yield them without their ends.

        Raises:
            GitError: if the command fails, possibly after records were given.
        """
        with self.running(*words) as process:
            out = pipe_of(process.stdout)
            rest = b""
            while piece := out.read(_PIECE):
                *whole, rest = (rest + piece).split(b"\0")
                yield from whole
            if process.wait() != 0 or rest:
                raise failed(words[0])


def pipe_of(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that is there because it was asked for."""
    assert stream is not None
    return stream


def failed(command: str) -> GitError:
    """Return the error for a command that should not fail in a sound repository."""
    return GitError(f"git {command} failed; git fsck may tell why")


def git_of_the_user() -> Git:
    """Return the git on the search path, with the user's own configuration.

    Raises:
        InputError: if there is none.
    """
    environment = {name: value for name, value in os.environ.items() if name in _PLACES or not name.startswith("GIT_")}
    return Git(_program(os.environ.get("PATH", os.defpath)), environment)


def git_of_the_image(workspace: str) -> Git:
    """Return the git of a container image, with nothing from the environment that the container was started with.

    Args:
        workspace: the repository's folder. It belongs to another user, which git is told to accept there alone.
    """
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": os.path.dirname(workspace),
    }
    return Git("/usr/bin/git", environment, ("-c", f"safe.directory={workspace}"))


def _program(search_path: str) -> str:
    """Find git in the absolute folders of a search path: what a relative one finds may come from who is checked."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in search_path.split(os.pathsep):
        program = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise InputError("git is not installed, or not in an absolute folder of the search path")
