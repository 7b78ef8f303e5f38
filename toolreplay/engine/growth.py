"""A sealed file may only grow: two states of it compared by their links.

A chain alone can't show that its end was cut off, nor that it was sealed again; an older state of the file can. Two
links are the same when their digests are equal, since a digest covers its record and every link before it. So the
newer state begins with all links of the older one exactly when it holds the digest of the older one's last link.

* A file is a sealed file when its first line that is not blank is a link, whatever its name is.
* Of the older state, the links that hold count, up to the first that fails. What stands behind a break was never
  vouched for, so a repair may change it.
* The newer state must be intact as a whole.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .chain import ChainReader
from .errors import InputError
from .links import BrokenLink

SEAL_BROKEN = "seal-broken"
SEAL_REMOVED = "seal-removed"
SEAL_REWRITTEN = "seal-rewritten"
SEAL_TRUNCATED = "seal-truncated"


class SealFinding(NamedTuple):
    """What became of a sealed file that should only have grown. Findings are sorted by path, then by kind.

    `links` counts the links that had to stay; 0 for a file that is new. `index` is the first link that is lost, differs
    or fails, and `line` its 1-based line in the newer state, each `None` where there is none. `expected` and `found`
    are digests (of a broken link, `found` is any text). `cause` is a finished text: what is there instead of a sealed
    file, or of a link.
    """

    path: str
    kind: str
    links: int
    index: int | None = None  # type: ignore[assignment]  # the format's name; nobody asks a finding for tuple.index
    line: int | None = None
    expected: str | None = None
    found: str | None = None
    cause: str | None = None


class GuardResult(NamedTuple):
    """What comparing two states of a repository's sealed files found.

    `bases` are the ids of the commits compared with, `files` counts the sealed files of both states, `allowed` are the
    paths of those whose removal was allowed.
    """

    bases: tuple[str, ...]
    files: int
    allowed: tuple[str, ...]
    findings: tuple[SealFinding, ...]


class ChainState(NamedTuple):
    """One state of a file, read as a chain.

    `links` counts the links that hold from the start and `head` is the digest of the last of them. `broken` is the
    first link that fails, `error` what made it no sealed file, or no longer one; both `None` for an intact chain.
    `passed` are those of the digests asked for that the chain holds.
    """

    links: int
    head: str | None
    broken: BrokenLink | None
    error: InputError | None
    passed: frozenset[str]

    @property
    def is_sealed(self) -> bool:
        """Whether the file is a sealed file, intact or not."""
        return self.links > 0 or self.broken is not None

    @property
    def is_intact(self) -> bool:
        """Whether the file is a sealed file without a fault."""
        return self.broken is None and self.error is None

    def fault(self, path: str, links: int) -> SealFinding | None:
        """Return what is wrong with the chain in itself, if anything is."""
        if self.broken is not None:
            return _broken(path, links, self.broken)
        if self.error is not None:
            return SealFinding(path, SEAL_BROKEN, links, self.links, self.error.line, cause=self.error.cause)
        return None


def read_chain(lines: Iterable[bytes], asked: frozenset[str] = frozenset()) -> ChainState:
    """Read one state of a file, no further than to the first line that is no link or does not hold.

    Args:
        lines: the file's lines as bytes.
        asked: digests to look out for.
    """
    passed = set()
    reader = ChainReader(lines)
    error = None
    try:
        for link in reader:
            if link.digest in asked:
                passed.add(link.digest)
    except InputError as problem:
        error = problem
    result = reader.result
    return ChainState(result.links, result.head, result.broken, error, frozenset(passed))


def first_loss(path: str, links: int, older: Iterable[bytes], newer: Iterable[bytes]) -> SealFinding:
    """Find the first link of the older state that the newer one does not begin with.

    Args:
        path: the file, for the finding.
        links: how many links of the older state hold.
        older: its lines.
        newer: the lines of the newer state, which lacks one of those links.
    """
    reader = ChainReader(newer)
    kept = iter(reader)
    for index, (link, _) in enumerate(zip(ChainReader(older), range(links), strict=False)):
        try:
            found = next(kept, None)
        except InputError as error:
            if error.line is None:  # of the file as a whole: there is no link at all
                return SealFinding(path, SEAL_TRUNCATED, links, index)
            return SealFinding(path, SEAL_BROKEN, links, index, error.line, cause=error.cause)
        if found is None:
            broken = reader.result.broken
            if broken is None:
                return SealFinding(path, SEAL_TRUNCATED, links, index)
            return _broken(path, links, broken)
        if found.digest != link.digest:
            return SealFinding(path, SEAL_REWRITTEN, links, index, found.record.line, link.digest, found.digest)
    raise AssertionError("the newer state begins with every link of the older one")


def _broken(path: str, links: int, link: BrokenLink) -> SealFinding:
    return SealFinding(path, SEAL_BROKEN, links, link.index, link.line, link.expected, link.found)
