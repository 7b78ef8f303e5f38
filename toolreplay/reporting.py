"""Reports in every format, made from what was audited and delivered as was asked."""

from collections.abc import Iterable

from . import __version__
from .baseline import Baselines
from .check import Settings, check_file, check_files, in_order
from .copying import copied
from .delivery import GITHUB, HTML, JSON, SARIF, TEXT, Delivery
from .engine.chain import Expectation, verify
from .engine.errors import InputError
from .engine.findings import KINDS
from .engine.results import FileResult, Outcome
from .engine.transcript import Record
from .output import complain, remark
from .pages import Page, of_lines, of_records
from .reports.calls import Call
from .reports.model import FileEntry, Report, file_entry
from .reports.text import file_report
from .source import opened, shown_name
from .spool import Spool


def deliver(command: str, result: FileResult, delivery: Delivery, records: Iterable[Record] = ()) -> int:
    """Deliver the report of a command on one file; return the exit code.

    Args:
        command: the command's name.
        result: what it found.
        delivery: where the report goes.
        records: the file's records once more, for a page.
    """
    fail_on = frozenset(KINDS)
    report = Report(command, __version__, (file_entry(result, result.path, fail_on),))
    if delivery.format == HTML:
        return _deliver_page(report, of_records(records), delivery)
    # A command on one file doesn't name it.
    lines = file_report(result)[1:] if delivery.format == TEXT else _lines(delivery.format, report, [result], fail_on)
    delivery.send(lines)
    return report.exit_code


def deliver_sealed(path: str, expectation: Expectation, delivery: Delivery) -> int:
    """Verify a sealed file and deliver a page of it; return the exit code."""
    name = shown_name(path)
    with opened(path) as stream, copied(stream, name) as lines:
        result = FileResult(name, verify(lines(), name, expectation), None, None)
        report = Report("verify", __version__, (file_entry(result, name, frozenset(KINDS)),))
        return _deliver_page(report, of_lines(report.files[0], lines()), delivery)


def _deliver_page(report: Report, calls: Iterable[Call], delivery: Delivery) -> int:
    with Spool() as spool:
        page = Page(spool, 1, content=delivery.content)
        page.add(report.files[0], calls)
        delivery.send_pieces(page.finished(report))
    return report.exit_code


def deliver_check(paths: Iterable[str], settings: Settings, delivery: Delivery, baselines: Baselines) -> int:
    """Check files and deliver one report; return the exit code."""
    if delivery.format == HTML:
        return _deliver_checked_page(in_order(paths, settings), settings, delivery, baselines)
    files, outcomes = [], []
    for outcome in check_files(paths, settings):
        if isinstance(outcome, InputError):
            complain(outcome)
        else:
            remark(outcome.notes)
        outcomes.append(outcome)
        files.append(_file_entry(outcome, settings, baselines))
    report = Report("check", __version__, tuple(files), baselines.used, baselines.old.gone(files))
    delivery.send(_lines(delivery.format, report, outcomes, settings.fail_on))
    baselines.write(files)
    return report.exit_code


def _file_entry(outcome: Outcome, settings: Settings, baselines: Baselines) -> FileEntry:
    path = outcome.name or "" if isinstance(outcome, InputError) else outcome.path
    return file_entry(outcome, path, settings.fail_on, baselines.known(path, outcome))


def _deliver_checked_page(paths: list[str], settings: Settings, delivery: Delivery, baselines: Baselines) -> int:
    files: list[FileEntry] = []
    with Spool() as spool:
        page = Page(spool, len(paths), content=delivery.content)

        def add(result: FileResult, lines: Iterable[bytes]) -> None:
            files.append(_file_entry(result, settings, baselines))
            page.add(files[-1], of_lines(files[-1], lines, settings.importing.format))
            remark(result.notes)

        for path in paths:
            outcome = check_file(path, settings, add)
            if isinstance(outcome, InputError):
                complain(outcome)
                files.append(_file_entry(outcome, settings, baselines))
                page.add(files[-1], ())
        report = Report("check", __version__, tuple(files), baselines.used, baselines.old.gone(files))
        delivery.send_pieces(page.finished(report))
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
