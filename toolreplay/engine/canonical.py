"""Strict JSON in, canonical JSON out.

Reading is strict, since an auditor that repairs its input can't be believed. Beyond what JSON itself refuses:

* invalid UTF-8 and a byte order mark;
* a key that occurs twice in an object, at any depth;
* ``NaN`` and ``Infinity``, and a number that overflows to infinity;
* an integer of more than 4,300 digits;
* arrays and objects nested more than 500 levels deep, checked before anything is parsed.

Lone surrogate escapes are accepted: real logs hold strings that were cut in the middle of an emoji.

Writing gives one text for each value: keys sorted by code point, no white space, characters as themselves in UTF-8,
a lone surrogate as its lower-case ``\\udXXX`` escape, the short escapes where JSON has them and lower-case
``\\u00xx`` for other C0 controls, integers in full, floats in Python's shortest form that reads back as the same
double.

The fast path hands the text to the C parser of the standard library. Whatever it stumbles over is read again by the
slow path, which alone decides what is wrong, so that an error is the same on every Python.
"""

import re
from json.decoder import JSONDecodeError, JSONDecoder
from json.encoder import JSONEncoder, encode_basestring
from math import isinf
from typing import Any, NoReturn

from .errors import JsonError
from .numerals import digits, integer
from .syntax import fault, too_deep_at

DEEPEST = 500
"""Levels of arrays and objects that a text may nest, the outermost included."""

LONGEST_INTEGER = 4300
"""Decimal digits that an integer may have, its sign not counted."""

Json = Any
"""What JSON holds: dict, list, str, int, float, bool or None."""

_DIGITS = b"0123456789"
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


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


_fast = JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant).raw_decode
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
    if not _may_be_extreme(data):
        try:
            text = data.decode()
            value, end = _fast(text)
            if end == len(text) or not text[end:].strip(" \t\r\n"):
                return value
        except (ValueError, _Refused, RecursionError):
            pass  # the slow path finds out what it was
    return _loads_slowly(data)


def _may_be_extreme(data: bytes) -> bool:
    """Tell, cheaply, whether a text could nest too deeply or hold too long an integer.

    Deleting up to 501 brackets finds out whether there are that many, several times faster than counting. A run of
    4,301 digits covers a place whose number is a multiple of 4,301, so looking there is enough.
    """
    size = len(data)
    if size <= DEEPEST:
        return False
    opening = 2 * size - len(data.replace(b"{", b"", DEEPEST + 1)) - len(data.replace(b"[", b"", DEEPEST + 1))
    if opening > DEEPEST:
        return True
    stride = LONGEST_INTEGER + 1
    return any(data[at] in _DIGITS and _in_long_run(data, at) for at in range(LONGEST_INTEGER, size, stride))


def _in_long_run(data: bytes, at: int) -> bool:
    before = data[max(0, at - LONGEST_INTEGER) : at]
    after = data[at : at + LONGEST_INTEGER + 1]
    run = len(before) - len(before.rstrip(_DIGITS)) + len(after) - len(after.lstrip(_DIGITS))
    return run > LONGEST_INTEGER


def _loads_slowly(data: bytes) -> Json:
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


def _not_json(value: object) -> NoReturn:
    raise TypeError(f"not a JSON value: {type(value).__name__}")


_encoder = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_not_json)
_encode = _encoder.encode


def dumps(value: Json) -> bytes:
    """Write the canonical JSON of a value.

    Raises:
        ValueError: for NaN or an infinity, which JSON has no spelling for.
        TypeError: for a value that is no JSON value.
    """
    try:
        text = _encode(value)
    except ValueError:
        text = _encode_big(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    if _SURROGATE_PAIR.search(text):
        # Only a string made in Python can hold one; a reader of JSON has already put the pair together.
        return dumps(_with_pairs_combined(value))
    return text.encode("utf-8", "backslashreplace")


def _encode_big(value: Json) -> str:
    """Encode in plain Python, for integers of more digits than the environment lets Python write."""
    if isinstance(value, dict):
        members = []
        for name in sorted(value):
            members.append(f"{encode_basestring(name)}:{_encode_big(value[name])}")
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        items = []
        for item in value:
            items.append(_encode_big(item))
        return "[" + ",".join(items) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return digits(value)
    return _encode(value)


def _with_pairs_combined(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if isinstance(value, dict):
        combined: dict[str, Json] = {}
        for name, member in value.items():
            combined[_with_pairs_combined(name)] = _with_pairs_combined(member)
        if len(combined) != len(value):
            raise ValueError("two keys are equal once their surrogate pairs are combined")
        return combined
    if isinstance(value, list | tuple):
        items = []
        for item in value:
            items.append(_with_pairs_combined(item))
        return items
    return value
