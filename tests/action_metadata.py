"""Reading `action.yml` without a library for YAML: the part of the language that the file uses."""

import re
from typing import NamedTuple

from support import ROOT


class Entry(NamedTuple):
    """An input or output: its name, its description on one line, its other keys."""

    name: str
    description: str
    keys: dict[str, str]


def section(title: str) -> list[Entry]:
    """Return the entries of a section of `action.yml`, in order."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    body = re.search(rf"^{title}:\n((?:  .*\n|\n)*)", text, re.MULTILINE)
    assert body is not None, title
    found = []
    for name, lines in re.findall(r"^  ([a-z-]+):\n((?:    .*\n)*)", body[1], re.MULTILINE):
        pairs = re.findall(r"^    ([a-z-]+):(?: >-)?((?:\n      .*)+| .*)", lines, re.MULTILINE)
        keys = {key: " ".join(value.split()) for key, value in pairs}
        found.append(Entry(name, keys.pop("description"), keys))
    return found
