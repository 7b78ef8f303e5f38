"""Files that are left in the workspace: whose they are, and what a hostile checkout can't do with them."""

import os
import tempfile
import unittest
from pathlib import Path

from toolreplay.artifacts import write_artifact
from toolreplay.engine.errors import InputError
from toolreplay.output import OutputError
from toolreplay.workspace import current_workspace


class Artifacts(unittest.TestCase):
    def setUp(self) -> None:
        self.parent = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        root = self.parent / "work"
        (root / "sub").mkdir(parents=True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(root)
        self.workspace = current_workspace(closed=True)

    def write(self, path: str) -> None:
        write_artifact(self.workspace, path, [b"a", b"b"])

    def refused(self, path: str) -> str:
        with self.assertRaises(InputError) as caught:
            self.write(path)
        return str(caught.exception)

    def test_a_new_file_and_an_old_one(self) -> None:
        for path in ("new", "./sub/new", "sub/../old"):
            for _ in range(2):
                self.write(path)
                self.assertEqual(Path(path).read_bytes(), b"ab")
        self.assertEqual(sorted(os.listdir()), ["new", "old", "sub"])

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "only root can give files away")
    def test_it_belongs_to_the_owner_of_the_workspace(self) -> None:
        os.chown(".", 1001, 127)
        for path in ("new", "sub/new", "new"):
            self.write(path)
            status = os.stat(path)
            self.assertEqual((status.st_uid, status.st_gid), (1001, 127))

    def test_places_outside(self) -> None:
        outside = str(self.parent / "new")
        for path in ("../new", outside):
            self.assertTrue(self.refused(path).endswith("new: leads out of the workspace"))
        self.assertEqual(self.refused(""), "the path is empty")
        self.assertEqual(sorted(os.listdir(self.parent)), ["work"])

    def test_what_can_not_be_written(self) -> None:
        self.assertEqual(self.refused("sub"), "sub: is no regular file")
        self.assertEqual(self.refused("."), ".: is no regular file")
        with self.assertRaises(OutputError):
            self.write("none/new")

    @unittest.skipUnless(os.name == "posix", "needs symbolic links and named pipes")
    def test_links_and_pipes(self) -> None:
        Path("config").write_bytes(b"kept")
        os.symlink("config", "link")
        os.symlink("sub", "folder")
        os.symlink("nowhere", "dangling")
        os.symlink(self.parent, "out")
        os.mkfifo("pipe")
        for path in ("link", "folder/new", "dangling"):
            self.assertEqual(self.refused(path), f"{path}: is a link or lies behind one")
        self.assertEqual(self.refused("out/new"), "out/new: leads out of the workspace")
        self.assertEqual(self.refused("pipe"), "pipe: is no regular file")
        self.assertEqual(Path("config").read_bytes(), b"kept")
        self.assertEqual(os.listdir("sub"), [])


if __name__ == "__main__":
    unittest.main()
