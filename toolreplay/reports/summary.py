"""The summary of a step: Markdown that GitHub shows on the page of the run.

All that comes from the input stands in ``<pre>``, escaped for HTML, in a block of HTML without a blank line: so it is
neither Markdown nor a mention, a link or an emoji. A Markdown fence could be closed by the text inside it.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from toolreplay.engine.errors import InputError
from toolreplay.engine.growth import GuardResult
from toolreplay.engine.quoting import bare
from toolreplay.engine.results import FileResult, Outcome, totals

from .escape import markup
from .guard_text import guard_report
from .text import file_report

LIMIT = 1_048_576
"""Bytes that a summary may have; GitHub drops a longer one whole."""

_RESERVED = 1024  # for the lines that count what is left out
_TABLE_SHARE = 2  # a half of the room at most, so that there is some for the findings
_HEAD = "<table>\n<tr><th>file</th><th>what it is</th><th>calls</th><th>findings</th></tr>\n"


def summary(outcomes: Sequence[Outcome], limit: int = LIMIT, guarded: GuardResult | None = None) -> str:
    """Return the verdict, a table of the files and the findings of each file, in at most `limit` bytes.

    `guarded` is what the comparison with a commit found, where one was asked for.
    """
    reports = chain(map(_report, outcomes), [] if guarded is None else [guard_report(guarded)])
    figures = totals(outcomes, 0 if guarded is None else len(guarded.findings))
    findings = figures.findings + figures.broken
    text = f"### ToolReplay: {figures.verdict}\n\n"
    text += f"Files: {figures.files}, calls: {figures.calls}, findings: {findings}.\n\n"
    room = limit - _RESERVED - len(text.encode())
    table, rows_left = _table(outcomes, room // _TABLE_SHARE)
    blocks, lines_left = _blocks(reports, room - len(table.encode()))
    text += table
    if rows_left:
        text += f"Files that are not in this table: {rows_left}.\n\n"
    text += blocks
    if lines_left:
        text += f"Lines of the report that are not shown here: {lines_left}. The log of the step has them all.\n"
    return text


def _table(outcomes: Sequence[Outcome], room: int) -> tuple[str, int]:
    files = [outcome for outcome in outcomes if not isinstance(outcome, InputError) or outcome.name is not None]
    rows = _that_fit(map(_row, files), room)
    return (f"{_HEAD}{''.join(rows)}</table>\n\n" if rows else ""), len(files) - len(rows)


def _blocks(reports: Iterable[Sequence[str]], room: int) -> tuple[str, int]:
    blocks = []
    left = 0
    for report in reports:
        lines = _that_fit((f"{markup(line)}\n" for line in report), room)
        left += len(report) - len(lines)
        if lines:
            block = f"<pre>\n{''.join(lines)}</pre>\n\n"
            blocks.append(block)
            room -= len(block.encode())
    return "".join(blocks), left


def _that_fit(pieces: Iterable[str], room: int) -> list[str]:
    """Return the first pieces that fit into some bytes."""
    kept = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            break
        kept.append(piece)
    return kept


def _row(outcome: Outcome) -> str:
    if isinstance(outcome, InputError):
        return _cells(outcome.name or "", "unreadable", "", "")
    return _cells(outcome.path, _what(outcome), str(outcome.calls), str(len(outcome.findings)))


def _what(result: FileResult) -> str:
    if result.chain is None:
        return "transcript"
    return "sealed, chain intact" if result.chain else "sealed, chain broken"


def _cells(path: str, *others: str) -> str:
    cells = "".join(f"<td>{other}</td>" for other in others)
    return f"<tr><td><pre>{markup(bare(path))}</pre></td>{cells}</tr>\n"


def _report(outcome: Outcome) -> list[str]:
    if isinstance(outcome, InputError):
        return [f"error: {outcome}"]
    broken = outcome.chain is not None and not outcome.chain
    return file_report(outcome) if broken or outcome.findings else []
