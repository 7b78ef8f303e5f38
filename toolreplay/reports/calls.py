"""The calls of a session as HTML: each a fold with its findings, arguments and response."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolreplay.engine.canonical import dumps
from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL
from toolreplay.engine.quoting import bare
from toolreplay.engine.transcript import Record

from .content import Content, Share
from .differences import Line, differences
from .escape import markup
from .model import Entry
from .text import message
from .values import Shown, isolated, line_markup, markup_length, shown

CLASSES = {NON_DETERMINISM: "n", PERMISSION_OVERREACH: "p", REDUNDANT_CALL: "r"}
"""Short names of the kinds, which a page of 50,000 calls has room for."""

_GROUP, _TEN = 50, 10
_CUT = '<p class="x">… cut here</p>'


class Call(NamedTuple):
    """One call, and the digest of its link in a sealed file."""

    record: Record
    digest: str | None = None


class Calls:
    """Writes the calls of one file. It holds the first responses that later calls are compared with, nothing else.

    `content` is `None` where arguments and responses are left out.
    """

    def __init__(self, file: int, entries: Iterable[Entry], calls: int, content: Content | None) -> None:
        self._file = file
        self._calls = calls
        self._entries: dict[int, list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault(entry.finding.index, []).append(entry)
        self._wanted = {
            entry.finding.related
            for of_call in self._entries.values()
            for entry in of_call
            if entry.finding.kind == NON_DETERMINISM
        }
        self._first: dict[int, Shown] = {}
        self._before: dict[str, Any] = {}
        self._content = content
        if content is not None:
            self._plain, self._marked = content.shares(calls, len(self._entries))

    def lines(self, calls: Iterable[Call]) -> Iterator[str]:
        """Give the lines of the calls, in groups that a browser need not lay out while they are out of sight.

        Until then it keeps the room of a full group for each. A smaller one says how many tens of calls it has.
        """
        position = 0
        for call in calls:
            if position % _GROUP == 0:
                left = self._calls - position
                size = "g" if left >= _GROUP else f"g g{left // _TEN}"
                yield f'{"</div>" if position else ""}<div class="{size}">'
            yield from self._call(call)
            position += 1
        if position:
            yield "</div>"

    def _call(self, call: Call) -> Iterator[str]:
        record = call.record
        entries = self._entries.get(record.index, [])
        kinds = "".join(f" {CLASSES[entry.finding.kind]}" for entry in entries)
        if entries and all(entry.known for entry in entries):
            kinds += " k"
        digest = "" if call.digest is None else f" <code>{call.digest[:12]}</code>"
        marks = "".join(f" {_mark(entry)}" for entry in entries)
        yield (
            f'<details class="c{" f" if entries else ""}{kinds}" id="c{self._file}-{record.index}"><summary>'
            f"<b>{record.index}</b> <bdi>{markup(bare(record.tool))}</bdi>"
            f"{marks}{digest} <i>line {record.line}</i></summary>"
        )
        for entry in entries:
            yield self._finding(entry)
        if self._content is not None:
            yield from self._values(record, entries, self._content)
        yield "</details>"

    def _finding(self, entry: Entry) -> str:
        finding = entry.finding
        link = "" if finding.related is None else f" (see {self._link(finding.related)})"
        return f'<p class="m">{finding.kind}{_known(entry)}: {isolated(message(finding))}{link}</p>'

    def _link(self, index: int) -> str:
        return f'<a href="#c{self._file}-{index}">call {index}</a>'

    def _values(self, record: Record, entries: list[Entry], content: Content) -> Iterator[str]:
        share = self._marked if entries else self._plain
        yield from _value("arguments", self._shown(record.args, share, content))
        response = self._shown(record.response, self._marked if record.index in self._wanted else share, content)
        if record.index in self._wanted and response is not None:
            self._first[record.index] = response
        first = None
        for entry in entries:
            if entry.finding.kind == NON_DETERMINISM:
                first = entry.finding.related
            if entry.finding.kind == REDUNDANT_CALL:
                equal = dumps(record.response) == dumps(self._before)
                yield f"<p>Its response {'equals' if equal else 'differs from'} that of call {record.index - 1}.</p>"
        if first is not None and response is not None and first in self._first:
            yield from self._beside(first, self._first[first], response, content)
        else:
            yield from _value("response", response)
        self._before = record.response

    def _shown(self, value: Any, share: Share, content: Content) -> Shown | None:
        limit = share.limit()
        if limit == 0:
            content.left_out += 1
            return None
        made = shown(value, limit)
        content.count(sum(map(markup_length, made.lines)), share, cut=made.cut)
        return made

    def _beside(self, index: int, first: Shown, second: Shown, content: Content) -> Iterator[str]:
        found = differences(first.lines, second.lines, content.steps())
        content.take_steps(found.steps)
        yield '<div class="d"><div>'
        yield from _marked(f"first response, of {self._link(index)}", found.first, "del", cut=first.cut)
        yield "</div><div>"
        yield from _marked("this response", found.second, "ins", cut=second.cut)
        yield "</div></div>"
        if first.lines == second.lines:
            yield "<p>They differ only in what is cut here.</p>"


def _known(entry: Entry) -> str:
    return " (known)" if entry.known else ""


def _mark(entry: Entry) -> str:
    kind = entry.finding.kind
    return f'<mark class="{"k" if entry.known else CLASSES[kind]}">{kind}{_known(entry)}</mark>'


def _value(title: str, value: Shown | None) -> Iterator[str]:
    if value is None:
        yield f'<h3>{title}</h3><p class="x">left out: the page is full</p>'
        return
    yield f"<h3>{title}</h3><pre>{line_markup(value.lines[0])}"
    yield from (line_markup(line) for line in value.lines[1:])
    yield f"</pre>{_CUT if value.cut else ''}"


def _marked(title: str, lines: list[Line], element: str, *, cut: bool) -> Iterator[str]:
    opening = f"<h3>{title}</h3><pre>"
    for line, start, end in lines:
        marked = line_markup(line[start:end])
        middle = f"<{element}>{marked}</{element}>" if start < end else ""
        yield opening + line_markup(line[:start]) + middle + line_markup(line[end:])
        opening = ""
    yield f"</pre>{_CUT if cut else ''}"
