"""Output that is held back: small in memory, big in a temporary file."""

import errno
import tempfile
import unittest
from unittest import mock

from toolreplay import spool
from toolreplay.output import OutputError
from toolreplay.spool import Spool, Store


def written(*pieces: bytes) -> tuple[bytes, bool]:
    """Return what comes out, and whether a file was made."""
    with Spool() as held, mock.patch.object(tempfile, "TemporaryFile", wraps=tempfile.TemporaryFile) as made:
        for piece in pieces:
            held.write(piece)
        return b"".join(held.pieces()), made.called


class Bytes(unittest.TestCase):
    def test_small_output_makes_no_file(self) -> None:
        for pieces in ((), (b"",), (b"a", b"", b"bc"), (b"x" * spool.IN_MEMORY,)):
            with self.subTest(len(pieces)):
                self.assertEqual(written(*pieces), (b"".join(pieces), False))

    def test_big_output_makes_one(self) -> None:
        with mock.patch.object(spool, "IN_MEMORY", 10), mock.patch.object(spool, "_PIECE", 7):
            for pieces in ((b"x" * 11,), (b"x" * 10, b"y"), tuple(b"%03d" % n for n in range(100))):
                with self.subTest(len(pieces)):
                    self.assertEqual(written(*pieces), (b"".join(pieces), True))

    def test_many_pieces_are_taken_as_they_come(self) -> None:
        for sizes in ((), (0,), (3, 4), (9, 1, 10, 11, 2), (40, 1, 40), (1,) * 95):
            pieces = [bytes([number]) * size for number, size in enumerate(sizes)]
            with self.subTest(sizes), mock.patch.object(spool, "_AT_ONCE", 10), Spool() as held:
                with mock.patch.object(held, "write", wraps=held.write) as write:
                    held.take(iter(pieces))
                self.assertEqual(b"".join(held.pieces()), b"".join(pieces))
                for call in write.mock_calls:
                    last = pieces[call.args[0][-1]] if call.args[0] else b""
                    self.assertLess(len(call.args[0]) - len(last), 10)

    def test_the_file_goes_away(self) -> None:
        with mock.patch.object(spool, "IN_MEMORY", 10):
            with Spool() as held:
                held.write(b"x" * 11)
                file = held._file
            assert file is not None
            self.assertTrue(file.closed)


class Stored(unittest.TestCase):
    def test_pieces_come_back(self) -> None:
        for limit in (0, 5, 1000):
            with self.subTest(limit=limit), mock.patch.object(spool, "STORED_IN_MEMORY", limit):
                store = Store()
                pieces = [b"%d" % number * number for number in range(20)]
                for number, piece in enumerate(pieces):
                    self.assertEqual(store.append(piece), number)
                    for earlier in (0, number // 2, number):
                        self.assertEqual(store.read(earlier), pieces[earlier])
                self.assertEqual([store.read(number) for number in reversed(range(20))], pieces[::-1])
                self.assertEqual(store._file is None, limit == 1000)
                if store._file is not None:
                    store._file.close()

    def test_at_the_limit_no_file_is_made(self) -> None:
        with mock.patch.object(spool, "STORED_IN_MEMORY", 3):
            store = Store()
            store.append(b"abc")
            self.assertIsNone(store._file)
            self.assertEqual((store.append(b"d"), store.read(0), store.read(1)), (1, b"abc", b"d"))
            assert store._file is not None
            store._file.close()

    def test_failures(self) -> None:
        failing = mock.Mock()
        failing.flush.side_effect = OSError(errno.ENOSPC, "words")
        cause = "^temporary file: no space left on device$"
        with mock.patch.object(spool, "STORED_IN_MEMORY", 1), mock.patch.object(tempfile, "TemporaryFile") as made:
            made.return_value = failing
            store = Store()
            with self.assertRaisesRegex(OutputError, cause):
                store.append(b"xy")
            failing.flush.side_effect = None
            store = Store()
            self.assertEqual(store.append(b"xy"), 0)
            failing.seek.side_effect = OSError(errno.ENOSPC, "words")
            with self.assertRaisesRegex(OutputError, cause):
                store.read(0)


class Failures(unittest.TestCase):
    def test_no_temporary_file(self) -> None:
        full = OSError(errno.ENOSPC, "words")
        with (
            mock.patch.object(tempfile, "TemporaryFile", side_effect=full),
            mock.patch.object(spool, "IN_MEMORY", 1),
            Spool() as held,
            self.assertRaises(OutputError) as caught,
        ):
            held.write(b"xy")
        self.assertEqual(caught.exception.cause, "temporary file: no space left on device")

    def test_unreadable(self) -> None:
        with mock.patch.object(spool, "IN_MEMORY", 1), Spool() as held:
            held.write(b"xy")
            assert held._file is not None
            held._file.close()
            held._file = mock.Mock()
            held._file.seek.side_effect = OSError(errno.EIO, "words")
            with self.assertRaises(OutputError) as caught:
                list(held.pieces())
        self.assertEqual(caught.exception.cause, "temporary file: system error EIO")


if __name__ == "__main__":
    unittest.main()
