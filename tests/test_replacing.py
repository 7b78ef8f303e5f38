"""Writing a file whole or not at all."""

import errno
import os
import stat
import tempfile
import threading
import unittest
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from support import ROOT_USER, without_rights

from toolreplay.engine.errors import InputError
from toolreplay.output import OutputError, ReaderGone
from toolreplay.replacing import write_file

PIECES = [b"one\n", b"two\n"]


def failing(error: BaseException) -> Iterator[bytes]:
    yield b"half"
    raise error


class Replacing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)
        self.old = self.folder / "old"
        self.old.write_bytes(b"old\n")

    def content(self) -> dict[str, bytes]:
        """Return every file in the folder: a temporary one would be among them."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def refused(self, path: str, cause: str) -> None:
        with self.assertRaises(OutputError) as caught:
            write_file(path, PIECES)
        self.assertEqual(caught.exception.cause, cause)

    def test_a_new_file(self) -> None:
        write_file(str(self.folder / "new"), PIECES)
        self.assertEqual(self.content(), {"old": b"old\n", "new": b"one\ntwo\n"})

    @unittest.skipIf(os.name == "nt", "the current folder can't be removed there")
    def test_the_current_folder_is_gone(self) -> None:
        gone = self.folder / "gone"
        gone.mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(gone)
        gone.rmdir()
        self.refused("new", "new: no such file or directory")

    def test_a_new_empty_file(self) -> None:
        write_file(str(self.folder / "new"), [])
        self.assertEqual(self.content()["new"], b"")

    def test_a_new_file_has_the_usual_mode(self) -> None:
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        write_file(str(self.folder / "new"), PIECES)
        self.assertEqual(stat.S_IMODE((self.folder / "new").stat().st_mode), 0o640)

    def test_an_old_file_keeps_its_mode(self) -> None:
        for mode in (0o600, 0o644, 0o755, 0o666):
            self.old.chmod(mode)
            write_file(str(self.old), PIECES)
            self.assertEqual(stat.S_IMODE(self.old.stat().st_mode), mode)
            self.assertEqual(self.content(), {"old": b"one\ntwo\n"})

    def test_what_is_private_is_so_from_the_beginning(self) -> None:
        self.old.chmod(0o600)
        modes: list[int] = []

        def pieces() -> Iterator[bytes]:
            yield b"secret"
            modes.extend(stat.S_IMODE(path.stat().st_mode) for path in self.folder.iterdir() if path != self.old)

        before = os.umask(0)
        self.addCleanup(os.umask, before)
        write_file(str(self.old), pieces())
        self.assertEqual(modes, [0o600])

    @unittest.skipUnless(ROOT_USER, "only root can give files away")
    def test_an_old_file_keeps_its_owner(self) -> None:
        os.chown(self.old, 1234, 5678)
        write_file(str(self.old), PIECES)
        status = self.old.stat()
        self.assertEqual((status.st_uid, status.st_gid), (1234, 5678))
        with mock.patch.object(os, "chown", side_effect=PermissionError(errno.EPERM, "words")):
            write_file(str(self.old), [b"three\n"])
        self.assertEqual(self.content(), {"old": b"three\n"})

    def test_a_file_that_may_not_be_written(self) -> None:
        self.folder.chmod(0o777)
        self.old.chmod(0o444)
        with without_rights():
            self.refused(str(self.old), f"{self.old}: permission denied")
        self.assertEqual(self.content(), {"old": b"old\n"})

    def test_a_temporary_file_that_is_gone(self) -> None:
        def pieces() -> Iterator[bytes]:
            yield b"half"
            for path in self.folder.iterdir():
                path.unlink()
            raise InputError("bad")

        with self.assertRaises(InputError):
            write_file(str(self.folder / "new"), pieces())
        self.assertEqual(self.content(), {})

    def test_a_relative_path(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        write_file("new", PIECES)
        self.assertEqual(self.content()["new"], b"one\ntwo\n")

    def test_a_symbolic_link_is_followed(self) -> None:
        (self.folder / "elsewhere").mkdir()
        target = self.folder / "elsewhere" / "target"
        target.write_bytes(b"old\n")
        (self.folder / "link").symlink_to("elsewhere/target")
        write_file(str(self.folder / "link"), PIECES)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(target.read_bytes(), b"one\ntwo\n")
        self.assertEqual(os.listdir(self.folder / "elsewhere"), ["target"])

    def test_a_symbolic_link_to_nothing_yet(self) -> None:
        (self.folder / "link").symlink_to("target")
        write_file(str(self.folder / "link"), PIECES)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.content()["target"], b"one\ntwo\n")

    def test_what_the_pieces_raise_leaves_everything_as_it_was(self) -> None:
        for error in (InputError("bad"), KeyboardInterrupt(), MemoryError()):
            for path in ("old", "new"):
                with self.subTest(error=error, path=path), self.assertRaises(type(error)):
                    write_file(str(self.folder / path), failing(error))
                self.assertEqual(self.content(), {"old": b"old\n"})

    def test_a_failure_of_the_system_leaves_everything_as_it_was(self) -> None:
        full = OSError(errno.ENOSPC, "words")
        for function in ("fsync", "replace", "chmod"):
            with self.subTest(function), mock.patch.object(os, function, side_effect=full):
                self.refused(str(self.old), f"{self.old}: no space left on device")
            self.assertEqual(self.content(), {"old": b"old\n"})

    def test_a_file_that_grows_too_big(self) -> None:
        resource = _resource(self)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)  # type: ignore[attr-defined]
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # type: ignore[attr-defined]
        try:
            with self.assertRaises(OutputError) as caught:
                write_file(str(self.old), [b"x" * 10_000] * 100)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)  # type: ignore[attr-defined]
        self.assertEqual(caught.exception.cause, f"{self.old}: the file is too big")
        self.assertEqual(self.content(), {"old": b"old\n"})

    def test_no_path(self) -> None:
        self.refused("", "the path to write is empty")
        self.refused("a\0b", "a\\u0000b: is no valid path")

    def test_no_folder(self) -> None:
        path = f"{self.folder}/none/new"
        self.refused(path, f"{path}: no such file or directory")

    def test_a_folder(self) -> None:
        self.refused(str(self.folder), f"{self.folder}: is a directory")
        self.refused(f"{self.folder}/new/", f"{self.folder}/new/: is a directory")

    def test_below_a_file(self) -> None:
        self.refused(f"{self.old}/new", f"{self.old}/new: a part of the path is not a directory")

    def test_a_loop(self) -> None:
        (self.folder / "loop").symlink_to("loop")
        self.refused(f"{self.folder}/loop", f"{self.folder}/loop: too many symbolic links")

    def test_a_folder_that_may_not_be_written(self) -> None:
        self.folder.chmod(0o555)
        self.old.chmod(0o666)
        with without_rights():
            self.refused(f"{self.folder}/new", f"{self.folder}/new: permission denied")
            self.refused(str(self.old), f"{self.old}: permission denied")
        self.assertEqual(self.content(), {"old": b"old\n"})

    def test_a_name_that_attacks(self) -> None:
        self.refused("no/\n##[error]\udcff", "no/\\n##\\u005berror]\\udcff: no such file or directory")


class Through(unittest.TestCase):
    def test_null(self) -> None:
        write_file(os.devnull, PIECES)

    @unittest.skipUnless(os.path.exists("/dev/full"), "/dev/full is Linux's")
    def test_full(self) -> None:
        with self.assertRaises(OutputError) as caught:
            write_file("/dev/full", PIECES)
        self.assertEqual(caught.exception.cause, "/dev/full: no space left on device")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "named pipes are POSIX's")
    def test_a_pipe(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)
            taken = []
            reader = threading.Thread(target=lambda: taken.append(Path(path).read_bytes()))
            reader.start()
            write_file(path, PIECES)
            reader.join()
            self.assertEqual(taken, [b"one\ntwo\n"])
            self.assertEqual(os.listdir(folder), ["pipe"])

    @unittest.skipUnless(hasattr(os, "mkfifo"), "named pipes are POSIX's")
    def test_a_pipe_whose_reader_goes_away(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)
            reader = threading.Thread(target=lambda: os.close(os.open(path, os.O_RDONLY)))
            reader.start()
            with self.assertRaises(ReaderGone):
                write_file(path, [b"x" * 1_000_000])
            reader.join()

    @unittest.skipUnless(hasattr(os, "mkfifo"), "named pipes are POSIX's")
    def test_nothing_is_written_unless_all_is_there(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(InputError):
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)  # opening it would wait for a reader that never comes
            write_file(path, failing(InputError("bad")))


def _resource(test: unittest.TestCase) -> object:
    try:
        import resource
    except ImportError:
        test.skipTest("limits are POSIX's")
    return resource


if __name__ == "__main__":
    unittest.main()
