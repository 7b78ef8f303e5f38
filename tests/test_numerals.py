"""Integers and their digits, whatever the environment sets."""

import sys
import unittest

from toolreplay.engine.numerals import digits, integer

# text, value worked out without any conversion of digits
VALUES: list[tuple[str, int]] = [
    ("0", 0),
    ("-1", -1),
    ("1" + "0" * 598, 10**598),
    ("1" + "0" * 599, 10**599),
    ("1" + "0" * 600, 10**600),
    ("-1" + "0" * 600, -(10**600)),
    ("9" * 600, 10**600 - 1),
    ("-" + "9" * 1200, 1 - 10**1200),
    ("1" + "0" * 1199 + "7", 10**1200 + 7),
    ("5" + "0" * 1800 + "3", 5 * 10**1801 + 3),
    ("9" * 4300, 10**4300 - 1),
    ("-" + "9" * 4300, 1 - 10**4300),
]


class Numerals(unittest.TestCase):
    def test_both_ways_under_every_limit(self) -> None:
        before = sys.get_int_max_str_digits()
        self.addCleanup(sys.set_int_max_str_digits, before)
        for limit in (0, 640, 4300):
            sys.set_int_max_str_digits(limit)
            for text, value in VALUES:
                with self.subTest(limit=limit, text=text[:5], length=len(text)):
                    self.assertTrue(integer(text) == value)
                    self.assertEqual(digits(value), text)

    def test_minus_zero_is_zero(self) -> None:
        self.assertEqual(integer("-0"), 0)
        self.assertEqual(digits(0), "0")


if __name__ == "__main__":
    unittest.main()
