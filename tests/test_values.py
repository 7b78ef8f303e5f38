"""JSON values as readable lines."""

import json
import unittest

from toolreplay.reports.values import line_markup, markup_length, shown

LIMIT = 10_000

FULL = [
    ({}, ["{}"]),
    ([], ["[]"]),
    ("", ['""']),
    (None, ["null"]),
    (True, ["true"]),
    (False, ["false"]),
    (1, ["1"]),
    (1.0, ["1.0"]),
    ({"b": 1, "a": [1, {}]}, ["{", ' "a": [', "  1,", "  {}", " ],", ' "b": 1', "}"]),
    ('"\\\t', ['"\\"\\\\\\t"']),
    ("one\ntwo\n", ['"one\\n', "│two\\n", '│"']),
    ({"a": "x\ny"}, ["{", ' "a": "x\\n', ' │y"', "}"]),
    ("\u202e\x1b\x7f\ud800##[x", ['"\\u202e\\u001b\\u007f\\ud800##\\u005bx"']),
    ("متن", ['"\x02متن\x03"']),
    ({"متن": "a\nمتن"}, ["{", ' "\x02متن\x03": "a\\n', ' │\x02متن\x03"', "}"]),
    ("\x02x\x03", ['"\\u0002x\\u0003"']),
]


class Shown(unittest.TestCase):
    def test_in_full(self) -> None:
        for value, lines in FULL:
            with self.subTest(value):
                self.assertEqual(shown(value, LIMIT), (lines, False))

    def test_without_line_breaks_it_is_json(self) -> None:
        for value, _ in FULL:
            text = "".join(shown(value, LIMIT).lines).replace("\x02", "").replace("\x03", "")
            if "\n" not in json.dumps(value) and "\\n" not in json.dumps(value):
                self.assertEqual(json.loads(text), value)

    def test_big_integers(self) -> None:
        self.assertEqual(shown(10**4299, LIMIT).lines, ["1" + "0" * 4299])
        self.assertTrue(shown(10**4299, 10).cut)

    def test_cut(self) -> None:
        for value in ("x" * 1000, ["x"] * 1000, {str(at): at for at in range(1000)}, [[[["x" * 500] * 10]]]):
            made = shown(value, 100)
            self.assertTrue(made.cut)
            self.assertLess(sum(map(len, made.lines)), 320)

    def test_cut_inside_lines(self) -> None:
        self.assertEqual(shown("one\ntwo\nthree", 9), (['"one\\n', "│two\\n", "│th"], True))

    def test_deep(self) -> None:
        value: object = []
        for _ in range(499):
            value = [value]
        made = shown(value, 10**6)
        self.assertFalse(made.cut)
        self.assertEqual(len(made.lines), 999)
        self.assertTrue(shown(value, 1000).cut)


class Markup(unittest.TestCase):
    def test_lines(self) -> None:
        self.assertEqual(line_markup("<b>&\"'\x02x\x03"), "&lt;b&gt;&amp;\"'<bdi>x</bdi>")

    def test_length(self) -> None:
        for line in ("", "abc", "<&>", "<b>&amp;"):
            self.assertEqual(markup_length(line), len(line_markup(line)))


if __name__ == "__main__":
    unittest.main()
