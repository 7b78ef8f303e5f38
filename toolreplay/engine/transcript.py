"""Transcripts: JSON Lines, one recorded call of a tool on each line.

* Each line that is not blank is one JSON object with exactly the fields `index`, `tool`, `args` and `response`.
* `index` is an integer and counts 0, 1, 2, … in file order; `true`, `1.0` and ``"1"`` are no integers.
  `tool` is a string, `args` and `response` are objects.
* Lines end at ``\\n``, a ``\\r`` before it is dropped; nothing else ends a line. A line of only spaces and tabs is
  blank and still counts for line numbers. A transcript without records is valid.
* Anything else is an error, of the first line that has one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from .canonical import Json, dumps, encoded, loads
from .errors import InputError, JsonError
from .numerals import digits
from .quoting import bare, key
from .strict import reader

FIELDS = ("index", "tool", "args", "response")
"""The fields of a record, in the order in which they are checked."""

LINK_FIELDS = (*FIELDS, "prev", "digest")
"""The fields of a link of a sealed file."""

BLANK = object()
"""What a blank line holds."""

_TYPES = {"index": int, "tool": str, "args": dict, "response": dict, "prev": str, "digest": str}
_TYPE_NAMES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "an integer",
    float: "a number with a fraction or exponent",
    bool: "true or false",
    type(None): "null",
}


class Record(NamedTuple):
    """One recorded call.

    `index` counts the calls of a session from 0. `args` and `response` hold what JSON holds: dict with str keys, list,
    str, int, float that is finite, bool, None. `line` is the 1-based line of the file where the call stands.

    Records that are read are checked; one that is made in Python is taken as it is.
    """

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a record for tuple.index
    tool: str
    args: dict[str, Any]
    response: dict[str, Any]
    line: int


_new = tuple.__new__  # what the class itself calls, with a step less


def canonical_call(record: Record) -> bytes:
    """Return a record's canonical call."""
    try:
        return f'{{"args":{encoded(record.args)},"tool":{encode_basestring(record.tool)}}}'.encode()
    except ValueError:  # a surrogate, or a number for which it takes more
        return dumps({"args": record.args, "tool": record.tool})


def call_digest(record: Record) -> bytes:
    """Return the SHA-256 of a record's canonical call."""
    return sha256(canonical_call(record)).digest()


def read_records(lines: Iterable[bytes], name: str = "<lines>") -> Iterator[Record]:
    """Read the records of a transcript, one at a time.

    Args:
        lines: the lines as bytes, with or without their ends, as a file opened for reading bytes gives them.
        name: the file's name, for errors.

    Raises:
        InputError: at the first line that is no record, or whose index is not the next.
    """
    expected = 0
    read = reader()
    for number, line in enumerate(lines, 1):
        try:
            value = read(line)
        except JsonError:
            value_of(line, name, number)  # says what is wrong, unless the line is blank
            continue
        try:
            index, tool, args, response = value["index"], value["tool"], value["args"], value["response"]
            sound = (
                len(value) == 4 and type(index) is int and type(tool) is str and type(args) is type(response) is dict
            )
        except (KeyError, TypeError):
            sound = False
        if not sound:
            raise InputError(what_is_wrong(value, FIELDS), name, number)
        if index != expected:
            raise InputError(index_out_of_order(expected, index), name, number)
        expected += 1
        yield _new(Record, (index, tool, args, response, number))


def numbered_values(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, Json]]:
    """Read each line that is not blank as strict JSON; yield its 1-based number and its value.

    Raises:
        InputError: at the first line that is not JSON.
    """
    for number, line in enumerate(lines, 1):
        value = value_of(line, name, number)
        if value is not BLANK:
            yield number, value


def value_of(line: bytes, name: str, number: int) -> Json:
    """Read one line as strict JSON, or return `BLANK`.

    Raises:
        InputError: if it is not JSON.
    """
    if line[:1] != b"{" and is_blank(line):
        return BLANK
    try:
        return loads(line)
    except JsonError as error:
        raise InputError(error.cause, name, number) from None


def is_blank(line: bytes) -> bool:
    """Tell whether a line, with or without its end, holds only spaces and tabs."""
    return not line.removesuffix(b"\n").removesuffix(b"\r").strip(b" \t")


def what_is_wrong(value: Json, fields: tuple[str, ...]) -> str:
    """Say why a value of a line is no record, or no link; `fields` tells which of the two it should be."""
    if not isinstance(value, dict):
        return f"not an object but {type_name(value)}"
    if fields == FIELDS and {"prev", "digest"} <= set(value):
        return "a link of a sealed file, not a record of a transcript: use 'verify' to check it"
    if fields == LINK_FIELDS and set(FIELDS) <= set(value) and not {"prev", "digest"} & set(value):
        return "a record of a transcript, not a link of a sealed file: use 'replay' to audit it or 'seal' to seal it"
    return wrong_field(value, fields) or wrong_type(value, {name: _TYPES[name] for name in fields})


def wrong_field(value: dict[str, Json], fields: Collection[str]) -> str:
    """Name the first field that should not be there, or else the first that is missing; return "" if there is none."""
    for name in value:
        if name not in fields:
            return f"unexpected field: {key(name)}"
    for name in fields:
        if name not in value:
            return f"missing field: {key(name)}"
    return ""


def wrong_type(value: dict[str, Json], types: Mapping[str, type]) -> str:
    """Name the first field that has the wrong type."""
    for name, wanted in types.items():
        if type(value[name]) is not wanted:
            return f"field {key(name)} must be {_TYPE_NAMES[wanted]}, not {type_name(value[name])}"
    raise AssertionError("every field has its type")


def type_name(value: Json) -> str:
    """Name the JSON type of a value, with its article."""
    return _TYPE_NAMES[type(value)]


def index_out_of_order(expected: int, found: int) -> str:
    """Say that an index is not the next one."""
    return f"index out of order: expected {expected}, found {bare(digits(found))}"
