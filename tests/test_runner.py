"""The model of GitHub's runner reads what the runner reads, on examples worked out from its sources."""

import unittest

from hostile import ACTING, OTHER
from runner import Command, command_in, commands_in, lines_of, outputs_in, summary_shown


class Lines(unittest.TestCase):
    def test_what_ends_a_line(self) -> None:
        self.assertEqual(lines_of(b"a\nb\rc\r\nd"), ["a", "b", "c", "d"])
        self.assertEqual(lines_of(b""), [])
        self.assertEqual(lines_of(b"\n\n"), ["", ""])

    def test_what_does_not(self) -> None:
        text = "a\vb\fc\x85d\u2028e\u2029f"
        self.assertEqual(lines_of(text.encode()), [text])


class Commands(unittest.TestCase):
    def test_what_is_none(self) -> None:
        for line in (
            "",
            "error",
            ":error::x",
            "::error",
            "::error:x",
            "a ::error::x",
            "::unknown::x",
            ":: error::x",
            "::error%3A%3Ax",
            "#[error]x",
            "##[error x",
            "##[unknown]x",
            "## [error]x",
            "\x1f::error::x",
            "\u200b::error::x",
        ):
            with self.subTest(line):
                self.assertIsNone(command_in(line))

    def test_what_is_one(self) -> None:
        cases = {
            "::error::": Command("error", {}, ""),
            "::ERROR::x": Command("error", {}, "x"),
            "\u2003::error::x": Command("error", {}, "x"),
            "::error ::x": Command("error", {}, "x"),
            "::error file=a,line=1::x": Command("error", {"file": "a", "line": "1"}, "x"),
            "::error  file=a ::x": Command("error", {"file": "a"}, "x"),
            "::error file=a::b::x": Command("error", {"file": "a"}, "b::x"),
            "::error file==a::x": Command("error", {"file": "a"}, "x"),
            "::error file=a=b::x": Command("error", {"file": "a=b"}, "x"),
            "::error file=,line=::x": Command("error", {}, "x"),
            "::error file=a%3Ab%2Cc%0Ad%25::x%0Ay%0Dz%25": Command("error", {"file": "a:b,c\nd%"}, "x\ny\rz%"),
            "::error::%0a%2C%3A": Command("error", {}, "%0a%2C%3A"),
            "::error::%250A": Command("error", {}, "%0A"),
            "text ##[error]x": Command("error", {}, "x"),
            "##[error file=a;line=1]x%3B%5D": Command("error", {"file": "a", "line": "1"}, "x;]"),
            "::unknown::##[error]x": Command("error", {}, "x"),
            "::warning::##[error]x": Command("warning", {}, "##[error]x"),
        }
        for line, command in cases.items():
            with self.subTest(line):
                self.assertEqual(command_in(line), command)

    def test_hostile_text_acts_when_it_is_printed_raw(self) -> None:
        for name, text in ACTING.items():
            with self.subTest(name):
                self.assertNotEqual(commands_in(text.encode()), [])

    def test_other_hostile_text_does_not(self) -> None:
        for name, text in OTHER.items():
            with self.subTest(name):
                self.assertEqual(commands_in(text.encode("utf-8", "replace")), [])


class Files(unittest.TestCase):
    def test_outputs(self) -> None:
        self.assertEqual(outputs_in(""), {})
        written = "a=1\n\nb<<END\n2\n\n3\nEND\nc<<X\nX\nd=e=f\n"
        self.assertEqual(outputs_in(written), {"a": "1", "b": "2\n\n3", "c": "", "d": "e=f"})

    def test_the_last_of_a_name_counts(self) -> None:
        self.assertEqual(outputs_in("a<<END\nEND\na=2\nEND2=x"), {"a": "2", "END2": "x"})

    def test_malformed_outputs(self) -> None:
        for written in ("a", "=1", "<<END\nEND", "a<<", "a<<END\nx", "a<<END\n END\n"):
            with self.subTest(written), self.assertRaises(ValueError):
                outputs_in(written)

    def test_summaries(self) -> None:
        self.assertIsNone(summary_shown(b""))
        self.assertEqual(summary_shown(b"x" * 1_048_576), b"x" * 1_048_576)
        self.assertIsNone(summary_shown(b"x" * 1_048_577))


if __name__ == "__main__":
    unittest.main()
