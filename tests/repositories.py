"""Git repositories made on the spot, whose index is filled directly: no file of a work tree has a part in it."""

import os
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from contextlib import chdir
from pathlib import Path

from support import Outcome, run

from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import Record

GIT = shutil.which("git")
NO_GIT = "git is not installed"

QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def sealed(*tools: str) -> list[bytes]:
    """Return the lines of a sealed file that has one call of each tool."""
    return [link.line for link in seal(Record(index, tool, {}, {}, index + 1) for index, tool in enumerate(tools))]


Files = dict[bytes, bytes | None]
"""Contents by path; `None` for a path that is taken away."""


class Scratch:
    """A repository in a temporary folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.git("init", "--quiet", "--template=", "--initial-branch=main", *options)

    def git(self, *words: str | bytes, stdin: bytes = b"", **environment: str) -> str:
        """Run git in the repository; it must succeed."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        finished = subprocess.run(
            [GIT or "git", *words],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            env={**clean, **QUIET, **environment},
            check=False,
        )
        if finished.returncode:
            raise AssertionError((words, finished.stderr))
        return finished.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def stage(self, files: Files, mode: str = "100644") -> None:
        """Put files into the index, or take out those that are `None`."""
        lines = []
        for path, content in files.items():
            if content is None:
                lines.append(b"0 %s\t%s\0" % (b"0" * 40, path))
            else:
                name = self.git("hash-object", "-w", "--stdin", stdin=content)
                lines.append(b"%s %s\t%s\0" % (mode.encode(), name.encode(), path))
        self.git("update-index", "-z", "--index-info", stdin=b"".join(lines))

    def commit(self, files: Files | None = None) -> str:
        """Commit the index, with files staged before; return the commit's id."""
        self.stage(files or {})
        self.git("commit", "--quiet", "--allow-empty", "--message=x")
        return self.git("rev-parse", "HEAD")

    def imported(self, states: list[Files]) -> list[str]:
        """Make a commit without parents of each state, all at once; return their ids."""
        lines = []
        for number, files in enumerate(states, 1):
            lines.append(
                b"commit refs/made/%d\nmark :%d\ncommitter A <a@example.org> 0 +0000\ndata 0\n" % (number, number)
            )
            for path, content in files.items():
                if content is not None:
                    lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(content), content))
        self.git("fast-import", "--quiet", "--export-marks=marks", stdin=b"".join(lines))
        marks = (line.split() for line in (self.folder / "marks").read_text().splitlines())
        return [name for _, name in sorted((int(mark[1:]), name) for mark, name in marks)]

    def at(self, commit: str, staged: str) -> None:
        """Let HEAD be one commit and the index be what another holds."""
        (self.folder / ".git" / "HEAD").write_text(f"{commit}\n")
        self.git("read-tree", staged)

    def guard(self, *words: str) -> Outcome:
        """Run the guard in the repository."""
        with chdir(self.folder):
            return run("guard", *words)


@unittest.skipIf(GIT is None, NO_GIT)
class RepositoryTest(unittest.TestCase):
    """A test with a temporary folder, for repositories, and without git's variables and configuration."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT")}
        self.enterContext(unittest.mock.patch.dict(os.environ, {**clean, **QUIET}, clear=True))
