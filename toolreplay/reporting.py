"""Reports in every format, made from what was audited and delivered as was asked."""

from collections.abc import Iterable

from . import __version__
from .baseline import Baselines
from .check import Settings, check_files
from .delivery import GITHUB, JSON, SARIF, TEXT, Delivery
from .engine.errors import InputError
from .engine.findings import KINDS
from .engine.results import FileResult, Outcome
from .output import complain
from .reports.model import Report, file_entry
from .reports.text import file_report


def deliver(command: str, result: FileResult, delivery: Delivery) -> int:
    """Deliver the report of a command on one file; return the exit code."""
    fail_on = frozenset(KINDS)
    report = Report(command, __version__, (file_entry(result, result.path, fail_on),))
    # A command on one file doesn't name it.
    lines = file_report(result)[1:] if delivery.format == TEXT else _lines(delivery.format, report, [result], fail_on)
    delivery.send(lines)
    return report.exit_code


def deliver_check(paths: Iterable[str], settings: Settings, delivery: Delivery, baselines: Baselines) -> int:
    """Check files and deliver one report; return the exit code."""
    files, outcomes = [], []
    for outcome in check_files(paths, settings):
        if isinstance(outcome, InputError):
            complain(outcome)
        outcomes.append(outcome)
        path = outcome.name or "" if isinstance(outcome, InputError) else outcome.path
        files.append(file_entry(outcome, path, settings.fail_on, baselines.known(path, outcome)))
    report = Report("check", __version__, tuple(files), baselines.used, baselines.old.gone(files))
    delivery.send(_lines(delivery.format, report, outcomes, settings.fail_on))
    baselines.write(files)
    return report.exit_code


def _lines(format_: str, report: Report, outcomes: list[Outcome], fail_on: frozenset[str]) -> list[str]:
    if format_ == TEXT:
        return _text(outcomes, report)
    if format_ == GITHUB:
        from .reports.annotations import annotation_lines, annotations

        return annotation_lines(annotations(_new_alone(outcomes, report), fail_on))
    if format_ == JSON:
        from .reports.json_report import json_report

        return json_report(report)
    if format_ == SARIF:
        from .reports.sarif import sarif_report

        return sarif_report(report)
    from .reports.junit import junit_report

    return junit_report(report)


def _text(outcomes: list[Outcome], report: Report) -> list[str]:
    lines = []
    for outcome, file in zip(outcomes, report.files, strict=True):
        if not isinstance(outcome, InputError):
            lines += file_report(outcome, frozenset(entry.finding for entry in file.entries if entry.known))
    if report.baseline:
        from .reports.baseline_text import baseline_report

        lines += baseline_report(report)
    return lines


def _new_alone(outcomes: list[Outcome], report: Report) -> list[Outcome]:
    """Leave known findings out: of annotations only a few are shown."""
    new: list[Outcome] = []
    for outcome, file in zip(outcomes, report.files, strict=True):
        known = frozenset(entry.finding for entry in file.entries if entry.known)
        new.append(outcome if isinstance(outcome, InputError) else outcome.without(known))
    return new
