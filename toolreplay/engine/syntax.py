"""Where and why a text is not JSON, and how deep it nests: worked out without recursion and without a parser's words.

The words of Python's own parser change between versions, and interpreters differ in the nesting that they survive.
What is said of a bad line must be the same everywhere.
"""

import re

_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
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


def deeper_than(text: str, levels: int) -> bool:
    """Tell whether arrays and objects nest deeper than `levels`, in text that need not be JSON at all."""
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
                return True
        else:
            depth -= 1
    return False


def fault(text: str) -> tuple[int, str]:
    """Find the first fault of a text that is not JSON.

    Returns its 0-based position and what is wrong there, a fixed text of ours.
    """
    stack: list[str] = []
    state = _VALUE
    position = 0
    while True:
        position = _skip_blank(text, position)
        if state == _AFTER and not stack:
            return position, "more text after the value"
        if position == len(text):
            return len(text.rstrip(" \t\n\r")), "the text ends too early"
        character = text[position]
        step = _structure(stack, state, character)
        if step is not None:
            state = step
            position += 1
            continue
        if state in (_COLON, _AFTER) or (state in (_KEY, _FIRST_KEY) and character != '"'):
            return position, f"expected {_wanted(stack, state)}"
        end, problem = _scalar(text, position)
        if problem:
            return end, problem
        if end == position:
            return position, f"expected {_wanted(stack, state)}"
        position = end
        state = _COLON if state in (_KEY, _FIRST_KEY) else _AFTER


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return position if match is None else match.end()


def _structure(stack: list[str], state: int, character: str) -> int | None:
    """Take one bracket, comma or colon where the state allows it, and return the next state."""
    if state in (_VALUE, _FIRST_VALUE) and character in "[{":
        stack.append(character)
        return _FIRST_VALUE if character == "[" else _FIRST_KEY
    if (state in (_FIRST_VALUE, _FIRST_KEY) or (state == _AFTER and stack)) and character == _closer(stack):
        stack.pop()
        return _AFTER
    if state == _AFTER and character == ",":
        return _VALUE if stack[-1] == "[" else _KEY
    if state == _COLON and character == ":":
        return _VALUE
    return None


def _closer(stack: list[str]) -> str:
    return "]" if stack[-1] == "[" else "}"


def _wanted(stack: list[str], state: int) -> str:
    return f"',' or '{_closer(stack)}'" if state == _AFTER else _WANTED[state]


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
            return match.start(), "a control character inside a string"
        escape = _ESCAPE.match(text, match.start())
        if escape is None:
            return match.start(), "a bad escape inside a string"
        position = escape.end()
