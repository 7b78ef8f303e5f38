"""The one writer: whole lines, inert, and a clear end when the stream fails."""

import errno
import io
import os
import sys
import threading
import unittest
from unittest import mock

from toolreplay.output import Output, OutputError, ReaderGone, stdout


class Slow(io.RawIOBase):
    """Takes three bytes at a time."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)[:3]  # type: ignore[call-overload]
        self.taken += piece
        return len(piece)


class Failing(io.RawIOBase):
    def __init__(self, number: int) -> None:
        self.number = number

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(self.number, "the system's own words")


def text_stream(raw: io.RawIOBase) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="ascii")


class Writing(unittest.TestCase):
    def test_lines(self) -> None:
        for name, lines, expected in (
            ("none", [], b""),
            ("UTF-8 whatever the stream says", ["ўзбек 😀", "b"], "ўзбек 😀\nb\n".encode()),
            ("inert", ["a\nb\r##[error]\ud83d\x1b"], b"a\\nb\\r##\\u005berror]\\ud83d\\u001b\n"),
        ):
            with self.subTest(name):
                target = io.BytesIO()
                stream = io.TextIOWrapper(target, encoding="ascii", newline="\r\n")
                Output(stream, "<stdout>").lines(lines)
                self.assertEqual(target.getvalue(), expected)

    def test_data_is_left_as_it_is(self) -> None:
        target = io.BytesIO()
        stream = io.TextIOWrapper(target)
        Output(stream, "<stdout>").data(b"a\r\n\xff")
        self.assertEqual(target.getvalue(), b"a\r\n\xff")

    def test_a_stream_that_takes_little_at_a_time(self) -> None:
        raw = Slow()
        Output(text_stream(raw), "<stdout>").lines(["calls: 6", "findings: 0"])
        self.assertEqual(raw.taken, b"calls: 6\nfindings: 0\n")

    def test_nothing_is_left_in_a_buffer(self) -> None:
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        with open(writing, "w") as stream:
            Output(stream, "<stdout>").lines(["x"])
            self.assertEqual(os.read(reading, 10), b"x\n")

    @unittest.skipUnless(hasattr(os, "set_blocking") and os.name == "posix", "pipes that don't block are POSIX's")
    def test_a_pipe_that_does_not_block(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        data = os.urandom(300_000)
        taken = bytearray()

        def read() -> None:
            while piece := os.read(reading, 65536):
                taken.extend(piece)

        reader = threading.Thread(target=read)
        with open(writing, "w") as stream:
            reader.start()
            Output(stream, "<stdout>").data(data)
        reader.join()
        os.close(reading)
        self.assertTrue(bytes(taken) == data)


class Failures(unittest.TestCase):
    def test_closed(self) -> None:
        with self.assertRaises(OutputError) as caught:
            Output(None, "<stdout>").lines(["x"])
        self.assertEqual(str(caught.exception), "<stdout>: is closed")
        with mock.patch.object(sys, "stdout", None), self.assertRaises(OutputError):
            stdout().data(b"")

    def test_causes(self) -> None:
        for number, cause in (
            (errno.ENOSPC, "no space left on device"),
            (errno.EBADF, "is closed"),
            (errno.EFBIG, "the file is too big"),
            (errno.EIO, "system error EIO"),
            (99999, "system error 99999"),
        ):
            with self.subTest(cause), self.assertRaises(OutputError) as caught:
                Output(text_stream(Failing(number)), "<stdout>").lines(["x"])
            self.assertEqual(caught.exception.cause, f"<stdout>: {cause}")

    def test_a_reader_that_goes_away(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "w") as stream, self.assertRaises(ReaderGone):
            Output(stream, "<stdout>").lines(["x"])


if __name__ == "__main__":
    unittest.main()
