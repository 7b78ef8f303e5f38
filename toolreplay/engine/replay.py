"""Replay: which calls were not repeatable, and which were redundant.

The *canonical call* is the canonical JSON of ``{"args":…,"tool":…}``; two calls are identical when these are equal, and
responses are compared the same way.

* *non-determinism*: a call whose response differs from the one that the first identical call got. A change of state
  between the two does not excuse it.
* *redundant-call*: a call that directly follows the identical call. Any other call in between may have changed the
  state, and so may a mutator: a repeat of one is never redundant. What the response holds plays no part.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from .canonical import dumps
from .findings import NON_DETERMINISM, REDUNDANT_CALL, Finding
from .transcript import Record, call_digest

MUTATORS = frozenset({"write_file", "delete_file", "create_file", "move_file", "run_command"})
"""Tools that change state. A tool that is not among them is taken to be read-only."""


class ReplayResult(NamedTuple):
    """What replaying found.

    `calls` counts the records; `findings` are sorted by index, then kind.
    """

    calls: int
    findings: tuple[Finding, ...]

    @property
    def divergence(self) -> int | None:
        """The index of the first non-determinism, or `None`."""
        return next((finding.index for finding in self.findings if finding.kind == NON_DETERMINISM), None)


class ReplayAudit:
    """Replays records one at a time and holds one small entry for each distinct call, never a response."""

    def __init__(self, mutators: frozenset[str] = MUTATORS) -> None:
        self._mutators = mutators
        self._first: dict[bytes, tuple[int, bytes]] = {}
        self._last = b""
        self._calls = 0
        self._findings: list[Finding] = []

    def add(self, record: Record) -> None:
        """Take the next record."""
        call = call_digest(record)
        response = sha256(dumps(record.response)).digest()
        first, first_response = self._first.setdefault(call, (record.index, response))
        if response != first_response:
            self._find(record, NON_DETERMINISM, first, call)
        if call == self._last and record.tool not in self._mutators:
            self._find(record, REDUNDANT_CALL, record.index - 1, call)
        self._last = call
        self._calls += 1

    def _find(self, record: Record, kind: str, related: int, call: bytes) -> None:
        self._findings.append(Finding(record.index, kind, record.line, record.tool, related, call=call))

    def result(self) -> ReplayResult:
        """Return what was found in the records so far."""
        return ReplayResult(self._calls, tuple(self._findings))


def replay(records: Iterable[Record], mutators: frozenset[str] = MUTATORS) -> ReplayResult:
    """Find non-determinism and redundant calls.

    Args:
        records: the records of one session, in order.
        mutators: names of the tools that change state.
    """
    audit = ReplayAudit(mutators)
    for record in records:
        audit.add(record)
    return audit.result()
