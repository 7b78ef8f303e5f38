"""Differences between two texts."""

import difflib
import random
import unittest

from toolreplay.reports.differences import differences

MANY = 10_000

# The first text, the second, and both with what differs in brackets.
CASES = [
    ("", "", "", ""),
    ("a b", "a b", "a b", "a b"),
    ("a b c", "a x c", "a [b] c", "a [x] c"),
    ("a c", "a b c", "a c", "a [b] c"),
    ("a b c", "a c", "a [b] c", "a c"),
    ("", "a", "", "[a]"),
    ("n:12,", "n:13,", "n:[12],", "n:[13],"),
    ("three", "three+more", "three", "three[+more]"),
    ("a b c d", "x b c y", "[a] b c [d]", "[x] b c [y]"),
    ("a a a", "a a", "a a [a]", "a a"),
    ("k:1 b", "b k:1", "[k:1] b", "b [k:1]"),
]


def bracketed(lines: list[tuple[str, int, int]]) -> str:
    return " ".join(
        f"{line[:start]}[{line[start:end]}]{line[end:]}" if start < end else line for line, start, end in lines
    )


class Differences(unittest.TestCase):
    def test_cases(self) -> None:
        for first, second, marked_first, marked_second in CASES:
            with self.subTest(first, second=second):
                found = differences(first.split(), second.split(), MANY)
                self.assertEqual((bracketed(found.first), bracketed(found.second)), (marked_first, marked_second))

    def test_over_the_budget_the_middle_is_one_difference(self) -> None:
        found = differences(["a", "b", "c", "d", "e"], ["a", "x", "c", "e"], 3)
        self.assertEqual((bracketed(found.first), bracketed(found.second)), ("a [b] [c] [d] e", "a [x] [c] e"))
        self.assertEqual(found.steps, 0)

    def test_no_mark_begins_inside_an_element(self) -> None:
        found = differences(["\x02ab\x03"], ["\x02ac\x03"], MANY)
        self.assertEqual((bracketed(found.first), bracketed(found.second)), ("[\x02ab\x03]", "[\x02ac\x03]"))

    def test_no_text_is_lost_and_as_much_is_shared_as_can_be(self) -> None:
        choose = random.Random(6)
        for _ in range(300):
            first = choose.choices("abcd", k=choose.randrange(12))
            second = choose.choices("abcd", k=choose.randrange(12))
            found = differences(first, second, MANY)
            self.assertEqual([line for line, *_ in found.first], first)
            self.assertEqual([line for line, *_ in found.second], second)
            shared = [line for line, start, end in found.first if start == end]
            self.assertEqual(shared, [line for line, start, end in found.second if start == end])
            other = difflib.SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
            self.assertGreaterEqual(len(shared), sum(block.size for block in other))


if __name__ == "__main__":
    unittest.main()
