"""Replay: which calls were not repeatable, and which were redundant.

The *canonical call* is the canonical JSON of ``{"args":…,"tool":…}``; two calls are identical when these are equal, and
responses are compared the same way.

* *non-determinism*: a call whose response differs from the one that the first identical call got. A change of state
  between the two does not excuse it.
* *redundant-call*: a call that directly follows the identical call. Any other call in between may have changed the
  state, and so may a mutator: a repeat of one is never redundant. What the response holds plays no part.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .findings import NON_DETERMINISM, REDUNDANT_CALL, Finding
from .firsts import Firsts, Repeat, RereadableLines
from .transcript import Record

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
    """Replays records and holds one small entry for each distinct call, never a response."""

    def __init__(self, mutators: frozenset[str] = MUTATORS, lines: RereadableLines | None = None) -> None:
        """Begin.

        Args:
            mutators: names of the tools that change state.
            lines: what the records are read from, one line a record, if it can be read again. Then a response is only
                looked at when its call comes again.
        """
        self._mutators = mutators
        self._firsts = Firsts(lines)
        self._findings: list[Finding] = []

    def add(self, records: Iterable[Record]) -> None:
        """Take the next records.

        Raises:
            InputError: if the lines changed since they were read first.
        """
        for repeat in self._firsts.repeats(records):
            record = repeat.record
            if repeat.differs:
                self._find(repeat, NON_DETERMINISM, repeat.first)
            if repeat.directly and record.tool not in self._mutators:
                self._find(repeat, REDUNDANT_CALL, record.index - 1)

    def _find(self, repeat: Repeat, kind: str, related: int) -> None:
        record = repeat.record
        self._findings.append(Finding(record.index, kind, record.line, record.tool, related, call=repeat.call))

    def result(self) -> ReplayResult:
        """Return what was found in the records so far."""
        return ReplayResult(self._firsts.calls, tuple(self._findings))


def replay(records: Iterable[Record], mutators: frozenset[str] = MUTATORS) -> ReplayResult:
    """Find non-determinism and redundant calls.

    Args:
        records: the records of one session, in order.
        mutators: names of the tools that change state.
    """
    return audited(records, ReplayAudit(mutators))


def audited(records: Iterable[Record], audit: ReplayAudit) -> ReplayResult:
    """Give all records to an audit and return what it found.

    Raises:
        InputError: if the lines that it reads again changed since they were read first.
    """
    audit.add(records)
    return audit.result()
