"""The hash chain: records sealed into links, and links verified.

Each line of a sealed file is the canonical JSON of a *link*: the four fields of a record, `prev` and `digest`. `prev`
is the digest of the link before, 64 zeros for the first. `digest` is the lower-case hex SHA-256 of the canonical JSON
of the five fields `args`, `index`, `prev`, `response` and `tool`.

A link fails when its `prev` is not the digest of the link before, or else when its `digest` is not the recomputed one.
Reading stops at the first that fails. Before it, a line that is no link is an error, and so is an index out of order
under digests that hold.

What a file should be can be known beforehand: its head (the digest of the last link), how many links it has, that it
holds the very bytes that sealing writes. Then the first link that can't be part of such a chain fails too:

* a link after the one that has the expected head, or after the expected number of links;
* the last of the expected number of links, when its digest is not the expected head;
* the link that is missing after the end of the file, when links are missing or none has the expected head;
* a link, or a blank line before it, that is not written as sealing writes it.

An intact chain does not prove who sealed it, nor that its end is still there: a chain cut short is still a chain, and
whoever can edit a file can seal it again.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from json.encoder import encode_basestring
from typing import NamedTuple

from .canonical import Json, dumps, encoded
from .errors import InputError
from .strict import text_and_value
from .transcript import (
    BLANK,
    FIELDS,
    LINK_FIELDS,
    Record,
    index_out_of_order,
    records_from,
    value_of,
    what_is_wrong,
)

FIRST_PREV = "0" * 64
"""The `prev` of the first link."""

_SHORT = 2000

NO_LINK = "none"
A_LINK = "a link"

PREV, DIGEST, BYTES, MISSING, SURPLUS, HEAD = REASONS = ("prev", "digest", "bytes", "missing", "surplus", "head")
"""Why a link fails: its `prev`; its `digest`; not written as sealing writes it; not there; more than was expected;
not the expected head."""


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

    `index` is its position in the chain and `line` its 1-based line in the file, or that of the last link where the
    link is missing. `expected` is the digest that should stand there, 64 hex digits, or `NO_LINK` where none should and
    `A_LINK` where one should whose digest nobody knows. `found` is what does stand there, any text, or `None` where
    nothing does. `reason` is one of `REASONS`; for `BYTES` the two digests are those of the line's bytes, its end
    included: as sealing writes it and as it is.
    """

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a record for tuple.index
    line: int
    expected: str
    found: str | None
    reason: str


class Expectation(NamedTuple):
    """What is known of a sealed file beforehand: its head (64 hex digits), its number of links, that it is exact.

    `exact` asks that each line be the very bytes that sealing writes.
    """

    head: str | None = None
    links: int | None = None
    exact: bool = False


NOTHING_EXPECTED = Expectation()


class Start(NamedTuple):
    """Where reading begins: how many links and lines came before, and the digest of the last of those links."""

    links: int = 0
    head: str | None = None
    lines: int = 0


BEGINNING = Start()


class VerifyResult(NamedTuple):
    """What verifying found; true only when the chain is intact, and what was expected.

    `links` counts the links that hold, `head` is the digest of the last of them (`None` if there is none). It was not
    checked who sealed the file, nor, unless the head or the number of links was expected, whether links are missing
    after the last.
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
        line, prev = _sealed(expected, record.tool, record.args, record.response, prev, size)
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
            sealed = _sealed(index, record.tool, record.args, record.response, prev, size)
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
        sealed, digest = _sealed_text(index, tool, args, response, prev, 0)
        return (sealed.encode(), digest) if sealed.count('"') == text.count('"') + 8 else None
    except (ValueError, KeyError, TypeError):
        return None


def _sealed(
    index: int, tool: str, args: dict[str, Json], response: dict[str, Json], prev: str, size: int
) -> tuple[bytes, str]:
    """Return the line of a link, with its end, and the link's digest."""
    try:
        line, digest = _sealed_text(index, tool, args, response, prev, size)
        return line.encode(), digest
    except ValueError:  # a lone surrogate, or a number for which it takes more
        begin = b'{"args":%b,' % dumps(args)
        end = dumps({"index": index, "prev": prev, "response": response, "tool": tool})[1:]
        digest = _digest(begin + end)
        return b'%b"digest":"%b",%b\n' % (begin, digest.encode(), end), digest


