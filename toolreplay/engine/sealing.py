"""Sealing: records into the links of a chain.

Each line of a sealed file is the canonical JSON of a *link*: the four fields of a record, `prev` and `digest`. `prev`
is the digest of the link before, 64 zeros for the first. `digest` is the lower-case hex SHA-256 of the canonical JSON
of the five fields `args`, `index`, `prev`, `response` and `tool`.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from json.encoder import encode_basestring

from .canonical import LONG_RECORD, Json, dumps, encoded
from .errors import InputError
from .links import FIRST_PREV, SealedLink
from .transcript import Record, index_out_of_order

_new = tuple.__new__  # what the class itself calls, with a step less


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
    for expected, (index, tool, args, response, number) in enumerate(records):
        if index != expected:
            raise InputError(index_out_of_order(expected, index), line=number)
        link = sealed_link(expected, tool, args, response, prev, size)
        line, prev = link
        size = len(line)
        yield link


def sealed_link(
    index: int, tool: str, args: dict[str, Json], response: dict[str, Json], prev: str, size: int
) -> SealedLink:
    """Return a link's line and digest; `size` is about how many bytes the line has, if that is known."""
    try:
        if size > LONG_RECORD:
            raise ValueError
        text = f'{{"args":{encoded(args)},'
        rest = link_end(index, prev, encoded(response), tool)
        digest = sha256((text + rest).encode()).hexdigest()
        line = f'{text}"digest":"{digest}",{rest}\n'.encode()
    except ValueError:  # long, or with a lone surrogate, or a number for which it takes more
        begin = b'{"args":%b,' % dumps(args, size)
        end = dumps({"index": index, "prev": prev, "response": response, "tool": tool}, size)[1:]
        digest = digest_of(begin + end)
        line = b"".join((begin, b'"digest":"', digest.encode(), b'",', end, b"\n"))
    return _new(SealedLink, (line, digest))


def link_end(index: int, prev: str, response: str, tool: str) -> str:
    """Return what follows the digest in the canonical JSON of a link, its response being written already."""
    return f'"index":{index},"prev":"{prev}","response":{response},"tool":{encode_basestring(tool)}}}'


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of bytes in lower-case hex."""
    return sha256(data).hexdigest()
