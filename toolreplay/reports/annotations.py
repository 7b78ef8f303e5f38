"""Annotations: findings shown by GitHub on the line of the file where they stand.

Of each type of annotation the first ten of a step are shown and the others silently dropped. So they are spent by
severity, then in the order of the report, and when there are more the last one says how many and in which files.
"""

import os
import posixpath
from bisect import insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL
from toolreplay.engine.growth import SEAL_BROKEN, SEAL_REMOVED, SEAL_REWRITTEN, SEAL_TRUNCATED, SealFinding
from toolreplay.engine.quoting import bare
from toolreplay.engine.results import FileResult, Outcome

from .guard_text import seal_message
from .text import message, verify_report
from .workflow_commands import can_be_property, command

SHOWN_OF_EACH_LEVEL = 10
"""Annotations of one type that GitHub shows for a step."""

ERROR, WARNING = "error", "warning"
BAD_INPUT, BROKEN_CHAIN, UNREADABLE = "bad-input", "broken-chain", "unreadable"

_SEALS = (SEAL_REMOVED, SEAL_REWRITTEN, SEAL_TRUNCATED, SEAL_BROKEN)
_BY_SEVERITY = (BAD_INPUT, UNREADABLE, *_SEALS, BROKEN_CHAIN, PERMISSION_OVERREACH, NON_DETERMINISM, REDUNDANT_CALL)
_FILES_NAMED = 10


class Annotation(NamedTuple):
    """One annotation: `level` is error or warning, `title` the kind, `text` a finished text of one line.

    `path` is the file as it was named, `None` where there is none; `line` is 1-based.
    """

    level: str
    title: str
    text: str
    path: str | None = None
    line: int | None = None


def annotations(outcomes: Iterable[Outcome], fail_on: frozenset[str]) -> Iterator[Annotation]:
    """Yield an annotation for each finding, broken chain and unreadable file, in the order of the report.

    What makes the run fail is an error, a finding of another kind a warning.
    """
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            title = BAD_INPUT if outcome.name is None else UNREADABLE
            yield Annotation(ERROR, title, outcome.cause, outcome.name, outcome.line)
        else:
            yield from _of_file(outcome, fail_on)


def _of_file(result: FileResult, fail_on: frozenset[str]) -> Iterator[Annotation]:
    if result.chain is not None and result.chain.broken is not None:
        text = "; ".join(verify_report(result.chain)[1:])
        yield Annotation(ERROR, BROKEN_CHAIN, text, result.path, result.chain.broken.line)
    for finding in result.findings:
        level = ERROR if finding.kind in fail_on else WARNING
        yield Annotation(level, finding.kind, message(finding), result.path, finding.line)


def seal_annotations(findings: Iterable[SealFinding]) -> list[Annotation]:
    """Return an annotation for each finding of the guard, all of which make the run fail."""
    return [Annotation(ERROR, one.kind, seal_message(one), one.path, one.line) for one in findings]


def annotation_lines(given: Iterable[Annotation]) -> list[str]:
    """Return the commands that show annotations, errors first, no more of each level than GitHub shows."""
    levels = {ERROR: _Level(), WARNING: _Level()}
    for annotation in given:
        levels[annotation.level].add(annotation)
    return [_line(annotation) for level in levels.values() for annotation in level.shown()]


class _Level:
    """Takes the annotations of one level and holds the most severe: there may be a million more."""

    def __init__(self) -> None:
        self._first: list[tuple[int, int, Annotation]] = []
        self._total = 0
        self._by_path: dict[str | None, int] = {}

    def add(self, annotation: Annotation) -> None:
        self._total += 1
        self._by_path[annotation.path] = self._by_path.get(annotation.path, 0) + 1
        entry = (_severity(annotation), self._total, annotation)  # the number keeps the order among equals
        if len(self._first) < SHOWN_OF_EACH_LEVEL or entry < self._first[-1]:
            insort(self._first, entry)
            del self._first[SHOWN_OF_EACH_LEVEL:]

    def shown(self) -> list[Annotation]:
        first = [annotation for _, _, annotation in self._first]
        if self._total <= SHOWN_OF_EACH_LEVEL:
            return first
        del first[-1]
        return [*first, self._rest(first)]

    def _rest(self, first: list[Annotation]) -> Annotation:
        left = self._total - len(first)
        counts = dict(self._by_path)
        for annotation in first:
            counts[annotation.path] -= 1
        named = [f"{bare(path)} ({counts[path]})" for path in sorted(filter(None, counts)) if counts[path]]
        if len(named) > _FILES_NAMED:
            named[_FILES_NAMED:] = [f"{len(named) - _FILES_NAMED} other files"]
        where = f": {', '.join(named)}" if named else ""
        return Annotation(first[0].level, f"{left} more", f"{left} more in the report in the log of this step{where}")


def _severity(annotation: Annotation) -> int:
    return _BY_SEVERITY.index(annotation.title) if annotation.title in _BY_SEVERITY else -1


def _line(annotation: Annotation) -> str:
    level, title, text, path, line = annotation
    properties = {"title": title}
    if path is not None:
        place = path_in_repository(path)
        if place is not None and can_be_property(place):
            properties["file"] = place
            if line is not None:
                properties["line"] = str(line)
        else:
            text = f"{bare(path)}:{'' if line is None else f'{line}:'} {text}"
    return command(level, properties, text)


def path_in_repository(path: str) -> str | None:
    """Return a path as GitHub wants it: relative to the current folder, with ``/``, without ``./``.

    `None` if it doesn't lie below the current folder by its spelling.
    """
    if os.path.isabs(path):
        try:
            path = os.path.relpath(path)
        except ValueError:  # on another drive, or no path at all
            return None
    plain = posixpath.normpath(path.replace(os.sep, "/"))
    return None if plain in (".", "..") or plain.startswith(("../", "/")) else plain
