"""What a git repository holds at the paths of possible sealed files: in a commit, in the index, in an object.

The work tree is never read. Names may hold any bytes; those that are no UTF-8 stand as lone surrogates, so that
different names stay different. Objects are asked for by their ids alone, so no name can be taken for anything else.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import NamedTuple

from .engine.quoting import bare, quoted
from .git import Git, GitError, failed, pipe_of
from .lines import watcher
from .names import as_text

SUBMODULE = "160000"
"""The mode of a submodule."""

_SUFFIX = ".jsonl"
_MERGED = "GITHEAD_"
_STREAM = ("-c", "core.bigFileThreshold=1m")  # else git holds an object of up to 512 MB that is in a pack
_READ_AWAY = 2**20
"""Of an object that is no longer wanted, so many bytes are read away; for more, starting git again is faster."""


class Entry(NamedTuple):
    """What stands at a path: its mode in octal digits as git writes it, and the object's id."""

    mode: str
    id: str

    @property
    def is_regular(self) -> bool:
        """Whether it is a regular file, and not a symbolic link or a submodule."""
        return self.mode.startswith("100")


class Repository:
    """The repository that the current folder belongs to.

    Raises:
        GitError: if there is none that has an index.
    """

    def __init__(self, git: Git) -> None:
        self._git = git
        code, printed = git.answer(
            "rev-parse", "--is-bare-repository", "--is-shallow-repository", "--git-path", "MERGE_HEAD"
        )
        if code != 0:
            raise GitError(_why_closed(git))
        is_bare, is_shallow, self._merge_head = printed.split("\n", 2)
        if is_bare != "false":
            raise GitError("a bare repository has no index to compare with a commit")
        self._is_shallow = is_shallow != "false"

    def commit(self, revision: str) -> str:
        """Return the id of the commit that a revision names.

        Raises:
            GitError: if it names none that is here.
        """
        found = self._commit_or_none(revision)
        if found is None:
            advice = "fetch it first"
            if revision and not revision.strip("0"):  # as GitHub names what was before a branch's first push
                advice = "a branch that is new has no commit before it"
            elif self._is_shallow:
                advice = "the clone is shallow: check out with fetch-depth: 0, or run git fetch --unshallow"
            raise GitError(f"no commit {quoted(as_text(revision))} here; {advice}")
        return found

    def _commit_or_none(self, revision: str) -> str | None:
        if revision.startswith("-") or "\0" in revision:  # the first would be an option
            return None
        code, printed = self._git.answer("rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}")
        return printed if code == 0 else None

    def parents(self) -> list[str]:
        """Return the ids of the commits that a commit of the index would follow.

        That is HEAD alone; in a merge, HEAD and what is merged; nothing before a branch's first commit.

        Raises:
            GitError: if one of them is not here.
        """
        head = self._commit_or_none("HEAD")
        if head is None:
            self._must_be_unborn()
            return []
        return list(dict.fromkeys([head, *(self.commit(name) for name in self._merged())]))

    def _must_be_unborn(self) -> None:
        code, branch = self._git.answer("symbolic-ref", "--quiet", "HEAD")
        if code == 0:
            found, _ = self._git.answer("rev-parse", "--quiet", "--verify", branch)
            if found == 1:
                return
        raise GitError("HEAD names no commit that is here; git fsck may tell why")

    def _merged(self) -> list[str]:
        """Name what is merged: a file tells it after a conflict, the environment in git merge's hooks."""
        told = sorted(name.removeprefix(_MERGED) for name in os.environ if name.startswith(_MERGED))
        try:
            with open(self._merge_head, encoding="ascii", errors="replace") as file:
                return [*file.read().split(), *told]
        except FileNotFoundError:
            return told
        except OSError:
            raise GitError("MERGE_HEAD can't be read") from None

    def files_of(self, commit: str) -> dict[str, Entry]:
        """Return what a commit holds at all paths that end in ``.jsonl``.

        Raises:
            GitError: if git can't read it.
        """
        found = {}
        for record in self._git.records("ls-tree", "-r", "-z", "--full-tree", commit):
            head, _, path = record.decode("utf-8", "surrogateescape").partition("\t")
            if path.endswith(_SUFFIX):
                mode, _, name = head.split(" ")
                found[path] = Entry(mode, name)
        return found

    def staged_files(self) -> dict[str, Entry]:
        """Return what the index holds at all paths that end in ``.jsonl``.

        Raises:
            GitError: if git can't read it, or if a merge left something to resolve.
        """
        found = {}
        for record in self._git.records("ls-files", "-s", "-z", "--full-name", "--", ":/"):
            head, _, path = record.decode("utf-8", "surrogateescape").partition("\t")
            mode, name, stage = head.split(" ")
            if stage != "0":
                raise GitError(f"{bare(path)}: is not merged; resolve the conflict first")
            if path.endswith(_SUFFIX):
                found[path] = Entry(mode, name)
        return found

    def objects(self) -> "Objects":
        """Return a reader of objects, to be closed by ``with``."""
        return Objects(self._git)


def _why_closed(git: Git) -> str:
    """Say why git opens no repository here, by what it does when it is told to trust whoever owns one."""
    code, _ = git.answer("-c", "safe.directory=*", "rev-parse", "--git-dir")
    if code == 0:
        return (
            "git does not read this repository, since it belongs to another user; "
            "git config --global --add safe.directory FOLDER allows it"
        )
    return "not in a git repository, or in one that git can't read"


class Objects(ExitStack):
    """Reads objects as lines, one object at a time, and holds no more than a line of it."""

    def __init__(self, git: Git) -> None:
        super().__init__()
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None
        self._left = 0

    def lines(self, name: str) -> Iterator[bytes]:
        r"""Yield the lines of the object of that id, which end at ``\n`` alone.

        Raises:
            GitError: if git can't read it.
        """
        out = pipe_of(self._asked_for(name).stdout)
        watching = watcher.get()
        if watching is not None:
            watching.begin(self._left - 1)
        while self._left > 1:
            line = out.readline(self._left - 1)
            if not line.endswith(b"\n") and len(line) < self._left - 1:  # git ended in the middle of the object
                raise failed("cat-file")
            self._left -= len(line)
            if watching is not None:
                watching.read(len(line))
            yield line
        if watching is not None:
            watching.wipe()

    def _asked_for(self, name: str) -> subprocess.Popen[bytes]:
        process = self._ready()
        request = pipe_of(process.stdin)
        with suppress(OSError):  # a git that has ended gives no answer
            request.write(name.encode() + b"\n")
            request.flush()
        answer = pipe_of(process.stdout).readline().split()
        if not answer:
            raise failed("cat-file")
        if len(answer) != 3 or answer[1] != b"blob":
            raise GitError(f"git can't read the object {name}: the clone is partial or damaged; fetch it first")
        self._left = int(answer[2]) + 1  # a line end follows the object
        return process

    def _ready(self) -> subprocess.Popen[bytes]:
        """Return a process that waits for the next request, whatever is left of the last answer."""
        if self._process is not None and self._left <= _READ_AWAY:
            if len(pipe_of(self._process.stdout).read(self._left)) != self._left:
                raise failed("cat-file")
            self._left = 0
        else:
            self.close()
            self._left = 0
            self._process = self.enter_context(self._git.running(*_STREAM, "cat-file", "--batch"))
        return self._process
