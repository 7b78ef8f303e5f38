"""How a name or value that came from the input is shown.

Whatever an attacker puts into a name, the text made here stays on one line, is short, can't forge another line
of a report, turns no text around and means nothing to a terminal or to GitHub's runner:

* ``\\``, ``\'``, newline, carriage return and tab get their short escapes;
* other C0 and C1 controls, U+007F, characters that are invisible or change the direction of text, and surrogates
  are shown as ``\\uXXXX``. ZWNJ and ZWJ stay: Urdu and Persian can't be written without them;
* the ``[`` of ``##[``, which begins a command of GitHub's runner anywhere in a line, is shown as ``\\u005b``;
* of more than 200 characters the first 200 are shown, then ``…`` and how many there are.
"""

import re

LONGEST_SHOWN = 200
"""Characters of a name that are shown; a longer one is cut."""

_SHORT_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HIDDEN = "\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
_UNSAFE = rf"[\\'{_HIDDEN}]|(?<=##)\["
_NEVER_IN_A_LINE = rf"[{_HIDDEN}]|(?<=##)\["


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"


def _is_plain(text: str) -> bool:
    """Tell that a text holds nothing to escape but backslashes and apostrophes; most need no pattern."""
    return text.isascii() and text.isprintable() and "##[" not in text


def _around(text: str, mark: str) -> str:
    shown = text[:LONGEST_SHOWN]
    if not _is_plain(shown) or "\\" in shown or "'" in shown:
        shown = re.sub(_UNSAFE, _escape, shown)
    shown = mark + shown
    if len(text) <= LONGEST_SHOWN:
        return shown + mark
    return f"{shown}…{mark} ({len(text)} characters)"


def bare(text: str) -> str:
    """Show a file's name or a long number, without quotes."""
    return _around(text, "")


def quoted(text: str) -> str:
    """Show a name or value in single quotes."""
    return _around(text, "'")


def key(text: str) -> str:
    """Show the key of a JSON object in double quotes."""
    return _around(text, '"')


def inert(line: str) -> str:
    """Return a finished line with nothing in it that could act on a terminal or a runner.

    A second wall: lines are made of fixed texts and of what the functions above return, so there is nothing left
    to escape. Should a place forget, the line still can't do harm.
    """
    return line if _is_plain(line) else re.sub(_NEVER_IN_A_LINE, _escape, line)
