"""Baselines: findings that are known and fail nothing.

A baseline is one JSON object with the fields `format` (``"toolreplay-baseline"``), `version` (1) and `findings`, an
array of objects with the fields `path`, `fingerprint`, `kind` and `tool`; the last two are there for readers alone. It
is read as strictly as a transcript: whoever can slip something into it decides what passes.

Paths are relative to the current folder, with ``/``, so that a baseline made on one machine holds on another. A broken
chain has no fingerprint and can't be in a baseline.
"""

import os
import posixpath
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .engine.canonical import loads
from .engine.errors import InputError, JsonError
from .engine.findings import KINDS
from .engine.quoting import bare, key, quoted
from .engine.results import Outcome
from .names import as_text
from .output import OutputError
from .replacing import write_file
from .reports.escape import json_lines, short, whole
from .reports.model import FileEntry, Gone, fingerprints
from .workspace import Workspace, whole_in

FORMAT = "toolreplay-baseline"
VERSION = 1
_FIELDS = ("format", "version", "findings")
_ENTRY_FIELDS = ("path", "fingerprint", "kind", "tool")


class Baseline(NamedTuple):
    """Known findings, by path and fingerprint."""

    findings: dict[str, dict[str, Gone]]

    def known(self, path: str) -> frozenset[str]:
        """Return the fingerprints that are known of a file."""
        return frozenset(self.findings.get(baseline_path(path), ()))

    def gone(self, files: Iterable[FileEntry]) -> tuple[Gone, ...]:
        """Return the entries that no longer occur in the files that were audited, in the order of the report."""
        gone: list[Gone] = []
        for file in files:
            found = {entry.fingerprint for entry in file.entries}
            entries = self.findings.get(baseline_path(file.path), {})
            for fingerprint, entry in sorted(entries.items()):
                if fingerprint not in found and file.audits(entry.kind):
                    gone.append(entry)
        return tuple(gone)


NOTHING_KNOWN = Baseline({})


class Baselines(NamedTuple):
    """The baseline that a run goes by, and the file that a new one is written to (`None`: none is written).

    What is written to a baseline is known at once.
    """

    old: Baseline = NOTHING_KNOWN
    used: bool = False
    target: str | None = None

    def known(self, path: str, outcome: Outcome) -> frozenset[str]:
        """Return the fingerprints that are known of a file."""
        if self.target is not None and not isinstance(outcome, InputError):
            return frozenset(fingerprints(outcome.findings))
        return self.old.known(path)

    def write(self, files: Sequence[FileEntry]) -> None:
        """Write the new baseline, if one is asked for.

        Raises:
            OutputError: if it can't be written. It isn't when a file could not be read: half of what is known would
                make the other half new again.
        """
        if self.target is None:
            return
        if any(file.error is not None for file in files):
            raise OutputError(f"{bare(as_text(self.target))}: not written, since not every file could be read")
        write_file(self.target, [(line + "\n").encode() for line in baseline_lines(files, self.old)])


def baseline_path(path: str) -> str:
    """Return a path as baselines have it."""
    try:
        relative = os.path.relpath(path, as_text(os.getcwd())) if os.path.isabs(path) else path
    except ValueError:  # on another drive
        relative = path
    return whole(posixpath.normpath(relative.replace(os.sep, "/")))


def baseline_lines(checked: Iterable[FileEntry], old: Baseline) -> list[str]:
    """Write the baseline that makes every finding of these files a known one, in lines without their ends.

    What an old baseline knows that was not looked for this time is kept.
    """
    files = {baseline_path(file.path): file for file in checked}
    findings = [
        gone._asdict() | {"tool": short(gone.tool)}
        for path, entries in old.findings.items()
        for gone in entries.values()
        if path not in files or not files[path].audits(gone.kind)
    ]
    findings += [
        {
            "path": path,
            "fingerprint": entry.fingerprint,
            "kind": entry.finding.kind,
            "tool": short(entry.finding.tool),
        }
        for path, file in files.items()
        for entry in file.entries
    ]
    findings.sort(key=lambda finding: (finding["path"], finding["fingerprint"]))
    return json_lines({"format": FORMAT, "version": VERSION, "findings": findings})


def parse_baseline(data: bytes, name: str) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: if it is none.
    """
    try:
        value = loads(data)
    except JsonError as error:
        raise InputError(error.cause, name, 1 + error.newlines) from None
    _must_be(value, _FIELDS, name)
    if value["format"] != FORMAT or value["version"] != VERSION or type(value["version"]) is not int:
        raise InputError("not a baseline of a version that is known here", name)
    if type(value["findings"]) is not list:
        raise InputError(f"field {key('findings')} must be an array", name)
    known: dict[str, dict[str, Gone]] = {}
    for position, entry in enumerate(value["findings"]):
        place = f"entry {position} of {key('findings')}: "
        _must_be(entry, _ENTRY_FIELDS, name, place)
        for field in _ENTRY_FIELDS:
            if type(entry[field]) is not str:
                raise InputError(f"{place}field {key(field)} must be a string", name)
        if entry["kind"] not in KINDS:
            raise InputError(f"{place}not a kind of finding: {quoted(entry['kind'])}", name)
        known.setdefault(entry["path"], {})[entry["fingerprint"]] = Gone(**entry)
    return Baseline(known)


def _must_be(value: Any, fields: tuple[str, ...], name: str, place: str = "") -> None:
    if type(value) is not dict:
        raise InputError(f"{place}not an object", name)
    for field in value:
        if field not in fields:
            raise InputError(f"{place}unexpected field: {key(field)}", name)
    for field in fields:
        if field not in value:
            raise InputError(f"{place}missing field: {key(field)}", name)


def baselines_in(
    workspace: Workspace, path: str | None, target: str | None, *, dash_is_stdin: bool = False
) -> Baselines:
    """Read the baseline that a run goes by, as carefully as the files that are checked.

    Raises:
        InputError: if it can't be read or is none.
    """
    if path is None:
        return Baselines(used=target is not None, target=target)
    read = parse_baseline(*whole_in(workspace, path, dash_is_stdin=dash_is_stdin))
    return Baselines(read, used=True, target=target)
