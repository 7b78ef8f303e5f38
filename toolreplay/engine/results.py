"""What auditing a whole file found, whatever the file is: the one object that every report is made from."""

from collections.abc import Iterable
from typing import NamedTuple

from .errors import InputError
from .findings import Finding
from .replay import ReplayResult

TYPE_CHECKING = False  # slow to load, and what has no chain has no need of it
if TYPE_CHECKING:
    from .links import VerifyResult
    from .scope import ScopeResult


class FileResult(NamedTuple):
    """What auditing one file found.

    `chain` is there for a sealed file alone, `scope` where a scope was given. After a broken chain the audits are left
    out: what stands behind the break can't be believed. `notes` are finished lines on how the file was read.
    """

    path: str
    chain: "VerifyResult | None"
    replay: ReplayResult | None
    scope: "ScopeResult | None"
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all audits, by index, then kind."""
        audits = (self.replay, self.scope)
        return tuple(sorted(finding for audit in audits if audit is not None for finding in audit.findings))

    def without(self, findings: frozenset[Finding]) -> "FileResult":
        """Return the same result with some of its findings left out."""
        replay, scope = self.replay, self.scope
        if replay is not None:
            replay = replay._replace(findings=tuple(one for one in replay.findings if one not in findings))
        if scope is not None:
            scope = scope._replace(findings=tuple(one for one in scope.findings if one not in findings))
        return self._replace(replay=replay, scope=scope)

    @property
    def calls(self) -> int:
        """The calls that were read; of a broken chain, those whose links hold."""
        if self.replay is not None:
            return self.replay.calls
        if self.scope is not None:
            return self.scope.calls
        return 0 if self.chain is None else self.chain.links


Outcome = FileResult | InputError
"""What became of one file: audited, or not readable as what it should be. The error's `name` is the path."""


class Totals(NamedTuple):
    """Many files in figures: how many there are, their calls, findings and broken chains, and what wasn't readable."""

    files: int = 0
    calls: int = 0
    findings: int = 0
    broken: int = 0
    unreadable: int = 0

    @property
    def verdict(self) -> str:
        """``error`` when not everything could be read, else ``findings`` when anything was found, else ``clean``."""
        if self.unreadable:
            return "error"
        return "findings" if self.findings or self.broken else "clean"


def totals(outcomes: Iterable[Outcome], findings: int = 0) -> Totals:
    """Add up what became of many files, and findings that are of no file's content."""
    files = calls = broken = unreadable = 0
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            files += outcome.name is not None  # else it is about something that names no file
            unreadable += 1
            continue
        files += 1
        calls += outcome.calls
        findings += len(outcome.findings)
        broken += outcome.chain is not None and not outcome.chain
    return Totals(files, calls, findings, broken, unreadable)
