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
from .firsts import KeptFirsts, RereadableLines, RereadFirsts, response_digest
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
    """Replays records and holds one small entry for each distinct call, never a response.

    A call is known again by a quick key, and then by the digest of the call that had this key first: to take the digest
    of every call would take longer. Another call with a key that is taken already is known by its digest.
    """

    def __init__(self, mutators: frozenset[str] = MUTATORS, lines: RereadableLines | None = None) -> None:
        """Begin.

        Args:
            mutators: names of the tools that change state.
            lines: what the records are read from, one line a record, if it can be read again. Then a response is only
                looked at when its call comes again.
        """
        self._mutators = mutators
        self._numbers: dict[int, int] = {}  # of each distinct call, in the order in which they came first
        self._others: dict[bytes, int] = {}  # the same where the key is another call's
        self._firsts = KeptFirsts() if lines is None else RereadFirsts(lines)
        self._last = -1  # the number of the last call
        self._calls = 0
        self._findings: list[Finding] = []

    def add(self, record: Record) -> None:
        """Take the next record.

        Raises:
            InputError: if the lines changed since they were read first.
        """
        self.add_all((record,))

    def add_all(self, records: Iterable[Record]) -> None:
        """Take the next records.

        Raises:
            InputError: if the lines changed since they were read first.
        """
        firsts = self._firsts
        key, keep, number_of = firsts.key, firsts.keep, self._numbers.setdefault
        last = self._last
        for calls, record in enumerate(records, self._calls + 1):
            self._calls = calls
            known = firsts.count
            number = number_of(key(record), known)
            if number == known:
                keep(record)
            else:
                number = self._again(record, number, last)
            last = self._last = number

    def _again(self, record: Record, number: int, last: int) -> int:
        """Take a call whose key is known; return the call's number."""
        first = self._firsts.first(number)
        call = call_digest(record)
        if first.call != call:
            known = self._firsts.count
            number = self._others.setdefault(call, known)
            if number == known:
                self._firsts.keep(record)
                return number
            first = self._firsts.first(number)
        if response_digest(record) != first.response:
            self._find(record, NON_DETERMINISM, first.index, call)
        if number == last and record.tool not in self._mutators:
            self._find(record, REDUNDANT_CALL, record.index - 1, call)
        return number

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
    return audited(records, ReplayAudit(mutators))


def audited(records: Iterable[Record], audit: ReplayAudit) -> ReplayResult:
    """Give all records to an audit and return what it found.

    Raises:
        InputError: if the lines that it reads again changed since they were read first.
    """
    audit.add_all(records)
    return audit.result()
