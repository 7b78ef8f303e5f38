"""Links of a chain, and what verifying one says, as frozen data."""

from typing import NamedTuple

from .transcript import Record

FIRST_PREV = "0" * 64
"""The `prev` of the first link."""

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
