"""Where and why a text is refused, and where it nests too deeply: without recursion and without a parser's words.

The words of Python's own parser change between versions, and interpreters differ in the nesting that they survive.
What is said of a bad line must be the same everywhere.
"""

import json
import re
from math import isinf
from typing import NamedTuple

from .quoting import key

_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_BLANKS = " \t\n\r"
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_LINE_ENDS = ("\n", "\r\n")
_STRING_END = re.compile(r'["\\\x00-\x1f]')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')

_VALUE, _FIRST_VALUE, _FIRST_KEY, _KEY, _COLON, _AFTER = range(6)
_WANTED = {
    _VALUE: "a value",
    _FIRST_VALUE: "a value or ']'",
    _FIRST_KEY: "a key or '}'",
    _KEY: "a key",
    _COLON: "':'",
}


class _Open(NamedTuple):
    """An array or object that is not closed yet; for an object the keys that it has so far."""

    closer: str
    keys: set[str]


def too_deep_at(text: str, levels: int) -> int | None:
    """Find where arrays and objects nest deeper than `levels`, in text that need not be JSON at all."""
    depth = 0
    in_string = False
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark == '"':
            in_string = not in_string
        elif in_string or len(mark) > 1:
            continue
        elif mark in "[{":
            depth += 1
            if depth > levels:
                return match.start()
        else:
            depth -= 1
    return None


def fault(text: str, longest_integer: int) -> tuple[int, str]:
    """Find the first fault of a text that is refused.

    Returns its 0-based position and the cause, finished and escaped; that it is not JSON is said with the column.
    """
    stack: list[_Open] = []
    state = _VALUE
    position = 0
    while True:
        position = _skip_blank(text, position)
        if position == len(text):
            assert stack or state != _AFTER, "nothing is wrong with the text"
            return _not_json(text, len(text.rstrip(_BLANKS)), "the text ends too early")
        if state == _AFTER and not stack:
            return _not_json(text, position, "more text after the value")
        character = text[position]
        step = _structure(stack, state, character)
        if step is not None:
            state = step
            position += 1
            continue
        is_key = state in (_KEY, _FIRST_KEY)
        end, problem = (position, "") if state in (_COLON, _AFTER) else _scalar(text, position)
        if end == position or (is_key and character != '"'):
            return _not_json(text, position, f"expected {_wanted(stack, state)}")
        if problem:
            return _not_json(text, end, problem)
        scalar = text[position:end]
        refused = _duplicate(stack[-1], scalar) if is_key else _refused_number(scalar, longest_integer)
        if refused:
            return position, refused
        position = end
        state = _COLON if is_key else _AFTER


def _not_json(text: str, position: int, problem: str) -> tuple[int, str]:
    column = position - text.rfind("\n", 0, position)
    return position, f"not JSON: {problem} at column {column}"


def _duplicate(opened: _Open, spelling: str) -> str:
    name: str = json.loads(spelling)
    if name in opened.keys:
        return f"duplicate key: {key(name)}"
    opened.keys.add(name)
    return ""


def _refused_number(word: str, longest_integer: int) -> str:
    if word in _NO_NUMBERS:
        return f"not JSON: {word} is no JSON number"
    if word[0] not in "-0123456789":
        return ""
    if word.lstrip("-").isdecimal():
        return f"an integer has more than {longest_integer} digits" if len(word.lstrip("-")) > longest_integer else ""
    return "a number overflows to infinity" if isinf(float(word)) else ""


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return position if match is None else match.end()


def _structure(stack: list[_Open], state: int, character: str) -> int | None:
    """Take one bracket, comma or colon where the state allows it, and return the next state."""
    if state in (_VALUE, _FIRST_VALUE) and character in "[{":
        stack.append(_Open("]" if character == "[" else "}", set()))
        return _FIRST_VALUE if character == "[" else _FIRST_KEY
    if (state in (_FIRST_VALUE, _FIRST_KEY) or (state == _AFTER and stack)) and character == stack[-1].closer:
        stack.pop()
        return _AFTER
    if state == _AFTER and character == ",":
        return _VALUE if stack[-1].closer == "]" else _KEY
    if state == _COLON and character == ":":
        return _VALUE
    return None


def _wanted(stack: list[_Open], state: int) -> str:
    return f"',' or '{stack[-1].closer}'" if state == _AFTER else _WANTED[state]


def _scalar(text: str, position: int) -> tuple[int, str]:
    """Pass over a string, number or word: where it ends, and what is wrong with it (or nothing)."""
    if text[position] == '"':
        return _string(text, position + 1)
    match = _WORD.match(text, position) or _NUMBER.match(text, position)
    return (position if match is None else match.end()), ""


def _string(text: str, position: int) -> tuple[int, str]:
    while True:
        match = _STRING_END.search(text, position)
        if match is None:
            return len(text), "the text ends inside a string"
        if match[0] == '"':
            return match.end(), ""
        if match[0] != "\\":
            torn = text[match.start() :] in _LINE_ENDS  # the end of the line is no part of the string
            return match.start(), f"{'the text ends' if torn else 'a control character'} inside a string"
        escape = _ESCAPE.match(text, match.start())
        if escape is None:
            return match.start(), "a bad escape inside a string"
        position = escape.end()
