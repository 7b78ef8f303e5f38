"""Sealing: records into the links of a chain.

Each line of a sealed file is the canonical JSON of a *link*: the four fields of a record, `prev` and `digest`. `prev`
is the digest of the link before, 64 zeros for the first. `digest` is the lower-case hex SHA-256 of the canonical JSON
of the five fields `args`, `index`, `prev`, `response` and `tool`.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from json.encoder import encode_basestring

from .canonical import Json, dumps, encoded
from .errors import InputError
from .links import FIRST_PREV, SealedLink
from .strict import text_and_value
from .transcript import FIELDS, Record, index_out_of_order, records_from

_SHORT = 2000


def seal(records: Iterable[Record]) -> Iterator[SealedLink]:
    """Seal records into a chain, one at a time.

    What the records' reader raises comes through, possibly after links were given: half a chain verifies as intact, so
    a caller must keep nothing unless the end is reached.

    Args:
        records: all the records of one session, in order.

    Raises:
        InputError: at a record whose index is not the next: no sealed file may hold it.
        ValueError: for a record made in Python that holds a number which JSON has no spelling for.
        TypeError: for one that holds what is no JSON value.
    """
    prev = FIRST_PREV
    size = 0
    for expected, record in enumerate(records):
        if record.index != expected:
            raise InputError(index_out_of_order(expected, record.index), line=record.line)
        line, prev = sealed_link(expected, record.tool, record.args, record.response, prev, size)
        size = len(line)
        yield SealedLink(line, prev)


def seal_lines(lines: Iterable[bytes], name: str = "<lines>") -> Iterator[SealedLink]:
    """Seal the lines of a transcript: the same as sealing the records that are read from them, in less time.

    Raises:
        InputError: at the first line that is no record; as with `seal`, keep nothing then.
    """
    prev = FIRST_PREV
    index = size = 0
    for number, line in enumerate(lines, 1):
        sealed = _sealed_if_plain(line, index, prev)
        if sealed is None:
            record = next(records_from((line,), name, index, number), None)
            if record is None:  # the line is blank
                continue
            sealed = sealed_link(index, record.tool, record.args, record.response, prev, size)
        prev = sealed[1]
        index += 1
        size = len(line)
        yield SealedLink(*sealed)


def _sealed_if_plain(line: bytes, index: int, prev: str) -> tuple[bytes, str] | None:
    """Seal a line that is surely the next record; return `None` if it takes a closer look to tell.

    That no key stands twice in an object is told by counting quotes: of a key that does, all but the last are missing
    in what is written, each with its two quotes, and nothing else makes the count smaller or, but for a quote that is
    escaped by its number, larger. The members for `prev` and the digest add eight.
    """
    if len(line) > _SHORT:
        return None  # where strings are long, counting takes longer than looking
    try:
        text, value = text_and_value(line)
        tool, args, response = value["tool"], value["args"], value["response"]
        sound = (
            len(value) == len(FIELDS)
            and value["index"] == index
            and type(value["index"]) is int
            and type(tool) is str
            and type(args) is dict
            and type(response) is dict
            and "\\u0022" not in text
        )
        if not sound:
            return None
        sealed, digest = sealed_text(index, tool, args, response, prev, 0)
        return (sealed.encode(), digest) if sealed.count('"') == text.count('"') + 8 else None
    except (ValueError, KeyError, TypeError):
        return None


def sealed_link(
    index: int, tool: str, args: dict[str, Json], response: dict[str, Json], prev: str, size: int
) -> tuple[bytes, str]:
    """Return the line of a link, with its end, and the link's digest."""
    try:
        line, digest = sealed_text(index, tool, args, response, prev, size)
        return line.encode(), digest
    except ValueError:  # a lone surrogate, or a number for which it takes more
        begin = b'{"args":%b,' % dumps(args)
        end = dumps({"index": index, "prev": prev, "response": response, "tool": tool})[1:]
        digest = digest_of(begin + end)
        return b'%b"digest":"%b",%b\n' % (begin, digest.encode(), end), digest


def sealed_text(
    index: int,
    tool: str,
    args: dict[str, Json],
    response: dict[str, Json],
    prev: str,
    size: int,
    write: Callable[[Json, int], str] = encoded,
) -> tuple[str, str]:
    """Return the line of a link as text, with its end, and the link's digest; `ValueError` where that is not all."""
    begin = f'{{"args":{write(args, size)},'
    end = f'"index":{index},"prev":"{prev}","response":{write(response, size)},"tool":{encode_basestring(tool)}}}'
    digest = digest_of((begin + end).encode())
    return f'{begin}"digest":"{digest}",{end}\n', digest


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of bytes in lower-case hex."""
    return sha256(data).hexdigest()
