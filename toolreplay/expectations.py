"""Reading what a user says about sealed files and tools: heads, numbers of links, further mutators."""

import os
from collections.abc import Iterable

from .arguments import UsageError
from .engine.quoting import bare, quoted
from .engine.replay import MUTATORS
from .names import as_text

_DIGITS = frozenset("0123456789")
_HEX_DIGITS = frozenset("0123456789abcdef")


def digest(text: str) -> str:
    """Return a text that is a digest as it is.

    Raises:
        UsageError: if it is not 64 lower-case hex digits: a head that was mistyped must not read as a broken chain.
    """
    if len(text) != 64 or not _HEX_DIGITS.issuperset(text):
        raise UsageError(f"a head must be 64 lower-case hex digits, not {quoted(as_text(text))}")
    return text


def heads(texts: Iterable[str]) -> dict[str, str]:
    """Read heads that are expected of files, each as ``PATH=DIGEST``; return them by normalized path.

    Raises:
        UsageError: if a text is no such pair, or two of them contradict each other.
    """
    found: dict[str, str] = {}
    for text in texts:
        path, equals, head = text.rpartition("=")
        if not equals or not path:
            raise UsageError(f"an expected head must be PATH=DIGEST, not {quoted(as_text(text))}")
        path = os.path.normpath(path)
        if found.setdefault(path, digest(head)) != head:
            raise UsageError(f"two different heads are expected of {bare(as_text(path))}")
    return found


def number_of_links(text: str) -> int:
    """Read a number of links.

    Raises:
        UsageError: if it is not a whole number from 1 on.
    """
    if not 0 < len(text) <= 18 or not _DIGITS.issuperset(text) or int(text) == 0:
        raise UsageError(f"a number of links must be 1 or more, not {quoted(as_text(text))}")
    return int(text)


def mutators(names: Iterable[str]) -> frozenset[str]:
    """Return the tools that change state: the usual ones and those that a user named."""
    return MUTATORS.union(map(as_text, names))
