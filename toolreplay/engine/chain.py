"""The hash chain: records sealed into links, and links verified.

Each line of a sealed file is the canonical JSON of a *link*: the four fields of a record, `prev` and `digest`. `prev`
is the digest of the link before, 64 zeros for the first. `digest` is the lower-case hex SHA-256 of the canonical JSON
of the five fields `args`, `index`, `prev`, `response` and `tool`.

A link fails when its `prev` is not the digest of the link before, or else when its `digest` is not the recomputed one.
Reading stops at the first that fails. Before it, a line that is no link is an error, and so is an index out of order
under digests that hold.

An intact chain does not prove who sealed it, nor that its end is still there: a chain cut short is still a chain, and
whoever can edit a file can seal it again.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from .canonical import Json, dumps
from .errors import InputError
from .transcript import LINK_FIELDS, Record, index_out_of_order, numbered_values, what_is_wrong

FIRST_PREV = "0" * 64
"""The `prev` of the first link."""


class Link(NamedTuple):
    """One link: its record, the digest of the link before it and its own."""

    record: Record
    prev: str
    digest: str


class SealedLink(NamedTuple):
    """One line of a sealed file as bytes, with its line end, and the link's digest."""

    line: bytes
    digest: str


class BrokenLink(NamedTuple):
    """The first link that fails.

    `index` is its position in the chain and `line` its 1-based line in the file. `expected` is the digest that should
    stand there, 64 hex digits; `found` is what does stand there, any text.
    """

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a record for tuple.index
    line: int
    expected: str
    found: str


class VerifyResult(NamedTuple):
    """What verifying found; true only when the chain is intact.

    `links` counts the links that hold, `head` is the digest of the last of them (`None` if there is none). It was not
    checked who sealed the file, nor whether links are missing after the last.
    """

    links: int
    head: str | None
    broken: BrokenLink | None = None

    def __bool__(self) -> bool:
        return self.broken is None


def seal(records: Iterable[Record]) -> Iterator[SealedLink]:
    """Seal records into a chain, one at a time.

    What the records' reader raises comes through, possibly after links were given: half a chain verifies as intact, so
    a caller must keep nothing unless the end is reached.
    """
    prev = FIRST_PREV
    for record in records:
        args = dumps(record.args)
        rest = {"index": record.index, "prev": prev, "response": record.response, "tool": record.tool}
        tail = dumps(rest)[1:]
        prev = sha256(b'{"args":%b,%b' % (args, tail)).hexdigest()
        yield SealedLink(b'{"args":%b,"digest":"%b",%b\n' % (args, prev.encode(), tail), prev)


class ChainReader:
    """Reads the links of a sealed file one at a time and verifies each.

    Iterating yields the links that hold and ends after the last or before the first that fails, whichever comes first;
    `result` says which. So one pass verifies a file and gives its records to audits.
    """

    def __init__(self, lines: Iterable[bytes], name: str = "<lines>") -> None:
        self._lines = lines
        self._name = name
        self._links = 0
        self._head: str | None = None
        self._broken: BrokenLink | None = None

    def __iter__(self) -> Iterator[Link]:
        """Yield the links that hold.

        Raises:
            InputError: at a line that is no link, at an index out of order, or if there is no link at all.
        """
        for number, value in numbered_values(self._lines, self._name):
            link = self._link(number, value)
            self._broken = self._break(link, number)
            if self._broken is not None:
                return
            if link.record.index != self._links:
                raise InputError(index_out_of_order(self._links, link.record.index), self._name, number)
            self._links += 1
            self._head = link.digest
            yield link
        if self._links == 0:
            raise InputError("a sealed file with no links", self._name)

    def _link(self, number: int, value: Json) -> Link:
        try:
            link = Link(
                Record(value["index"], value["tool"], value["args"], value["response"], number),
                value["prev"],
                value["digest"],
            )
            sound = len(value) == len(LINK_FIELDS) and _types_hold(link)
        except (KeyError, TypeError, IndexError):
            sound = False
        if not sound:
            raise InputError(what_is_wrong(value, LINK_FIELDS), self._name, number)
        return link

    def _break(self, link: Link, number: int) -> BrokenLink | None:
        before = self._head or FIRST_PREV
        if link.prev != before:
            return BrokenLink(self._links, number, before, link.prev)
        record = link.record
        fields = {
            "args": record.args,
            "index": record.index,
            "prev": link.prev,
            "response": record.response,
            "tool": record.tool,
        }
        recomputed = sha256(dumps(fields)).hexdigest()
        if link.digest != recomputed:
            return BrokenLink(self._links, number, recomputed, link.digest)
        return None

    @property
    def result(self) -> VerifyResult:
        """What the links read so far say."""
        return VerifyResult(self._links, self._head, self._broken)


def _types_hold(link: Link) -> bool:
    index, tool, args, response, _ = link.record
    return (
        type(index) is int
        and type(tool) is str
        and type(args) is dict
        and type(response) is dict
        and type(link.prev) is str
        and type(link.digest) is str
    )


def verify(lines: Iterable[bytes], name: str = "<lines>") -> VerifyResult:
    """Verify a sealed file.

    Args:
        lines: its lines as bytes.
        name: its name, for errors.

    Raises:
        InputError: if it is no sealed file.
    """
    reader = ChainReader(lines, name)
    for _ in reader:
        pass
    return reader.result
