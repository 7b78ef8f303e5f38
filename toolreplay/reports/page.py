"""The HTML report: one page that needs nothing else and asks nobody for anything.

Everything from the input is escaped, and no part of it stands in a script, a style or an address. The page's own
Content-Security-Policy is a second wall: it allows the one script and the one style below, known by their digests, and
no request at all.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pkgutil import get_data

from toolreplay.engine.findings import KINDS
from toolreplay.engine.quoting import bare, quoted

from .calls import CLASSES, Call, Calls
from .content import Content
from .escape import markup
from .model import FileEntry, Report
from .text import message, verify_report
from .values import isolated

_LISTED = 500
"""Findings of a file that are listed before its calls, and files that are listed before the first."""
_LISTED_AT_ONCE = 20


def file_section(number: int, file: FileEntry, calls: Iterable[Call], content: Content | None) -> Iterator[str]:
    """Give the lines of one file's section; `content` is `None` where arguments and responses are left out."""
    yield f'<section><h2 id="f{number}"><bdi>{markup(bare(file.title))}</bdi></h2>'
    if file.error is not None:
        yield f'<p class="b">{isolated(f"error: {file.error}")}</p></section>'
        return
    if file.chain is not None and file.broken:
        state, *where = verify_report(file.chain)
        yield f'<div class="b"><b>{state}</b><br>{"<br>".join(isolated(line) for line in where)}'
        yield "<p>The first broken link and what stands behind it can't be believed and are not shown.</p></div>"
    yield from _facts(file)
    if file.entries:
        yield from _listed(number, file)
    yield from Calls(number, file.entries, file.calls, content).lines(calls)
    if file.broken:
        yield '<p class="e">The chain breaks here.</p>'
    elif not file.calls:
        yield '<p class="x">There are no calls in this file.</p>'
    yield "</section>"


def _facts(file: FileEntry) -> Iterator[str]:
    calls = "calls before the break" if file.broken else "calls"
    facts = [("type", "transcript" if file.chain is None else "sealed file"), (calls, str(file.calls))]
    if file.replay is not None:
        divergence = file.replay.divergence
        facts.append(("divergence", "none" if divergence is None else f"index {divergence}"))
    if file.chain is not None:
        facts.append(("chain", "broken" if file.broken else "intact"))
        if file.chain.head is not None:
            facts.append(("head before the break" if file.broken else "head", f"<code>{file.chain.head}</code>"))
    if not file.entries and (file.replay is not None or file.scope is not None):
        facts.append(("findings", "0"))
    yield "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in facts) + "</dl>"


def _listed(number: int, file: FileEntry) -> Iterator[str]:
    total = len(file.entries)
    yield f"<details{' open' if total <= _LISTED_AT_ONCE else ''}><summary>findings: {total}</summary><ul>"
    for entry in file.entries[:_LISTED]:
        finding = entry.finding
        known = " (known)" if entry.known else ""
        yield (
            f'<li><a href="#c{number}-{finding.index}">index {finding.index}</a>: '
            f"{finding.kind}{known}: {isolated(message(finding))}</li>"
        )
    if total > _LISTED:
        yield f"<li>{total - _LISTED} more are marked below</li>"
    yield "</ul></details>"


def page_head(report: Report, content: Content | None) -> Iterator[str]:
    """Give the lines of the page before the first file's section."""
    style, script = _part("page.css"), _part("page.js")
    allowed = f"style-src {_hash(style)}; script-src {_hash(script)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">'
    yield f"<title>ToolReplay {report.command}: {report.verdict}</title>"
    yield from f"<style>{style}</style></head><body>".split("\n")
    yield '<a class="skip" href="#files">Skip to the files</a>'
    yield f'<h1>ToolReplay {report.command}: <span class="{report.verdict}">{report.verdict}</span></h1>'
    yield from _totals(report)
    yield f"<p>{_said_of(content)}</p>"
    if report.gone:
        yield from _gone(report)
    yield from _filter()
    yield '<main id="files">'
    if len(report.files) > 1:
        yield from _contents(report)


