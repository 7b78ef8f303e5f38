"""Canonical JSON out: one text for each value.

Keys sorted by code point, no white space, characters as themselves in UTF-8, a lone surrogate as its lower-case
``\\udXXX`` escape, the short escapes where JSON has them and lower-case ``\\u00xx`` for other C0 controls, integers in
full, floats in Python's shortest form that reads back as the same double.
"""

import json.encoder
import re
from collections.abc import Callable, Iterable
from json.encoder import JSONEncoder, encode_basestring
from typing import NoReturn

from .numerals import digits
from .strict import DEEPEST, LONGEST_INTEGER, Json, decode, loads

__all__ = [
    "DEEPEST",
    "LONGEST_INTEGER",
    "Json",
    "decode",
    "dumps",
    "dumps_text",
    "encoded",
    "encoded_to_compare",
    "loads",
]

LONG = 500
"""Characters from which on a string is quoted in a way that suits long ones."""

LONG_RECORD = 4 * LONG
"""Bytes from which on it pays to look for such a string in a record."""

_FEW = 8
_MARK = "\0"  # which JSON text can't hold
_CONTROLS = bytes(range(0x20))
c_make_encoder = getattr(json.encoder, "c_make_encoder", None)  # not documented
_SURROGATE_PAIR = "[\ud800-\udbff][\udc00-\udfff]"


def _not_json(value: object) -> NoReturn:
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _escaped(text: str) -> bytes | None:
    """Quote a string by replacing what is to be escaped, or give `None` if it holds something rare.

    The encoder's own way looks at each character twice, this one almost only at those to be escaped.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return None
    data = _with_common_escapes(data)
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    return b'"%b"' % data


def _with_common_escapes(data: bytes) -> bytes:
    data = data.replace(b"\\", rb"\\").replace(b'"', rb"\"")
    return data.replace(b"\n", rb"\n").replace(b"\t", rb"\t").replace(b"\r", rb"\r")


def _quoted_long_to_compare(text: str) -> str:
    if len(text) < LONG:
        return encode_basestring(text)
    return f'"{_with_common_escapes(text.encode("latin-1")).decode("latin-1")}"'


def dumps_text(text: str) -> bytes:
    """Write the canonical JSON of a string, as `dumps` does and faster where it is long."""
    escaped = _escaped(text)
    return dumps(text) if escaped is None else escaped


def _chunk_encoder(quote: Callable[[str], str]) -> Callable[[Json, int], Iterable[str]]:
    """Make one encoder for every value: `JSONEncoder.encode` makes a new one each time."""
    try:
        made: Callable[[Json, int], Iterable[str]] = c_make_encoder(  # type: ignore[misc]  # `None` fails as well
            *(None, _not_json, quote, None, ":", ","), *(True, False, False)
        )
    except TypeError:  # an interpreter without it, or one where it takes something else
        encoder = JSONEncoder(
            ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_not_json
        )
        return lambda value, level: encoder.iterencode(value)
    return made


_chunks = _chunk_encoder(encode_basestring)
_chunks_to_compare = _chunk_encoder(_quoted_long_to_compare)


def encoded(value: Json) -> str:
    """Write the canonical JSON of a value as text, in which lone surrogates stand as they are.

    Raises:
        ValueError: for NaN, an infinity, and an integer of more digits than the environment lets Python write.
        TypeError: for a value that is no JSON value.
    """
    return "".join(_chunks(value, 0))


def encoded_to_compare(value: Json, size: int) -> str:
    """Write what equals a JSON text only if that is the canonical JSON of the value, as text.

    Characters stand for bytes, as `text_and_value` reads them. What is written is the canonical JSON, unless a long
    string holds a character that is rarely escaped: that one is left as it is, which no JSON text has inside a string.
    To look for such characters takes as long as all the rest.

    Raises:
        ValueError: as `encoded` does, and for a character in a long string that can't be a byte.
        TypeError: for a value that is no JSON value.
    """
    if size > LONG_RECORD and _holds_long_text(value):
        return "".join(_chunks_to_compare(value, 0))
    return "".join(_chunks(value, 0))


def _holds_long_text(value: Json, levels: int = 4) -> bool:
    """Tell whether a long string stands where most do: in an object, or deeper where there are few to look at."""
    if type(value) is dict:
        members: Iterable[Json] = value.values()
    elif type(value) is list and len(value) <= _FEW:
        members = value
    else:
        return False
    for member in members:
        if type(member) is str:
            if len(member) >= LONG:
                return True
        elif levels and len(value) <= _FEW and _holds_long_text(member, levels - 1):
            return True
    return False


def dumps(value: Json, size: int = 0) -> bytes:
    """Write the canonical JSON of a value.

    Args:
        value: what to write.
        size: about how many bytes the record has that it is of, if known: it only decides how to be quick.

    Raises:
        ValueError: for NaN or an infinity, which JSON has no spelling for.
        TypeError: for a value that is no JSON value.
    """
    try:
        if size > LONG_RECORD and _holds_long_text(value):
            return _with_long_text(value)
        return encoded(value).encode()
    except ValueError:  # a surrogate, or a number for which it takes more
        pass
    try:
        text = encoded(value)
    except ValueError:
        text = _encode_big(value)
    if re.search(_SURROGATE_PAIR, text):
        # Only a string made in Python can hold one; a reader of JSON has already put the pair together.
        return dumps(_with_pairs_combined(value))
    return text.encode("utf-8", "backslashreplace")


def _with_long_text(value: Json) -> bytes:
    """Write canonical JSON in which long strings are quoted as bytes, each put where a mark was written for it."""
    long: list[bytes] = []

    def quoted(text: str) -> str:
        escaped = _escaped(text) if len(text) >= LONG else None
        if escaped is None:
            return encode_basestring(text)
        long.append(escaped)
        return _MARK

    between = "".join(_chunk_encoder(quoted)(value, 0)).encode().split(_MARK.encode())
    pieces = between[:1]
    for escaped, following in zip(long, between[1:], strict=True):
        pieces += (escaped, following)
    return b"".join(pieces)


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
    return encoded(value)


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
