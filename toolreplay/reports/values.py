"""A JSON value as readable text in lines, cut at a limit, and such lines as markup.

Keys are sorted, so that two values that are equal read the same. A line break in a string is shown as its escape and
then breaks the line. Nothing in the lines is a control character but the two marks around text that is written from
right to left, which becomes an element of its own: else it would turn around the signs next to it.
"""

import re
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from toolreplay.engine.numerals import digits
from toolreplay.engine.quoting import inert

from .escape import markup

_ISOLATE, _POP = "\x02", "\x03"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
_RUN_RIGHT_TO_LEFT = re.compile(f"{_RIGHT_TO_LEFT.pattern}(?:[^A-Za-z]*{_RIGHT_TO_LEFT.pattern})?")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", _ISOLATE: "<bdi>", _POP: "</bdi>"})
_INDENT = " "
_CONTINUED = "│"
"""Stands before the next line of a string: what a line begins with is never the input's choice."""


class Shown(NamedTuple):
    """A value in lines; `cut` says that they are not all of it."""

    lines: list[str]
    cut: bool


def shown(value: Any, limit: int) -> Shown:
    """Return a value in lines of about `limit` characters in all."""
    writer = _Writer(limit)
    writer.write(value)
    return Shown(writer.lines, writer.left < 0)


def line_markup(line: str) -> str:
    """Return one of the lines of `shown` as HTML."""
    return line.translate(_MARKUP)


def isolated(text: str) -> str:
    """Return a finished text as HTML, with what it quotes from right to left in elements of its own.

    Else a name of a file in Arabic script would turn around the number of the line that follows it.
    """
    # No such text begins or ends inside a reference like ``&quot;``, so none of them is torn.
    return _RUN_RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", markup(text))


def markup_length(line: str) -> int:
    """Return about how long a line is as HTML."""
    return len(line) + 4 * line.count("&") + 3 * (line.count("<") + line.count(">"))


class _Writer:
    """Writes a value without recursion, which 500 levels of nesting would not allow everywhere."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.lines = [""]

    def write(self, value: Any) -> None:
        # What is still to be written, last first: a text, or a value at a depth.
        todo: list[tuple[int, str | None, Any]] = [(0, None, value)]
        while todo and self.left >= 0:
            depth, text, value = todo.pop()
            if text is not None:
                self._text(text, depth if text == "" else -1)
            elif isinstance(value, dict | list) and value:
                self._open(todo, depth, value)
            else:
                self._scalar(value, depth)

    def _open(self, todo: list[tuple[int, str | None, Any]], depth: int, value: dict[str, Any] | list[Any]) -> None:
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        self._text(opening)
        todo += [(depth, closing, None), (depth, "", None)]
        # A member takes three characters or more. Those that come after the cut need not wait here.
        members = self._members(value, self.left // 3 + 1)
        for position, (name, member) in reversed(list(enumerate(members))):
            if position < len(value) - 1:
                todo.append((depth, ",", None))
            todo.append((depth + 1, None, member))
            if name is not None:
                todo += [(depth + 1, ": ", None), (depth + 1, None, name)]
            todo.append((depth + 1, "", None))

    def _members(self, value: dict[str, Any] | list[Any], most: int) -> list[tuple[str | None, Any]]:
        if isinstance(value, dict):
            return [(name, value[name]) for name in sorted(value)[:most]]
        return [(None, member) for member in value[:most]]

    def _text(self, text: str, depth: int = -1) -> None:
        if depth >= 0:
            self.lines.append(_INDENT * depth)
            self.left -= depth + 1
        self.lines[-1] += text
        self.left -= len(text)

    def _scalar(self, value: Any, depth: int) -> None:
        if isinstance(value, str):
            self._string(value, depth)
        elif isinstance(value, bool) or value is None:
            self._text({True: "true", False: "false", None: "null"}[value])
        elif isinstance(value, int):
            text = digits(value)
            self._text(text[: self.left + 1])
        elif isinstance(value, float):
            self._text(repr(value))
        else:
            self._text("{}" if isinstance(value, dict) else "[]")

    def _string(self, text: str, depth: int) -> None:
        whole = len(text) <= self.left
        parts = text[: self.left + 1].split("\n")
        self._text('"')
        for position, part in enumerate(parts):
            if position:
                self._text("\\n")
                self.lines.append(_INDENT * depth + _CONTINUED)
                self.left -= depth + 2
            escaped = inert(encode_basestring(part)[1:-1])
            if _RIGHT_TO_LEFT.search(escaped):
                escaped = f"{_ISOLATE}{escaped}{_POP}"
            self._text(escaped)
        if whole:
            self._text('"')