def _totals(report: Report) -> Iterator[str]:
    entries = [entry for file in report.files for entry in file.entries]
    facts = [("files", len(report.files), "c"), ("calls", sum(file.calls for file in report.files), "c")]
    for kind in KINDS:
        # Nothing found where nobody looked would read as good news.
        if any(file.audits(kind) for file in report.files):
            facts.append((kind, sum(entry.finding.kind == kind for entry in entries), CLASSES[kind]))
    facts += [
        ("broken chains", sum(file.broken for file in report.files), "b"),
        ("unreadable files", sum(file.error is not None for file in report.files), "b"),
    ]
    if report.baseline:
        facts += [("known findings", sum(entry.known for entry in entries), "c"), ("gone", len(report.gone), "c")]
    yield '<dl class="t">' + "".join(map(_total, facts)) + "</dl>"


def _total(fact: tuple[str, int, str]) -> str:
    name, number, kind = fact
    colour = f"t{kind}" if number else "tz"
    return f'<div class="{colour}"><dt>{name}</dt><dd>{number}</dd></div>'


def _gone(report: Report) -> Iterator[str]:
    yield f"<details><summary>in the baseline, but no longer found: {len(report.gone)}</summary><ul>"
    for gone in report.gone[:_LISTED]:
        yield f"<li>{isolated(f'{bare(gone.path)}: {gone.kind}: tool {quoted(gone.tool)}')}</li>"
    if len(report.gone) > _LISTED:
        yield f"<li>{len(report.gone) - _LISTED} more</li>"
    yield "</ul></details>"


def _said_of(content: Content | None) -> str:
    if content is None:
        return "Arguments and responses were left out of this page."
    if content.cut or content.left_out:
        return (
            f"This page does not show everything: {content.cut} long values are cut, each with a mark, "
            f"and {content.left_out} are left out because the page is full."
        )
    return "Arguments and responses of the calls below are shown in full."


def _filter() -> Iterator[str]:
    yield '<form id="filter" hidden><input id="words" type="search" placeholder="Filter calls by text" '
    yield 'aria-label="Filter calls by text"><select id="kind" aria-label="Which calls"><option value="">all calls'
    yield '<option value="f">with findings'
    for kind in KINDS:
        yield f'<option value="{CLASSES[kind]}">{kind}'
    yield '</select><button type="button" id="previous">Previous finding</button>'
    yield '<button type="button" id="next">Next finding</button><output id="count" aria-live="polite"></output></form>'
    yield '<p id="none" hidden>No call fits the filter.</p>'


def _contents(report: Report) -> Iterator[str]:
    yield '<ul class="l">'
    for number, file in enumerate(report.files[:_LISTED]):
        yield f'<li><a href="#f{number}"><bdi>{markup(bare(file.title))}</bdi></a>: {_in_short(file)}</li>'
    if len(report.files) > _LISTED:
        yield f"<li>{len(report.files) - _LISTED} more files</li>"
    yield "</ul>"


def _in_short(file: FileEntry) -> str:
    if file.error is not None:
        return '<b class="error">unreadable</b>'
    if file.broken:
        return '<b class="error">chain broken</b>'
    count = len(file.entries)
    if not count:
        return "no findings"
    text = "1 finding" if count == 1 else f"{count} findings"
    return f'<b class="findings">{text}</b>' if file.fails else text


def page_tail() -> Iterator[str]:
    """Give the lines of the page behind the last file's section."""
    yield from f"</main><script>{_part('page.js')}</script></body></html>".split("\n")


def _part(name: str) -> str:
    data = get_data(__package__, name)
    assert data is not None  # it is in the package
    return data.decode().replace("\r\n", "\n")  # a checkout on Windows may have the one or the other


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
