"""The JUnit report, which every CI can show: one suite a file, one case a check."""

from collections.abc import Iterator

from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL

from .escape import markup
from .model import Entry, FileEntry, Report
from .text import message, verify_report

SHOWN_OF_A_CASE = 1000
"""Findings that one case lists; the rest is counted."""


def junit_report(report: Report) -> list[str]:
    """Return the lines of the report."""
    suites = []
    sums = [0, 0, 0, 0]
    for file in report.files:
        cases = list(_cases(file, report.command))
        counts = [len(cases), *(sum(case.state == state for case in cases) for state in _STATES)]
        sums = [before + more for before, more in zip(sums, counts, strict=True)]
        suites.append(f'  <testsuite name="{markup(file.title)}"{_counts(counts)}>')
        for case in cases:
            suites += case.lines(markup(file.title))
        suites.append("  </testsuite>")
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="toolreplay {report.command}"{_counts(sums)}>',
        *suites,
        "</testsuites>",
    ]


_FAILURE, _ERROR, _SKIPPED = _STATES = ("failure", "error", "skipped")


def _counts(counts: list[int]) -> str:
    names = ("tests", "failures", "errors", "skipped")
    return "".join(f' {name}="{count}"' for name, count in zip(names, counts, strict=True))


class _Case:
    """One case: `state` is "" when it passes; `title` sums up what was found, and `texts` are its lines."""

    def __init__(self, name: str, state: str = "", title: str = "", texts: list[str] | None = None) -> None:
        self.name = name
        self.state = state
        self.title = title
        self.texts = texts or []

    def lines(self, path: str) -> Iterator[str]:
        opening = f'    <testcase classname="{path}" name="{self.name}"'
        if not self.title:
            yield f"{opening}/>"
            return
        # A case that passes has no place for a message; what was found all the same is its output.
        element = self.state or "system-out"
        message_ = f' message="{markup(self.title)}"' if self.state else ""
        type_ = f' type="{self.name}"' if self.state in (_FAILURE, _ERROR) else ""
        yield f"{opening}>"
        if not self.texts:
            yield f"      <{element}{message_}{type_}/>"
        else:
            yield f"      <{element}{message_}{type_}>"
            yield from (f"        {markup(text)}" for text in self.texts)
            yield f"      </{element}>"
        yield "    </testcase>"


def _cases(file: FileEntry, command: str) -> Iterator[_Case]:
    if file.error is not None:
        yield _Case("input", _ERROR, str(file.error), [f"error: {file.error}"])
        return
    if file.chain is not None:
        texts = verify_report(file.chain)
        yield _Case("chain", _FAILURE, "chain: broken", texts) if file.broken else _Case("chain")
    if file.broken:
        for kind in (NON_DETERMINISM, REDUNDANT_CALL) if command == "check" else ():
            yield _Case(kind, _SKIPPED, "not audited: the chain is broken")
        return
    audited = [] if file.replay is None else [NON_DETERMINISM, REDUNDANT_CALL]
    audited += [] if file.scope is None else [PERMISSION_OVERREACH]
    for kind in audited:
        yield _audit(kind, [entry for entry in file.entries if entry.finding.kind == kind])


def _audit(kind: str, entries: list[Entry]) -> _Case:
    if not entries:
        return _Case(kind)
    texts = [_text(entry) for entry in entries[:SHOWN_OF_A_CASE]]
    if len(entries) > SHOWN_OF_A_CASE:
        texts.append(f"{len(entries) - SHOWN_OF_A_CASE} more")
    state = _FAILURE if any(entry.fails for entry in entries) else ""
    return _Case(kind, state, f"findings: {len(entries)}", texts)


def _text(entry: Entry) -> str:
    finding = entry.finding
    known = " (known)" if entry.known else ""
    return f"line {finding.line}: index {finding.index}: {message(finding)}{known}"
