"""Reports in every format, made from what was audited and delivered as was asked."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from . import __version__
from .baseline import Baselines
from .check import Look, Settings, check_files, in_order
from .copying import copied
from .delivery import GITHUB, HTML, JSON, SARIF, TEXT, Delivery, pieces_of
from .engine.chain import verify
from .engine.errors import InputError
from .engine.findings import KINDS
from .engine.links import Expectation
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
    ordered = in_order(paths, settings)
    with CheckReport(len(ordered), settings, delivery, baselines) as made:
        for outcome in check_files(ordered, settings, made.look):
            if isinstance(outcome, InputError):
                complain(outcome)
            else:
                remark(outcome.notes)
            made.add(outcome)
        delivery.send_pieces(made.pieces())
    baselines.write(made.files)
    return made.report.exit_code


class CheckReport:
    """The report of a check in the making: files are added one by one, in the order of the report."""

    def __init__(self, files: int, settings: Settings, delivery: Delivery, baselines: Baselines) -> None:
        self.files: list[FileEntry] = []
        self._outcomes: list[Outcome] = []
        self._settings = settings
        self._delivery = delivery
        self._baselines = baselines
        self._spool = Spool()
        self._page = Page(self._spool, files, content=delivery.content) if delivery.format == HTML else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spool.__exit__(kind, error, trace)

    @property
    def look(self) -> Look | None:
        """What has to see each file once more, before its outcome is added."""
        return None if self._page is None else self._look

    def _look(self, result: FileResult, lines: Iterable[bytes]) -> None:
        if self._page is not None:
            file = self._file_entry(result)
            self._page.add(file, of_lines(file, lines, self._settings.importing.format))

    def add(self, outcome: Outcome) -> None:
        """Add what became of a file."""
        self._outcomes.append(outcome)
        self.files.append(self._file_entry(outcome))
        if self._page is not None and isinstance(outcome, InputError):
            self._page.add(self.files[-1], ())

    def _file_entry(self, outcome: Outcome) -> FileEntry:
        path = outcome.name or "" if isinstance(outcome, InputError) else outcome.path
        return file_entry(outcome, path, self._settings.fail_on, self._baselines.known(path, outcome))

    @property
    def report(self) -> Report:
        """The report on the files so far."""
        gone = self._baselines.old.gone(self.files)
        return Report("check", __version__, tuple(self.files), self._baselines.used, gone)

    def pieces(self) -> Iterator[bytes]:
        """Give the finished report."""
        if self._page is not None:
            yield from self._page.finished(self.report)
        else:
            lines = _lines(self._delivery.format, self.report, self._outcomes, self._settings.fail_on)
            yield from pieces_of(lines)


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
