"""Names from the input are shown on one line, with nothing in them that could act."""

import unittest

from toolreplay.engine.quoting import bare, inert, key, quoted

# text, how it is shown between its quotes
SHOWN: list[tuple[str, str]] = [
    ("", ""),
    ("read_file", "read_file"),
    ("o'zbek tili, ўзбек тили", "o\\'zbek tili, ўзбек тили"),
    ("می\u200cروم اردو", "می\u200cروم اردو"),
    ("👩\u200d👩\u200d👧 é", "👩\u200d👩\u200d👧 é"),
    ('say "x"', 'say "x"'),
    ("\\", "\\\\"),
    ("\\n", "\\\\n"),
    ("a\nb\rc\td", "a\\nb\\rc\\td"),
    ("\x00\x07\x08\x0b\x0c\x1b[2J\x1f", "\\u0000\\u0007\\u0008\\u000b\\u000c\\u001b[2J\\u001f"),
    ("\x7f\x80\x85\x9b\x9f\xa0", "\\u007f\\u0080\\u0085\\u009b\\u009f\xa0"),
    ("\u061c\u200b\u200e\u200f", "\\u061c\\u200b\\u200e\\u200f"),
    (
        "\u2027\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f",
        "\u2027\\u2028\\u2029\\u202a\\u202b\\u202c\\u202d\\u202e\u202f",
    ),
    ("\u205f\u2060\u2064\u2066\u2069\u206a", "\u205f\\u2060\\u2064\\u2066\\u2069\u206a"),
    ("\ufeff\ufefe\uff00", "\\ufeff\ufefe\uff00"),
    ("\ud83d", "\\ud83d"),
    ("\ude00\ud83d", "\\ude00\\ud83d"),
    ("\udcff", "\\udcff"),
    ("##[error]x", "##\\u005berror]x"),
    ("###[error]x", "###\\u005berror]x"),
    ("##[[", "##\\u005b["),
    ("#[error] [x] ##", "#[error] [x] ##"),
    ("##\n[", "##\\n["),
    ("::error::x", "::error::x"),
    ("\n::error::x", "\\n::error::x"),
    ("%0A::error::x", "%0A::error::x"),
    ("a" * 200, "a" * 200),
    ("\n" * 200, "\\n" * 200),
]

# text, how it is cut
CUT: list[tuple[str, str, str]] = [
    ("a" * 201, "a" * 200 + "…", " (201 characters)"),
    ("😀" * 201, "😀" * 200 + "…", " (201 characters)"),
    ("\n" * 300, "\\n" * 200 + "…", " (300 characters)"),
    ("a" * 199 + "\\" * 10, "a" * 199 + "\\\\…", " (209 characters)"),
    ("a" * 198 + "##[error]", "a" * 198 + "##…", " (207 characters)"),
    ("a" * 1_000_000, "a" * 200 + "…", " (1000000 characters)"),
]

# a line as a careless place might make it, what reaches the stream
LINES: list[tuple[str, str]] = [
    ("calls: 6", "calls: 6"),
    ("tool 'it\\'s \\\\ \\u001b' é 😀 \u200c", "tool 'it\\'s \\\\ \\u001b' é 😀 \u200c"),
    ("a\nb\r\tc", "a\\nb\\r\\tc"),
    ("a\x1b[2J\u2028\u202e\ufeff\ud83d\x85", "a\\u001b[2J\\u2028\\u202e\\ufeff\\ud83d\\u0085"),
    ("x ##[error]y", "x ##\\u005berror]y"),
]


class Shown(unittest.TestCase):
    def test_table(self) -> None:
        for text, shown in SHOWN:
            with self.subTest(text):
                self.assertEqual(bare(text), shown)
                self.assertEqual(quoted(text), f"'{shown}'")
                self.assertEqual(key(text), f'"{shown}"')

    def test_cut(self) -> None:
        for text, shown, length in CUT:
            with self.subTest(length):
                self.assertEqual(bare(text), shown + length)
                self.assertEqual(quoted(text), f"'{shown}'{length}")
                self.assertEqual(key(text), f'"{shown}"{length}')

    def test_what_is_shown_is_inert(self) -> None:
        for text, *_ in [*SHOWN, *CUT]:
            with self.subTest(text[:20]):
                self.assertEqual(inert(quoted(text)), quoted(text))

    def test_every_character_is_shown_as_the_table_says(self) -> None:
        hidden = {*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF}
        hidden |= {*range(0x2028, 0x202F), *range(0x2060, 0x206A), *range(0xD800, 0xE000)}
        short = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
        for point in range(0x11000):
            character = chr(point)
            expected = short.get(character, f"\\u{point:04x}" if point in hidden else character)
            self.assertEqual(bare(character), expected)


class Inert(unittest.TestCase):
    def test_lines(self) -> None:
        for line, expected in LINES:
            with self.subTest(line):
                self.assertEqual(inert(line), expected)


if __name__ == "__main__":
    unittest.main()
