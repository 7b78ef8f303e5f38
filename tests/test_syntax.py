"""Where a text is not JSON, and how deep it nests."""

import unittest

from toolreplay.engine.syntax import deeper_than, fault

# text, 0-based position, what is wrong
FAULTS: list[tuple[str, int, str]] = [
    ("", 0, "the text ends too early"),
    ("  \t\r\n", 0, "the text ends too early"),
    ("{", 1, "the text ends too early"),
    ('{"a"', 4, "the text ends too early"),
    ('{"a":', 5, "the text ends too early"),
    ('{"a":1', 6, "the text ends too early"),
    ('{"a":1,', 7, "the text ends too early"),
    ("[[1]", 4, "the text ends too early"),
    ("[1, \r\n\t", 3, "the text ends too early"),
    ('"a', 2, "the text ends inside a string"),
    ('["', 2, "the text ends inside a string"),
    ('"a\\', 2, "a bad escape inside a string"),
    ('"\\x41"', 1, "a bad escape inside a string"),
    ('"ab\\u12g4"', 3, "a bad escape inside a string"),
    ('"\\u123', 1, "a bad escape inside a string"),
    ('"\\n\\', 3, "a bad escape inside a string"),
    ('"a\nb"', 2, "a control character inside a string"),
    ('"\x1f"', 1, "a control character inside a string"),
    ('{"\x00":1}', 2, "a control character inside a string"),
    ("{} {}", 3, "more text after the value"),
    ("1 ,", 2, "more text after the value"),
    ("]", 0, "expected a value"),
    ("nope", 0, "expected a value"),
    ("-", 0, "expected a value"),
    ("+1", 0, "expected a value"),
    (".5", 0, "expected a value"),
    ("'a'", 0, "expected a value"),
    ("\ufeff{}", 0, "expected a value"),
    ("01", 1, "more text after the value"),
    ("1.", 1, "more text after the value"),
    ("1.e5", 1, "more text after the value"),
    ("1e", 1, "more text after the value"),
    ("1_000", 1, "more text after the value"),
    ("0x10", 1, "more text after the value"),
    ("truex", 4, "more text after the value"),
    ("[,]", 1, "expected a value or ']'"),
    ("[}", 1, "expected a value or ']'"),
    ("[1 2]", 3, "expected ',' or ']'"),
    ("[1}", 2, "expected ',' or ']'"),
    ("[1:2]", 2, "expected ',' or ']'"),
    ("[1,]", 3, "expected a value"),
    ("[1,,2]", 3, "expected a value"),
    ("{,}", 1, "expected a key or '}'"),
    ("{1:2}", 1, "expected a key or '}'"),
    ("{a:2}", 1, "expected a key or '}'"),
    ("{]", 1, "expected a key or '}'"),
    ('{"a" 1}', 5, "expected ':'"),
    ('{"a",1}', 4, "expected ':'"),
    ('{"a"}', 4, "expected ':'"),
    ('{"a"::1}', 5, "expected a value"),
    ('{"a":}', 5, "expected a value"),
    ('{"a":1 "b":2}', 7, "expected ',' or '}'"),
    ('{"a":1]', 6, "expected ',' or '}'"),
    ('{"a":1,}', 7, "expected a key"),
    ('{"a":1,2}', 7, "expected a key"),
    ('{"a":[true,false,null,-1.5e+3,NaN,-Infinity,"\\ud83d"]} x', 55, "more text after the value"),
]

# text, how many levels it has
DEPTHS: list[tuple[str, int]] = [
    ("", 0),
    ("1", 0),
    ("[]", 1),
    ("{}", 1),
    ("[[],[],{}]", 2),
    ('{"a":[{"b":[]}]}', 4),
    ('["[[[["]', 1),
    ('["\\"[[[["]', 1),
    ('["\\\\",[]]', 2),
    ('["\\\\\\"[",[]]', 2),
    ("[[[", 3),
    ('"[[[', 0),
]


class Fault(unittest.TestCase):
    def test_faults(self) -> None:
        for text, position, problem in FAULTS:
            with self.subTest(text):
                self.assertEqual(fault(text), (position, problem))

    def test_a_deep_text_needs_no_recursion(self) -> None:
        self.assertEqual(fault("[" * 100_000), (100_000, "the text ends too early"))


class DeeperThan(unittest.TestCase):
    def test_depths(self) -> None:
        for text, levels in DEPTHS:
            with self.subTest(text):
                self.assertFalse(deeper_than(text, levels))
                if levels:
                    self.assertTrue(deeper_than(text, levels - 1))


if __name__ == "__main__":
    unittest.main()
