"""The summary of a step: Markdown that GitHub shows on the page of the run.

All that comes from the input stands in ``<pre>``, escaped for HTML, in a block of HTML without a blank line: so it is
neither Markdown nor a mention, a link or an emoji. A Markdown fence could be closed by the text inside it.
"""

from collections.abc import Callable, Sequence

from toolreplay.engine.errors import InputError
from toolreplay.engine.quoting import bare
from toolreplay.engine.results import FileResult, Outcome, totals

from .text import file_report

LIMIT = 1_048_576
"""Bytes that a summary may have; GitHub drops a longer one whole."""

_RESERVED = 1024  # for the lines that count what is left out
_TABLE_SHARE = 2  # a half of the room at most, so that there is some for the findings
_HEAD = "<table>\n<tr><th>file</th><th>what it is</th><th>calls</th><th>findings</th></tr>\n"


def summary(outcomes: Sequence[Outcome], limit: int = LIMIT) -> str:
    """Return the verdict, a table of the files and the findings of each file, in at most `limit` bytes."""
    figures = totals(outcomes)
    findings = figures.findings + figures.broken
    head = (
        f"### ToolReplay: {figures.verdict}\n\nFiles: {figures.files}, calls: {figures.calls}, findings: {findings}.\n\n"
    )
    room = limit - _RESERVED - len(head.encode()) - len(_HEAD)
    rows, rows_left = _that_fit([_row(outcome) for outcome in outcomes], room // _TABLE_SHARE)
    blocks, blocks_left = _that_fit(
        [_block(outcome) for outcome in outcomes if _has_something(outcome)], room - len(rows.encode())
    )
    text = head + (f"{_HEAD}{rows}</table>\n\n" if outcomes else "")
    if rows_left:
        text += f"Files that are not in this table: {rows_left}.\n\n"
    text += blocks
    if blocks_left:
        text += f"Files with findings that are not shown here: {blocks_left}. The log of the step has them all.\n"
    return text


def _that_fit(pieces: Sequence[str], room: int) -> tuple[str, int]:
    """Join the first pieces that fit into some bytes, and count the others."""
    used = kept = 0
    for piece in pieces:
        used += len(piece.encode())
        if used > room:
            break
        kept += 1
    return "".join(pieces[:kept]), len(pieces) - kept


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
    return f"<tr><td><pre>{_escaped(bare(path))}</pre></td>{cells}</tr>\n"


def _has_something(outcome: Outcome) -> bool:
    return isinstance(outcome, InputError) or bool(outcome.findings) or (outcome.chain is not None and not outcome.chain)


def _block(outcome: Outcome) -> str:
    lines = [f"error: {outcome}"] if isinstance(outcome, InputError) else file_report(outcome)
    return "<pre>\n" + "".join(f"{_escaped(line)}\n" for line in lines) + "</pre>\n\n"


def _escaped(text: str) -> str:
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(character, entity)
    return text
