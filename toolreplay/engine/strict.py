"""Strict JSON in.

Reading is strict, since an auditor that repairs its input can't be believed. Beyond what JSON itself refuses:

* invalid UTF-8 and a byte order mark;
* a key that occurs twice in an object, at any depth;
* ``NaN`` and ``Infinity``, and a number that overflows to infinity;
* an integer of more than 4,300 digits;
* arrays and objects nested more than 500 levels deep, checked before anything is parsed.

Lone surrogate escapes are accepted: real logs hold strings that were cut in the middle of an emoji.

The fast path hands the text to the C parser of the standard library. Whatever it stumbles over is read again by the
slow path, which alone decides what is wrong, so that an error is the same on every Python.
"""

from collections.abc import Callable, Generator
from json.decoder import JSONDecodeError, JSONDecoder
from math import isinf
from typing import Any, NoReturn

from .errors import JsonError
from .numerals import integer

DEEPEST = 500
"""Levels of arrays and objects that a text may nest, the outermost included."""

LONGEST_INTEGER = 4300
"""Decimal digits that an integer may have, its sign not counted."""

Json = Any
"""What JSON holds: dict, list, str, int, float, bool or None."""

_DIGITS = b"0123456789"
_BLANKS = " \t\r\n"
_HARMLESS = DEEPEST  # bytes: each level takes one, and a text that never closes them nests as deep while it is parsed
_NO_BRACKETS = bytes(set(range(256)) - set(b"{}[]"))


class _Refused(Exception):
    """The text is JSON, but refused; `fault` says why."""


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused
    return found


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise _Refused
    return value


def _no_constant(text: str) -> NoReturn:
    raise _Refused


def _short(text: str) -> int:
    if len(text.lstrip("-")) > LONGEST_INTEGER:
        raise _Refused
    return integer(text)


def _scanner(decoder: JSONDecoder) -> Callable[[str, int], tuple[Json, int]]:
    """Return what a decoder reads a value with, and where that ends: `decode` is the same in more steps."""
    scanner: Callable[[str, int], tuple[Json, int]] = decoder.scan_once  # type: ignore[attr-defined]  # not documented
    return scanner


_unchecked = _scanner(JSONDecoder())
_fast = _scanner(JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant))
_slow = JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_int=_short, parse_constant=_no_constant
).raw_decode


def loads(data: bytes) -> Json:
    """Read one JSON text, strictly.

    Args:
        data: the text in UTF-8; white space around the value is allowed.

    Raises:
        JsonError: for everything that the module's rules refuse.
    """
    if len(data) <= _HARMLESS or not _may_be_extreme(data):
        try:
            text = data.decode()
            value, end = _fast(text, 0)
            rest = text[end:]
            if rest == "\n" or not rest.strip(_BLANKS):
                return value
        except (ValueError, StopIteration, _Refused, RecursionError):
            pass  # the slow path finds out what it was
    return _loads_slowly(data)


def reader() -> Callable[[bytes], Json]:
    """Make a function that reads as `loads` does, in less time; it is for one thread.

    To see a key that occurs twice, `loads` has all members of each object handed over. Here the keys that are left in
    each object are counted. Outside strings a colon stands after each key and nowhere else, so where a text has no
    more colons than keys are left, those that stand in strings not counted, none was lost.
    """
    keys = 0

    def counting() -> Generator[Json, dict[str, Json], None]:  # takes half the time of a function
        nonlocal keys
        found: Json = None
        while True:
            found = yield found
            keys += len(found)

    count = counting()
    next(count)
    scan = _scanner(JSONDecoder(object_hook=count.send, parse_float=_finite, parse_constant=_no_constant))

    def read(data: bytes) -> Json:
        nonlocal keys
        if len(data) <= _HARMLESS or not _may_be_extreme(data):
            keys = 0
            try:
                text = data.decode()
                value, end = scan(text, 0)
                if len(data) - len(data.replace(b":", b"", keys + 1)) <= keys or _lost_none(keys, data, value):
                    rest = text[end:]
                    if rest == "\n" or not rest.strip(_BLANKS):
                        return value
            except (ValueError, StopIteration, _Refused, RecursionError):
                pass  # the slow path finds out what it was
        return loads(data)

    return read


