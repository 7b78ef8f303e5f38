"""Opening paths and standard input."""

import errno
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import SAMPLES, call, without_rights

import toolreplay
from toolreplay.engine.errors import InputError
from toolreplay.source import lines_of, opened, read_scope, read_transcript, shown_name, verify_file, whole


class Failing(io.RawIOBase):
    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise OSError(errno.EIO, "the system's own words")


class Paths(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)

    def refused(self, path: str, text: str) -> None:
        for name, read in (
            ("transcript", lambda: list(read_transcript(path))),
            ("scope", lambda: read_scope(path)),
            ("sealed", lambda: verify_file(path)),
        ):
            with self.subTest(name):
                with self.assertRaises(InputError) as caught:
                    read()
                self.assertEqual(str(caught.exception), text)

    def test_missing(self) -> None:
        path = str(self.folder / "nowhere.jsonl")
        self.refused(path, f"{path}: no such file or directory")

    def test_empty(self) -> None:
        self.refused("", "the path is empty")

    @unittest.skipIf(os.name == "nt", "Windows says permission denied")
    def test_directory(self) -> None:
        self.refused(str(self.folder), f"{self.folder}: is a directory")

    def test_below_a_file(self) -> None:
        (self.folder / "file").touch()
        self.refused(str(self.folder / "file" / "x"), f"{self.folder}/file/x: a part of the path is not a directory")

    def test_not_permitted(self) -> None:
        path = self.folder / "secret.jsonl"
        path.write_bytes(call(0))
        path.chmod(0)
        with without_rights():
            self.refused(str(path), f"{path}: permission denied")

    def test_too_long(self) -> None:
        self.refused("x" * 300, "x" * 200 + "… (300 characters): the name is too long")

    def test_a_loop(self) -> None:
        (self.folder / "loop").symlink_to("loop")
        self.refused(str(self.folder / "loop"), f"{self.folder}/loop: too many symbolic links")

    def test_no_path_at_all(self) -> None:
        self.refused("a\0b", "a\\u0000b: is no valid path")

    def test_names_that_attack(self) -> None:
        self.refused(
            "a\n::error::x\x1b[2J##[error]\u202e\udcff",
            "a\\n::error::x\\u001b[2J##\\u005berror]\\u202e\\udcff: no such file or directory",
        )

    def test_names_that_are_no_utf_8(self) -> None:
        path = os.fsencode(self.folder) + b"/\xff.jsonl"
        try:
            with open(path, "wb") as file:
                file.write(call(0) + b"[]\n")
        except OSError:
            self.skipTest("this file system takes only UTF-8")
        with self.assertRaises(InputError) as caught:
            list(read_transcript(os.fsdecode(path)))
        self.assertEqual(str(caught.exception), f"{self.folder}/\\udcff.jsonl:2: not an object but an array")

    def test_pathlib(self) -> None:
        self.assertEqual(len(list(read_transcript(SAMPLES / "session-clean.jsonl"))), 4)
        self.assertEqual(read_scope(SAMPLES / "scope.json").agent, "docs-reader")

    def test_a_line_that_is_wrong(self) -> None:
        path = self.folder / "s.jsonl"
        path.write_bytes(call(0) + b"\n{}\n")
        with self.assertRaises(InputError) as caught:
            list(read_transcript(path))
        self.assertEqual(str(caught.exception), f'{path}:3: missing field: "index"')

    def test_the_file_is_closed(self) -> None:
        path = self.folder / "s.jsonl"
        path.write_bytes(call(0) + call(1))
        streams: list[io.BufferedReader] = []

        def opening(name: str, mode: str) -> io.BufferedReader:
            streams.append(io.BufferedReader(io.FileIO(name, mode)))
            return streams[-1]

        with mock.patch("builtins.open", opening):
            list(read_transcript(path))
            records = read_transcript(path)
            next(records)
            records.close()  # type: ignore[attr-defined]
            with self.assertRaises(InputError):
                verify_file(path)
        self.assertEqual([stream.closed for stream in streams], [True, True, True])


class StandardInput(unittest.TestCase):
    def given(self, stream: object) -> None:
        patch = mock.patch.object(sys, "stdin", stream)
        patch.start()
        self.addCleanup(patch.stop)

    def test_name(self) -> None:
        self.assertEqual((shown_name("-"), shown_name("./-"), shown_name("x")), ("<stdin>", "./-", "x"))

    def test_transcript(self) -> None:
        self.given(io.TextIOWrapper(io.BytesIO(call(0) + b"[]\n")))
        records = read_transcript("-")
        self.assertEqual(next(records).index, 0)
        with self.assertRaises(InputError) as caught:
            next(records)
        self.assertEqual(str(caught.exception), "<stdin>:2: not an object but an array")

    def test_scope(self) -> None:
        self.given(io.TextIOWrapper(io.BytesIO(b"\n{}")))
        with self.assertRaises(InputError) as caught:
            read_scope("-")
        self.assertEqual(str(caught.exception), '<stdin>:2: missing field: "agent"')

    def test_sealed(self) -> None:
        link = next(toolreplay.seal(read_transcript(SAMPLES / "session-clean.jsonl")))
        self.given(io.TextIOWrapper(io.BytesIO(link.line)))
        self.assertEqual(verify_file("-"), (1, link.digest, None))

    def test_it_stays_open(self) -> None:
        stream = io.TextIOWrapper(io.BytesIO(b"x"))
        self.given(stream)
        with opened("-"):
            pass
        self.assertFalse(stream.closed)

    def test_closed(self) -> None:
        self.given(None)
        for read in (lambda: list(read_transcript("-")), lambda: read_scope("-"), lambda: verify_file("-")):
            with self.assertRaises(InputError) as caught:
                read()
            self.assertEqual(str(caught.exception), "<stdin>: is closed")


class Reading(unittest.TestCase):
    def test_a_failure_while_reading(self) -> None:
        with self.assertRaises(InputError) as caught:
            list(lines_of(io.BufferedReader(Failing()), "s.jsonl"))
        self.assertEqual(str(caught.exception), "s.jsonl: system error EIO")
        with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Failing()))):
            with self.assertRaises(InputError) as caught:
                whole("-")
            self.assertEqual(str(caught.exception), "<stdin>: system error EIO")
            sys.stdin = None

    def test_lines_end_at_newlines_alone(self) -> None:
        data = "a\r\nb\rc\x0c\u2028\x85\n\nd".encode()
        self.assertEqual(
            list(lines_of(io.BytesIO(data), "x")), [b"a\r\n", "b\rc\x0c\u2028\x85\n".encode(), b"\n", b"d"]
        )


if __name__ == "__main__":
    unittest.main()
