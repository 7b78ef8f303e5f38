"""Standard input is read to its end, blocking or not."""

import io
import os
import sys
import threading
import time
import unittest
from unittest import mock

from toolreplay.standard_input import standard_input


class StandardInput(unittest.TestCase):
    def given(self, stream: object) -> None:
        patch = mock.patch.object(sys, "stdin", stream)
        patch.start()
        self.addCleanup(patch.stop)

    def test_closed(self) -> None:
        self.given(None)
        self.assertIsNone(standard_input())

    def test_a_stream_in_memory(self) -> None:
        buffer = io.BytesIO(b"x")
        stream = io.TextIOWrapper(buffer)
        self.given(stream)
        self.assertIs(standard_input(), buffer)

    @unittest.skipUnless(os.name == "posix", "pipes that don't block are POSIX's")
    def test_pipes(self) -> None:
        for blocking in (True, False):
            with self.subTest(blocking=blocking):
                reading, writing = os.pipe()
                os.set_blocking(reading, blocking)

                def write(pipe: int = writing) -> None:
                    for piece in (b"one\ntw", b"o\n" + b"x" * 200_000, b"\nthree"):
                        time.sleep(0.01)
                        os.write(pipe, piece)
                    os.close(pipe)

                writer = threading.Thread(target=write)
                with open(reading, encoding="ascii") as stream:
                    self.given(stream)
                    writer.start()
                    standard = standard_input()
                    assert standard is not None
                    lines = list(standard)
                    writer.join()
                    self.assertEqual([len(line) for line in lines], [4, 4, 200_001, 5])
                    del standard
                    self.assertFalse(stream.closed)
                    self.assertEqual(stream.read(), "")


if __name__ == "__main__":
    unittest.main()
