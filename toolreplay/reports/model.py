"""What a run found, ready for the formats: files, audits and findings with fingerprints, in the order of the report."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from toolreplay.engine.canonical import dumps
from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import PERMISSION_OVERREACH, Finding
from toolreplay.engine.links import VerifyResult
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import Outcome
from toolreplay.engine.scope import ScopeResult

CLEAN, FINDINGS, ERROR = VERDICTS = ("clean", "findings", "error")
"""What a run comes to, in the order of its exit codes, but that findings which fail nothing are findings too."""


class Entry(NamedTuple):
    """One finding of a report; `known` says that a baseline has it, `fails` that it makes the run fail."""

    finding: Finding
    fingerprint: str
    known: bool
    fails: bool


class FileEntry(NamedTuple):
    """One file of a report: the error that kept it from being read, or its audits and their findings.

    `path` is empty for an error that is about no file.
    """

    path: str
    error: InputError | None = None
    chain: VerifyResult | None = None
    replay: ReplayResult | None = None
    scope: ScopeResult | None = None
    entries: tuple[Entry, ...] = ()
    calls: int = 0

    @property
    def title(self) -> str:
        """What the file is called where something must be."""
        return self.path or "input"

    @property
    def broken(self) -> bool:
        """Whether its chain is broken."""
        return self.chain is not None and not self.chain

    def audits(self, kind: str) -> bool:
        """Tell whether findings of a kind were looked for."""
        return (self.scope if kind == PERMISSION_OVERREACH else self.replay) is not None

    @property
    def fails(self) -> bool:
        """Whether it makes the run fail, a broken chain and an unreadable file included."""
        return self.error is not None or self.broken or any(entry.fails for entry in self.entries)


class Gone(NamedTuple):
    """An entry of a baseline that no longer occurs."""

    path: str
    fingerprint: str
    kind: str
    tool: str


class Report(NamedTuple):
    """A run: which command of which version, its files, and what is gone of its baseline, if it had one."""

    command: str
    version: str
    files: tuple[FileEntry, ...]
    baseline: bool = False
    gone: tuple[Gone, ...] = ()

    @property
    def exit_code(self) -> int:
        """2 if a file could not be read, else 1 if one fails, else 0."""
        if any(file.error is not None for file in self.files):
            return 2
        return 1 if any(file.fails for file in self.files) else 0

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if self.exit_code == 2:
            return ERROR
        return FINDINGS if any(file.entries or file.broken for file in self.files) else CLEAN


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """Return a fingerprint for each finding of one file, 64 hex digits.

    It is made from the finding's kind, its canonical call, whose scope was left, and how many equal findings come
    before it in the file. So it stays the same when other calls are added, before it or behind it.
    """
    seen: dict[tuple[str, bytes, str | None], int] = {}
    made = []
    for finding in findings:
        same = (finding.kind, finding.call, finding.agent)
        occurrence = seen[same] = seen.get(same, -1) + 1
        parts = {"agent": finding.agent, "call": finding.call.hex(), "kind": finding.kind, "occurrence": occurrence}
        made.append(sha256(dumps(parts)).hexdigest())
    return made


def file_entry(outcome: Outcome, path: str, fail_on: frozenset[str], known: frozenset[str] = frozenset()) -> FileEntry:
    """Make the entry of one file.

    Args:
        outcome: what became of it.
        path: its name, as the user gave it.
        fail_on: the kinds of finding that make the run fail.
        known: the fingerprints that its baseline has.
    """
    if isinstance(outcome, InputError):
        return FileEntry(path, outcome)
    entries = []
    findings = outcome.findings
    for finding, fingerprint in zip(findings, fingerprints(findings), strict=True):
        is_known = fingerprint in known
        entries.append(Entry(finding, fingerprint, is_known, finding.kind in fail_on and not is_known))
    return FileEntry(path, None, outcome.chain, outcome.replay, outcome.scope, tuple(entries), outcome.calls)
