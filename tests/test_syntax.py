"""Where a text is not JSON, and how deep it nests."""

import unittest

from toolreplay.engine.syntax import fault, too_deep_at

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
    ('"a\n', 2, "the text ends inside a string"),
    ('"a\r\n', 2, "the text ends inside a string"),
    ('"a\n\n', 2, "a control character inside a string"),
    ('"a\r', 2, "a control character inside a string"),
    ('"a\\\n', 2, "a bad escape inside a string"),
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
    ('{"a":[true,false,null,-1.5e+3,"\\ud83d"]} x', 41, "more text after the value"),
    ("[-NaN]", 1, "expected a value or ']'"),
    ("[1,+Infinity]", 3, "expected a value"),
    ("[1,Infinit]", 3, "expected a value"),
]

LONG, INFINITE = "an integer has more than 30 digits", "a number overflows to infinity"

# text that is refused although it is JSON, or nearly; position, cause
REFUSED: list[tuple[str, int, str]] = [
    ("NaN", 0, "not JSON: NaN is no JSON number"),
    ("[1,Infinity", 3, "not JSON: Infinity is no JSON number"),
    ('{"a":-Infinity}', 5, "not JSON: -Infinity is no JSON number"),
    ('{"a":1,"b":{"a":2},"a":3}', 19, 'duplicate key: "a"'),
    ('{"a":1,"\\u0061":', 7, 'duplicate key: "a"'),
    ('[{"\\ud83d\\ude00":1,"😀":2}]', 19, 'duplicate key: "😀"'),
    ('{"\\n\\ud83d":1,"\\n\\ud83d":2}', 14, 'duplicate key: "\\n\\ud83d"'),
    ("[" + "1" * 31 + "]", 1, LONG),
    ("[" + "1" * 30 + ",-" + "1" * 31 + "]", 32, LONG),
    ("[1e999]", 1, INFINITE),
    ("[1,-1.8e308,", 3, INFINITE),
    ("1" * 400 + ".5", 0, INFINITE),
    ('{"a":1,"a":1e999,', 7, 'duplicate key: "a"'),
    ('{"a":1e999,"a":1,', 5, INFINITE),
    ('{"a":[}', 6, "not JSON: expected a value or ']' at column 7"),
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
                self.assertEqual(fault(text, 30)[0], position)
                if "\n" not in text:
                    self.assertEqual(fault(text, 30)[1], f"not JSON: {problem} at column {position + 1}")

    def test_refused(self) -> None:
        for text, position, cause in REFUSED:
            with self.subTest(text):
                self.assertEqual(fault(text, 30), (position, cause))

    def test_the_column_is_that_of_the_line(self) -> None:
        self.assertEqual(fault("\n}", 30), (1, "not JSON: expected a value at column 1"))
        self.assertEqual(fault('{\n"a":\n  1]', 30), (10, "not JSON: expected ',' or '}' at column 4"))

    def test_a_deep_text_needs_no_recursion(self) -> None:
        self.assertEqual(fault("[" * 100_000, 30), (100_000, "not JSON: the text ends too early at column 100001"))

    def test_nothing_wrong_is_a_mistake_of_the_caller(self) -> None:
        for text in ("{}", ' [1, {"a": ["b", null, -0.5e3]}]\n', '"NaN"', "1" * 30):
            with self.subTest(text), self.assertRaises(AssertionError):
                fault(text, 30)


class TooDeep(unittest.TestCase):
    def test_depths(self) -> None:
        for text, levels in DEPTHS:
            with self.subTest(text):
                self.assertIsNone(too_deep_at(text, levels))
                if levels:
                    self.assertIsNotNone(too_deep_at(text, levels - 1))

    def test_where(self) -> None:
        self.assertEqual(too_deep_at('[[],"[[",{"a":[', 2), 14)


if __name__ == "__main__":
    unittest.main()