def _sealed_text(
    index: int, tool: str, args: dict[str, Json], response: dict[str, Json], prev: str, size: int
) -> tuple[str, str]:
    """Return the line of a link as text, with its end, and the link's digest; `ValueError` where that is not all."""
    begin = f'{{"args":{encoded(args, size)},'
    end = f'"index":{index},"prev":"{prev}","response":{encoded(response, size)},"tool":{encode_basestring(tool)}}}'
    digest = _digest((begin + end).encode())
    return f'{begin}"digest":"{digest}",{end}\n', digest


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class _Lines:
    """Gives the lines of a file on, and keeps the one read last and the first blank one with its number."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self.line = b""
        self.blank: tuple[int, bytes] | None = None

    def __iter__(self) -> Iterator[bytes]:
        for number, line in enumerate(self._lines, 1):
            self.line = line
            if self.blank is None and not line.strip(b" \t\r\n"):
                self.blank = number, line
            yield line


class ChainReader:
    """Reads the links of a sealed file one at a time and verifies each.

    Iterating yields the links that hold and ends after the last or before the first that fails, whichever comes first;
    `result` says which. So one pass verifies a file and gives its records to audits.
    """

    def __init__(
        self,
        lines: Iterable[bytes],
        name: str = "<lines>",
        expectation: Expectation = NOTHING_EXPECTED,
        start: Start = BEGINNING,
    ) -> None:
        self._raw = _Lines(lines) if expectation.exact else None
        self._lines = lines if self._raw is None else self._raw
        self._name = name
        self._expectation = expectation
        self._links, self._head, self._lines_before = start
        self._line = self._lines_before
        self._broken: BrokenLink | None = None

    def __iter__(self) -> Iterator[Link]:
        """Yield the links that hold.

        Raises:
            InputError: at a line that is no link, at an index out of order, or if there is no link at all.
        """
        for number, value in self._values():
            record = Record(value["index"], value["tool"], value["args"], value["response"], number)
            yield Link(record, value["prev"], value["digest"])

    def read(self) -> VerifyResult:
        """Read all links and return the result.

        Raises:
            InputError: as iterating does.
        """
        for _ in self._values():
            pass
        return self.result

    def _values(self) -> Iterator[tuple[int, Json]]:
        expects_nothing = self._expectation == NOTHING_EXPECTED
        prev = self._head or FIRST_PREV
        for number, line in enumerate(self._lines, self._lines_before + 1):
            value = _value_if_sealed(line, self._links, prev) if expects_nothing else None
            if value is None:
                value = value_of(line, self._name, number)
                if value is BLANK:
                    continue
                self._broken = self._why_not(self._link(number, value), number)
                if self._broken is not None:
                    return
            self._links += 1
            self._head = prev = value["digest"]
            self._line = number
            yield number, value
        if self._links == 0:
            raise InputError("a sealed file with no links", self._name)
        self._broken = self._at_the_end()

    def _why_not(self, link: Link, number: int) -> BrokenLink | None:
        broken = self._break(link, number)
        if broken is None:
            if link.record.index != self._links:
                raise InputError(index_out_of_order(self._links, link.record.index), self._name, number)
            broken = self._unexpected(link, number)
        return broken

    def _link(self, number: int, value: Json) -> Link:
        try:
            link = Link(
                Record(value["index"], value["tool"], value["args"], value["response"], number),
                value["prev"],
                value["digest"],
            )
            sound = len(value) == len(LINK_FIELDS) and _types_hold(link)
        except (KeyError, TypeError):
            sound = False
        if not sound:
            raise InputError(what_is_wrong(value, LINK_FIELDS), self._name, number)
        return link

    def _break(self, link: Link, number: int) -> BrokenLink | None:
        before = self._head or FIRST_PREV
        if link.prev != before:
            return BrokenLink(self._links, number, before, link.prev, PREV)
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
            return BrokenLink(self._links, number, recomputed, link.digest, DIGEST)
        return None

    def _unexpected(self, link: Link, number: int) -> BrokenLink | None:
        """Tell why a link that holds can't be part of the expected chain."""
        head, links, _ = self._expectation
        if self._links == links or (links is None and head is not None and self._head == head):
            return BrokenLink(self._links, number, NO_LINK, link.digest, SURPLUS)
        if head is not None and self._links + 1 == links and link.digest != head:
            return BrokenLink(self._links, number, head, link.digest, HEAD)
        if self._raw is None:
            return None
        index, tool, args, response, _ = link.record
        line, _ = _sealed(index, tool, args, response, link.prev, 0)
        return self._blank() or (
            None
            if self._raw.line == line
            else BrokenLink(self._links, number, _digest(line), _digest(self._raw.line), BYTES)
        )

    def _blank(self) -> BrokenLink | None:
        if self._raw is None or self._raw.blank is None:
            return None
        number, line = self._raw.blank
        return BrokenLink(self._links, number, NO_LINK, _digest(line), BYTES)

    def _at_the_end(self) -> BrokenLink | None:
        """Tell which link of the expected chain is missing after the last.

        A chain can't be read backwards from its head, so where the head alone is known and no link has it, whatever is
        in the file may still be the beginning of the right chain: what is known to be missing comes after it.
        """
        head, links, _ = self._expectation
        missing = head is not None and self._head != head if links is None else self._links < links
        if not missing:
            return self._blank()
        known = head if head is not None and links in (None, self._links + 1) else A_LINK
        return self._blank() or BrokenLink(self._links, self._line, known, None, MISSING)

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


def _value_if_sealed(line: bytes, index: int, prev: str) -> Json:
    """Return the value of a line that is the link that must stand here, to the byte as sealing writes it, else `None`.

    Then nothing about the link remains to be checked: sealing what it says has given this very line.
    """
    try:
        text, value = text_and_value(line)
        tool, args, response = value["tool"], value["args"], value["response"]
        sound = type(tool) is str and type(args) is dict and type(response) is dict
        if sound and _sealed_text(index, tool, args, response, prev, len(line))[0] == text:
            return value
    except (ValueError, KeyError, TypeError):
        pass
    return None


def verify(lines: Iterable[bytes], name: str = "<lines>", expectation: Expectation = NOTHING_EXPECTED) -> VerifyResult:
    """Verify a sealed file.

    Args:
        lines: its lines as bytes.
        name: its name, for errors.
        expectation: what is known of it beforehand.

    Raises:
        InputError: if it is no sealed file.
    """
    return ChainReader(lines, name, expectation).read()
