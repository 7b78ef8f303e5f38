"""The JSON report: a format of its own with a version, described by ``docs/report.schema.json``."""

from typing import Any

from toolreplay.engine.errors import InputError

from .escape import json_lines, short, whole
from .model import Entry, FileEntry, Gone, Report
from .text import message

FORMAT = "toolreplay-report"
VERSION = 1
"""Counts up when a field changes its meaning or goes; fields that are new leave it as it is."""


def json_report(report: Report) -> list[str]:
    """Return the lines of the report."""
    return json_lines(
        {
            "format": FORMAT,
            "version": VERSION,
            "generator": f"toolreplay {report.version}",
            "command": report.command,
            "verdict": report.verdict,
            "exit_code": report.exit_code,
            "totals": _totals(report),
            "files": [_file(file) for file in report.files],
            "gone": [_gone(gone) for gone in report.gone],
        }
    )


def _totals(report: Report) -> dict[str, int]:
    entries = [entry for file in report.files for entry in file.entries]
    return {
        "files": len(report.files),
        "unreadable": sum(file.error is not None for file in report.files),
        "broken": sum(file.broken for file in report.files),
        "calls": sum(file.calls for file in report.files),
        "findings": len(entries),
        "known": sum(entry.known for entry in entries),
        "failing": sum(entry.fails for entry in entries),
    }


def _file(file: FileEntry) -> dict[str, Any]:
    read = file.error is None
    audited = read and not file.broken
    return {
        "path": whole(file.path),
        "type": ("transcript" if file.chain is None else "sealed") if read else None,
        "error": None if file.error is None else _error(file.error),
        "calls": file.calls if read else None,
        "divergence": file.replay.divergence if audited and file.replay is not None else None,
        "audits": _audits(file),
        "chain": _chain(file),
        "findings": [_entry(entry) for entry in file.entries],
    }


def _error(error: InputError) -> dict[str, Any]:
    return {"line": error.line, "cause": whole(error.cause)}


def _audits(file: FileEntry) -> list[str]:
    made = (("verify", file.chain), ("replay", file.replay), ("scope", file.scope))
    return [name for name, result in made if result is not None]


def _chain(file: FileEntry) -> dict[str, Any] | None:
    if file.chain is None:
        return None
    broken = file.chain.broken
    return {
        "state": "intact" if broken is None else "broken",
        "links": file.chain.links,
        "head": file.chain.head,
        "broken": None
        if broken is None
        else {
            "index": broken.index,
            "line": broken.line,
            "reason": broken.reason,
            "expected": broken.expected,
            "found": None if broken.found is None else short(broken.found),
        },
    }


def _entry(entry: Entry) -> dict[str, Any]:
    finding = entry.finding
    return {
        "kind": finding.kind,
        "index": finding.index,
        "line": finding.line,
        "tool": short(finding.tool),
        "related": finding.related,
        "agent": None if finding.agent is None else short(finding.agent),
        "message": message(finding),
        "fingerprint": entry.fingerprint,
        "known": entry.known,
        "fails": entry.fails,
    }


def _gone(gone: Gone) -> dict[str, str]:
    return {
        "path": whole(gone.path),
        "kind": gone.kind,
        "tool": short(gone.tool),
        "fingerprint": gone.fingerprint,
    }