def _lost_none(keys: int, data: bytes, value: Json) -> bool:
    """Tell that all colons of a text that stand after no key of its value stand in strings of it."""
    surplus = data.count(b":") - keys
    if b"\\u003" in data:  # a colon that is escaped is none in the text
        return False
    unseen = [value]
    while unseen and surplus > 0:
        found = unseen.pop()
        kind = type(found)
        if kind is str:
            surplus -= found.count(":")
        elif kind is dict:
            unseen += found.values()
        elif kind is list:
            unseen += found
    return surplus <= 0


def text_and_value(data: bytes) -> tuple[str, Json]:
    """Read one JSON text for a caller who will write the value again and find the same text, or drop both.

    Each byte is taken for one character, which costs much less where text is not ASCII and changes no order. So strings
    of the value say what they mean only where they are ASCII.

    Keys that occur twice and numbers that are none are not noticed here: such a text is not what its value is written
    as. Extreme ones are refused as ever.

    Raises:
        ValueError: if it can't be read so; what is wrong with it is for `loads` to say.
    """
    if len(data) > _HARMLESS and _may_be_extreme(data):
        raise ValueError
    if not data.isascii():
        data.decode()  # refuses what is no UTF-8
    try:
        text = data.decode("latin-1")
        value, end = _unchecked(text, 0)
    except (StopIteration, RecursionError):
        raise ValueError from None
    if text[end:] != "\n" and text[end:].strip(_BLANKS):
        raise ValueError
    return text, value


def _may_be_extreme(data: bytes) -> bool:
    """Tell, cheaply, whether a text could nest too deeply or hold too long an integer.

    Deleting up to 501 brackets finds out whether there are that many, several times faster than counting. A run of
    4,301 digits covers a place whose number is a multiple of 4,301, so looking there is enough.
    """
    size = len(data)
    opening = 2 * size - len(data.replace(b"{", b"", DEEPEST + 1)) - len(data.replace(b"[", b"", DEEPEST + 1))
    if opening > DEEPEST and _brackets_nest_deep(data):
        return True
    if size <= LONGEST_INTEGER:
        return False
    places = range(LONGEST_INTEGER, size, LONGEST_INTEGER + 1)
    return any(data[at] in _DIGITS and _in_long_run(data, at) for at in places)


def _brackets_nest_deep(data: bytes) -> bool:
    """Tell whether the brackets outside strings nest too deeply; too much said where the text is not JSON."""
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    depth = 0
    for bracket in outside.translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"{[" else -1
        if depth > DEEPEST:
            return True
    return False


def _in_long_run(data: bytes, at: int) -> bool:
    before = data[max(0, at - LONGEST_INTEGER) : at]
    after = data[at : at + LONGEST_INTEGER + 1]
    run = len(before) - len(before.rstrip(_DIGITS)) + len(after) - len(after.lstrip(_DIGITS))
    return run > LONGEST_INTEGER


def _loads_slowly(data: bytes) -> Json:
    from .syntax import fault, too_deep_at  # good input has no need of it

    text = decode(data)
    too_deep = too_deep_at(text, DEEPEST)
    if too_deep is not None:
        raise JsonError("nested more than 500 levels deep", text.count("\n", 0, too_deep))
    start = len(text) - len(text.lstrip(" \t\r\n"))
    try:
        value, end = _slow(text, start)
        if not text[end:].strip(" \t\r\n"):
            return value
    except (JSONDecodeError, _Refused):
        pass
    position, cause = fault(text, LONGEST_INTEGER)
    raise JsonError(cause, text.count("\n", 0, position))


def decode(data: bytes) -> str:
    """Decode UTF-8 strictly and refuse a byte order mark.

    Raises:
        JsonError: for either.
    """
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise JsonError("a byte order mark; the file must be plain UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        at = error.start - data.rfind(b"\n", 0, error.start)
        raise JsonError(f"not UTF-8 at byte {at}", data.count(b"\n", 0, error.start)) from None
