"""Auditing a file whatever it is: a transcript or a sealed file, told apart by content."""

from collections.abc import Iterable, Iterator
from itertools import chain as joined
from typing import NamedTuple

from .engine.canonical import loads
from .engine.chain import ChainReader, VerifyResult
from .engine.errors import JsonError
from .engine.findings import Finding
from .engine.replay import MUTATORS, ReplayAudit, ReplayResult
from .engine.scope import Scope, ScopeAudit, ScopeResult
from .engine.transcript import Record, read_records


class FileResult(NamedTuple):
    """What auditing one file found.

    `chain` is there for a sealed file alone, `scope` where a scope was given. After a broken chain the audits are left
    out: what stands behind the break can't be believed.
    """

    path: str
    chain: VerifyResult | None
    replay: ReplayResult | None
    scope: ScopeResult | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all audits, by index, then kind."""
        audits = (self.replay, self.scope)
        return tuple(sorted(finding for audit in audits if audit is not None for finding in audit.findings))


def check_lines(
    lines: Iterable[bytes], name: str, scope: Scope | None = None, mutators: frozenset[str] = MUTATORS
) -> FileResult:
    """Audit the lines of one file in one pass.

    Raises:
        InputError: if it is neither a transcript nor a sealed file.
    """
    begun = iter(lines)
    first: list[bytes] = []
    reader = ChainReader(joined(first, begun), name) if _begins_chain(begun, first) else None
    records = read_records(joined(first, begun), name) if reader is None else (link.record for link in reader)
    replay, overreach = _audit(records, scope, mutators)
    chain = None if reader is None else reader.result
    if chain is not None and not chain:
        return FileResult(name, chain, None, None)
    return FileResult(name, chain, replay, overreach)


def _begins_chain(lines: Iterator[bytes], taken: list[bytes]) -> bool:
    """Tell whether the first line that is not blank is a link; the lines read for that are kept in `taken`."""
    for line in lines:
        taken.append(line)
        if line.strip(b" \t\r\n"):
            try:
                value = loads(line)
            except JsonError:
                return False
            return isinstance(value, dict) and ("digest" in value or "prev" in value)
    return False


def _audit(
    records: Iterable[Record], scope: Scope | None, mutators: frozenset[str]
) -> tuple[ReplayResult, ScopeResult | None]:
    replay = ReplayAudit(mutators)
    overreach = None if scope is None else ScopeAudit(scope)
    for record in records:
        replay.add(record)
        if overreach is not None:
            overreach.add(record)
    return replay.result(), None if overreach is None else overreach.result()
