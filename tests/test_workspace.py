"""Only regular files are read, and nothing that leads out of the workspace."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from toolreplay.engine.errors import InputError
from toolreplay.workspace import Workspace, current_workspace

CAN_LINK = os.name == "posix"


class InAWorkspace(unittest.TestCase):
    def setUp(self) -> None:
        parent = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.outside = parent / "outside"
        self.outside.mkdir()
        (self.outside / "secret.txt").write_bytes(b"secret")
        self.root = parent / "work"
        (self.root / "sub").mkdir(parents=True)
        (self.root / "file.txt").write_bytes(b"inside")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.root)

    def read(self, path: str, *, closed: bool = False) -> bytes:
        with current_workspace(closed=closed).opened(path) as stream:
            return stream.read()

    def refused(self, path: str, *, closed: bool = False) -> str:
        with self.assertRaises(InputError) as caught:
            self.read(path, closed=closed)
        self.assertIsNone(caught.exception.line)
        return str(caught.exception)

    def test_what_is_read(self) -> None:
        for path in ("file.txt", "./file.txt", "sub/../file.txt", str(self.root / "file.txt")):
            with self.subTest(path):
                self.assertEqual(self.read(path), b"inside")
                self.assertEqual(self.read(path, closed=True), b"inside")

    def test_a_path_spelled_to_lie_outside_is_the_users_choice(self) -> None:
        for path in ("../outside/secret.txt", str(self.outside / "secret.txt")):
            with self.subTest(path):
                self.assertEqual(self.read(path), b"secret")
                self.assertEqual(self.refused(path, closed=True).split(": ")[-1], "leads out of the workspace")

    def test_a_folder_beside_it_of_nearly_the_same_name_is_outside(self) -> None:
        beside = Path(f"{self.root}-2")
        beside.mkdir()
        (beside / "x").write_bytes(b"")
        self.assertIn("leads out", self.refused(str(beside / "x"), closed=True))

    def test_the_root_of_the_file_system_holds_everything(self) -> None:
        self.assertTrue(Workspace(os.path.abspath(os.sep)).holds(str(self.root)))

    def test_what_is_not_there(self) -> None:
        self.assertEqual(self.refused("none.txt"), "none.txt: no such file or directory")
        self.assertEqual(self.refused(""), "the path is empty")
        self.assertEqual(self.refused("a\0b"), "a\\u0000b: is no valid path")

    def test_a_folder(self) -> None:
        self.assertEqual(self.refused("sub"), "sub: is a directory")

    @unittest.skipUnless(CAN_LINK, "needs symbolic links")
    def test_links(self) -> None:
        os.symlink("file.txt", "in")
        os.symlink(self.outside / "secret.txt", "out")
        os.symlink(self.outside, "folder")
        os.symlink("out", "twice")
        os.symlink("/dev/zero", "zero")
        os.symlink("/proc/self/environ", "environ")
        os.symlink("loop", "loop")
        os.symlink("nowhere", "dangling")
        self.assertEqual(self.read("in"), b"inside")
        for path in ("out", "twice", "folder/secret.txt", "zero", "environ", "./out", "sub/../out"):
            with self.subTest(path):
                self.assertEqual(self.refused(path), f"{path}: leads out of the workspace")
        self.assertEqual(self.refused(f"{self.root}/out"), f"{self.root}/out: leads out of the workspace")
        self.assertEqual(self.refused("loop"), "loop: too many symbolic links")
        self.assertEqual(self.refused("dangling"), "dangling: no such file or directory")

    @unittest.skipUnless(CAN_LINK, "needs symbolic links")
    def test_a_workspace_that_is_reached_by_a_link_is_the_same(self) -> None:
        os.symlink(self.root, self.outside / "door")
        os.symlink(self.outside / "secret.txt", "out")
        self.assertIn("leads out", self.refused(str(self.outside / "door" / "out")))
        os.chdir(self.outside / "door")
        self.assertEqual(self.read("file.txt", closed=True), b"inside")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_a_pipe_does_not_hang(self) -> None:
        os.mkfifo("pipe")
        self.assertEqual(self.refused("pipe"), "pipe: is no regular file")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_what_became_a_pipe_after_it_was_looked_at(self) -> None:
        os.mkfifo("pipe")
        seen = os.stat("file.txt")
        with mock.patch("os.stat", return_value=seen):
            self.assertEqual(self.refused("pipe"), "pipe: is no regular file")

    @unittest.skipUnless(CAN_LINK, "needs symbolic links")
    def test_what_became_a_link_after_it_was_looked_at(self) -> None:
        os.symlink(self.outside / "secret.txt", "out")
        with mock.patch("os.path.realpath", os.path.abspath):
            self.assertEqual(self.refused("out"), "out: too many symbolic links")

    @unittest.skipUnless(os.path.exists("/dev/zero"), "needs devices")
    def test_a_device(self) -> None:
        self.assertEqual(self.refused("/dev/zero"), "/dev/zero: is no regular file")

    @unittest.skipUnless(os.name == "posix", "an open folder can't be removed elsewhere")
    def test_a_workspace_that_is_gone(self) -> None:
        gone = self.root / "gone"
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()
        with self.assertRaises(InputError) as caught:
            current_workspace()
        self.assertEqual(str(caught.exception), ".: no such file or directory")


if __name__ == "__main__":
    unittest.main()
