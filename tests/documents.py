"""Reading the project's documents: their code blocks, links and headings."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

_FENCE = re.compile(r"^( *)(`{3,})(\S*)$")
_LINK = re.compile(
    r"\]\(([^()\s]+)\)|<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"|^\[[^\]]+\]: (\S+)", re.MULTILINE
)
_HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
_CODE = re.compile(r"`+[^`]*`+")


class Block(NamedTuple):
    """A fenced block of code: its language, the line of its fence and its lines."""

    language: str
    line: int
    lines: list[str]


def documents() -> list[Path]:
    """Return every document of the project."""
    folders = [ROOT / name for name in ("docs", "samples", "benchmarks", ".github") if (ROOT / name).is_dir()]
    return sorted([*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))])


def read(path: Path) -> str:
    """Return the text of a document."""
    return path.read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[Block]:
    """Yield the code blocks of a document, without the indentation of their fence."""
    open_fence, block, indent = "", Block("", 0, []), 0
    for number, line in enumerate(text.split("\n"), 1):
        match = _FENCE.match(line)
        if not open_fence and match:
            indent, open_fence = len(match[1]), match[2]
            block = Block(match[3], number, [])
        elif open_fence and line.strip() == open_fence:
            yield block
            open_fence = ""
        elif open_fence:
            block.lines.append(line[indent:] if not line[:indent].strip() else line)
    if open_fence:
        raise ValueError(f"the block of line {block.line} does not end")


def prose(text: str) -> str:
    """Return a document without its code blocks."""
    kept, fence = [], ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not fence and match:
            fence = match[2]
        elif fence:
            fence = "" if line.strip() == fence else fence
        else:
            kept.append(line)
    return "\n".join(kept)


def links(text: str) -> list[str]:
    """Return the targets of all links and pictures of a document."""
    return [next(filter(None, match.groups())) for match in _LINK.finditer(_CODE.sub("", prose(text)))]


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives a document's headings, and those that stand in it."""
    found: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)">', text))
    for heading in _HEADING.findall(prose(text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = "".join(character for character in plain if character.isalnum() or character in " -_").replace(" ", "-")
        number = 0
        while (slug if not number else f"{slug}-{number}") in found:
            number += 1
        found.add(f"{slug}-{number}" if number else slug)
    return found
