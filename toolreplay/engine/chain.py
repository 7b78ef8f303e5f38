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

from .canonical import Json, dumps, encoded_to_compare, loads
from .errors import InputError
from .links import (
    A_LINK,
    BEGINNING,
    BYTES,
    DIGEST,
    FIRST_PREV,
    HEAD,
    MISSING,
    NO_LINK,
    NOTHING_EXPECTED,
    PREV,
    SURPLUS,
    BrokenLink,
    Expectation,
    Link,
    Start,
    VerifyResult,
)
from .sealing import digest_of, link_end, sealed_link
from .strict import text_and_value
from .transcript import BLANK, LINK_FIELDS, Record, index_out_of_order, value_of, what_is_wrong

_DIGEST_MEMBER = len('"digest":"",') + 64


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
        for number, value in self._values(meant=True):
            record = Record(value["index"], value["tool"], value["args"], value["response"], number)
            yield Link(record, value["prev"], value["digest"])

    def read(self) -> VerifyResult:
        """Read all links and return the result.

        Raises:
            InputError: as iterating does.
        """
        for _ in self._values(meant=False):
            pass
        return self.result

    def _values(self, *, meant: bool) -> Iterator[tuple[int, Json]]:
        """Yield what links hold; it need be what they mean only if that is asked for."""
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
            elif meant and not line.isascii():
                value = loads(line)
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
        line, _ = sealed_link(index, tool, args, response, link.prev, 0)
        return self._blank() or (
            None
            if self._raw.line == line
            else BrokenLink(self._links, number, digest_of(line), digest_of(self._raw.line), BYTES)
        )

    def _blank(self) -> BrokenLink | None:
        if self._raw is None or self._raw.blank is None:
            return None
        number, line = self._raw.blank
        return BrokenLink(self._links, number, NO_LINK, digest_of(line), BYTES)

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

    Then nothing about the link remains to be checked: writing what it says has given this very line, so what is left of
    the line without its digest is what the digest is of. Characters of the value stand for bytes of the line.
    """
    try:
        text, value = text_and_value(line)
        tool, args, response, digest = value["tool"], value["args"], value["response"], value["digest"]
        if not (type(tool) is str and type(args) is type(response) is dict):
            return None
        size = len(line)
        begin = f'{{"args":{encoded_to_compare(args, size)},'
        end = link_end(index, prev, encoded_to_compare(response, size), tool)
        if f'{begin}"digest":"{digest}",{end}\n' == text:
            at = len(begin)
            if digest_of(line[:at] + line[at + _DIGEST_MEMBER : -1]) == digest:
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
