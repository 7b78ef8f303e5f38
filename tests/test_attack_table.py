"""The table of attacks in the documentation is what the program says, and it says what must be said."""

import unittest

from attack_table import CHANGES, DOCUMENT, END, FORM, GROWTH, LINKS, RESEALED, SPELLING, VALUE, document, guards, rows
from repositories import GIT, NO_GIT

# What each column must say of each kind of change; "told" is anything but intact.
MUST = {
    VALUE: ("broken", "broken", "broken", "told"),
    SPELLING: ("intact", "broken", "intact", "passes"),
    LINKS: ("broken", "broken", "broken", "told"),
    END: ("intact", "intact", "broken", "told"),
    RESEALED: ("intact", "intact", "broken", "told"),
    FORM: ("error", "error", "error", "told"),
}


class Table(unittest.TestCase):
    maxDiff = None

    def test_what_verify_says_is_what_is_written(self) -> None:
        written = [
            line[2:-2].split(" | ") for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line[:1] == "|"
        ]
        made = rows(lambda: iter([row[4] for row in written[2:]]))
        self.assertEqual([tuple(row) for row in written[2:]], made)

    @unittest.skipIf(GIT is None, NO_GIT)
    def test_the_whole_document(self) -> None:
        self.assertEqual(DOCUMENT.read_text(encoding="utf-8"), document(rows(guards)))

    def test_what_must_be_said(self) -> None:
        table = [line[2:-2].split(" | ") for line in DOCUMENT.read_text(encoding="utf-8").splitlines()][-len(CHANGES) :]
        for change, (text, *said) in zip(CHANGES, table, strict=True):
            with self.subTest(text):
                self.assertEqual(text, change.text)
                if change.kind == GROWTH:
                    self.assertEqual((said[0], said[1], said[3]), ("intact", "intact", "passes"))
                    self.assertEqual(said[2] != "intact", "grown" in text)
                    continue
                for cell, must in zip(said, MUST[change.kind], strict=True):
                    self.assertTrue(cell not in ("intact", "passes") if must == "told" else must in cell, (cell, must))

    def test_no_two_changes_are_the_same(self) -> None:
        self.assertEqual(len({change.made for change in CHANGES}), len(CHANGES))
        self.assertEqual({change.kind for change in CHANGES}, {*MUST, GROWTH})


if __name__ == "__main__":
    unittest.main()
