"""``docs/formats.md`` names every format, and for each the very tools that it takes for changing state."""

import re
import unittest

from support import ROOT

from toolreplay.formats.registry import FORMATS, NAMES, format_named

GUIDE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def rows(text: str) -> dict[str, str]:
    """Return the rows of the first table in a text: the code in the first cell, and the second cell."""
    return dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", text, re.MULTILINE))


class Formats(unittest.TestCase):
    def test_every_format_is_listed_and_described(self) -> None:
        self.assertEqual(tuple(rows(GUIDE.split("## What a session becomes")[0])), FORMATS)
        self.assertEqual(tuple(re.findall(r"^### ([a-z-]+)$", GUIDE, re.MULTILINE)), NAMES)

    def test_tools_that_change_state(self) -> None:
        listed = rows(GUIDE.split("## Tools that change state")[1])
        self.assertEqual(tuple(listed), NAMES)
        for name, tools in listed.items():
            shown = (
                "none" if not format_named(name).mutators else f"`{'`, `'.join(sorted(format_named(name).mutators))}`"
            )
            self.assertEqual(tools, shown, name)

    def test_names_of_formats_are_those_of_their_modules(self) -> None:
        for name in NAMES:
            self.assertEqual(format_named(name).name, name)


if __name__ == "__main__":
    unittest.main()
