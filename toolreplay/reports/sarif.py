"""The SARIF 2.1.0 report, as GitHub's code scanning takes it."""

import os
import posixpath
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote

from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL
from toolreplay.engine.links import BrokenLink

from .annotations import path_in_repository
from .escape import json_lines, sarif_text, whole
from .model import Entry, FileEntry, Report
from .rules import BROKEN_CHAIN, RULES
from .text import found_text, message

MOST_RESULTS = 25_000
"""Results of one run that GitHub accepts. It shows 5,000 of them, the most severe first."""

_RULE_INDEX = {rule.id: index for index, rule in enumerate(RULES)}
_ERROR, _WARNING, _NOTE = "error", "warning", "note"
_SEVERITY = (_ERROR, _WARNING, _NOTE)
_GRAVEST_FIRST = (BROKEN_CHAIN, PERMISSION_OVERREACH, NON_DETERMINISM, REDUNDANT_CALL)


class _Result(NamedTuple):
    level: str
    rule: str
    path: str
    line: int
    text: str
    fingerprint: str
    known: bool = False


def sarif_report(report: Report) -> list[str]:
    """Return the lines of the report."""
    results = sorted(_results(report), key=_rank)
    left_out = len(results) - MOST_RESULTS
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "ToolReplay",
                "semanticVersion": report.version,
                "rules": [_rule(rule_id) for rule_id in sorted(_RULE_INDEX)],
            }
        },
        "invocations": [
            {
                "executionSuccessful": report.exit_code != 2,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": _notifications(report, left_out),
            }
        ],
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "The folder in which the files were checked."}},
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, baseline=bool(report.baseline)) for result in results[:MOST_RESULTS]],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json_lines({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _rank(result: _Result) -> tuple[int, int]:
    # By its kind too: else whoever adds a session with 25,000 repeats would push a broken chain out of the report.
    return _SEVERITY.index(result.level), _GRAVEST_FIRST.index(result.rule)


def _rule(rule_id: str) -> dict[str, Any]:
    rule = RULES[_RULE_INDEX[rule_id]]
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.short + "."},
        "fullDescription": {"text": rule.full},
        "help": {"text": rule.help, "markdown": rule.help},
        "defaultConfiguration": {"level": rule.level},
        "properties": {"precision": "very-high", "problem.severity": rule.level, "tags": ["agent", "audit"]},
    }


def _results(report: Report) -> Iterator[_Result]:
    for file in report.files:
        if file.chain is not None and file.chain.broken is not None:
            broken = file.chain.broken
            yield _Result(_ERROR, BROKEN_CHAIN, file.path, broken.line, _broken_text(broken), _fingerprint(broken))
        for entry in file.entries:
            finding = entry.finding
            level = _level(entry)
            text = f"Index {finding.index}: {message(finding)}."
            yield _Result(level, finding.kind, file.path, finding.line, text, entry.fingerprint, entry.known)


def _level(entry: Entry) -> str:
    if entry.fails:
        return _ERROR
    return _NOTE if entry.known else _WARNING


def _broken_text(broken: BrokenLink) -> str:
    return f"First broken link: index {broken.index}; expected: {broken.expected}; found: {found_text(broken)}."


def _fingerprint(broken: BrokenLink) -> str:
    return sha256(f"{BROKEN_CHAIN} {broken.index} {broken.expected}".encode()).hexdigest()


def _result(result: _Result, *, baseline: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": _RULE_INDEX[result.rule],
        "level": result.level,
        "message": {"text": sarif_text(result.text)},
        "locations": [_location(result.path, result.line)],
        # GitHub knows an alert again by the first; its own would be made from the line's text, in which the index
        # changes when calls are added before it.
        "partialFingerprints": {
            "primaryLocationLineHash": result.fingerprint,
            "toolreplayFinding/v1": result.fingerprint,
        },
    }
    if baseline:
        made["baselineState"] = "unchanged" if result.known else "new"
    return made


def _location(path: str, line: int | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": artifact_location(path)}
    if line is not None:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}


def artifact_location(path: str) -> dict[str, str]:
    """Return where a file is: relative to the folder in which it was checked, unless it lies elsewhere."""
    path = path_in_repository(path) or path
    plain = posixpath.normpath(path.replace(os.sep, "/"))
    try:
        uri = quote(plain.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # no file can have such a name, but it can be asked for
        uri = quote(whole(plain))
    if posixpath.isabs(plain) or os.path.isabs(path):
        return {"uri": "file://" + (uri if uri.startswith("/") else "/" + uri)}
    return {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _notifications(report: Report, left_out: int) -> list[dict[str, Any]]:
    made = [_unreadable(file) for file in report.files if file.error is not None]
    if left_out > 0:
        text = f"{left_out} more results are left out: {MOST_RESULTS} are the most that GitHub accepts."
        made.append({"level": _WARNING, "message": {"text": text}})
    for gone in report.gone:
        text = f"Of the baseline, no longer found: {gone.kind}, fingerprint {gone.fingerprint}."
        made.append({"level": _NOTE, "message": {"text": text}, "locations": [_location(gone.path, None)]})
    return made


def _unreadable(file: FileEntry) -> dict[str, Any]:
    error = file.error
    assert error is not None
    made: dict[str, Any] = {"level": _ERROR, "message": {"text": sarif_text(error.cause)}}
    if file.path:
        made["locations"] = [_location(file.path, error.line)]
    return made
