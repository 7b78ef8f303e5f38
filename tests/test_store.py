"""The store gives every piece back, from memory and from its file."""

import unittest
from unittest import mock

from toolreplay import spool
from toolreplay.output import OutputError


class Store(unittest.TestCase):
    def test_pieces_come_back_whatever_the_order(self) -> None:
        for limit in (0, 10, 100, 10**6):
            with self.subTest(limit), mock.patch.object(spool, "STORED_IN_MEMORY", limit):
                store = spool.Store()
                pieces = [b"x" * (number % 7) + str(number).encode() for number in range(100)] + [b""]
                numbers = []
                for count, piece in enumerate(pieces):
                    numbers.append(store.append(piece))
                    self.assertEqual(store.read(numbers[count // 2]), pieces[count // 2])
                for number, piece in reversed(list(zip(numbers, pieces, strict=True))):
                    self.assertEqual(store.read(number), piece)

    def test_a_disk_that_is_full(self) -> None:
        with (
            mock.patch.object(spool, "STORED_IN_MEMORY", 3),
            mock.patch("tempfile.TemporaryFile", side_effect=OSError(28, "x")),
            self.assertRaises(OutputError) as caught,
        ):
            spool.Store().append(b"long")
        self.assertEqual(str(caught.exception), "temporary file: no space left on device")


if __name__ == "__main__":
    unittest.main()
