"""Annotations: findings shown by GitHub on the line of the file where they stand.

Of each type of annotation the first ten of a step are shown and the others silently dropped. So they are spent by
severity, then in the order of the report, and when there are more the last one says how many and in which files.
"""

import os
import posixpath
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL
from toolreplay.engine.quoting import bare
from toolreplay.engine.results import FileResult, Outcome

from .text import message, verify_report
from .workflow_commands import can_be_property, command

SHOWN_OF_EACH_LEVEL = 10
"""Annotations of one type that GitHub shows for a step."""

ERROR, WARNING = "error", "warning"
BAD_INPUT, BROKEN_CHAIN, UNREADABLE = "bad-input", "broken-chain", "unreadable"

_BY_SEVERITY = (BAD_INPUT, UNREADABLE, BROKEN_CHAIN, PERMISSION_OVERREACH, NON_DETERMINISM, REDUNDANT_CALL)
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


def annotations(outcomes: Iterable[Outcome], fail_on: frozenset[str]) -> list[Annotation]:
    """Return an annotation for each finding, broken chain and unreadable file, in the order of the report.

    What makes the run fail is an error, a finding of another kind a warning.
    """
    found: list[Annotation] = []
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            title = BAD_INPUT if outcome.name is None else UNREADABLE
            found.append(Annotation(ERROR, title, outcome.cause, outcome.name, outcome.line))
        else:
            found += _of_file(outcome, fail_on)
    return found


def _of_file(result: FileResult, fail_on: frozenset[str]) -> list[Annotation]:
    found = []
    if result.chain is not None and result.chain.broken is not None:
        text = "; ".join(verify_report(result.chain)[1:])
        found.append(Annotation(ERROR, BROKEN_CHAIN, text, result.path, result.chain.broken.line))
    for finding in result.findings:
        level = ERROR if finding.kind in fail_on else WARNING
        found.append(Annotation(level, finding.kind, message(finding), result.path, finding.line))
    return found


def annotation_lines(given: Iterable[Annotation]) -> list[str]:
    """Return the commands that show annotations, errors first, no more of each level than GitHub shows."""
    by_severity = sorted(given, key=_severity)
    lines = []
    for level in (ERROR, WARNING):
        of_level = [annotation for annotation in by_severity if annotation.level == level]
        if len(of_level) > SHOWN_OF_EACH_LEVEL:
            kept = SHOWN_OF_EACH_LEVEL - 1
            of_level[kept:] = [_rest(level, of_level[kept:])]
        lines += [_line(annotation) for annotation in of_level]
    return lines


def _severity(annotation: Annotation) -> int:
    return _BY_SEVERITY.index(annotation.title) if annotation.title in _BY_SEVERITY else -1


def _rest(level: str, left: Sequence[Annotation]) -> Annotation:
    counts: dict[str, int] = {}
    for annotation in left:
        if annotation.path is not None:
            counts[annotation.path] = counts.get(annotation.path, 0) + 1
    named = [f"{bare(path)} ({count})" for path, count in sorted(counts.items())]
    if len(named) > _FILES_NAMED:
        named[_FILES_NAMED:] = [f"{len(named) - _FILES_NAMED} other files"]
    where = f": {', '.join(named)}" if named else ""
    return Annotation(level, f"{len(left)} more", f"{len(left)} more in the report in the log of this step{where}")


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
    plain = posixpath.normpath(path.replace(os.sep, "/"))
    outside = plain in (".", "..") or plain.startswith(("../", "/")) or os.path.isabs(path)
    return None if outside else plain
