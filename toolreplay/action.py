"""The entry point of the action's container: variables in; report, annotations, outputs, summary and exit code out.

The report on standard output and the errors on standard error are those of ``toolreplay check``. Every output is
written on every way out. Of the job's environment only the inputs and the names of the runner's files are read.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from .action_inputs import read_inputs, summary_wanted
from .action_report import report_to_leave
from .check import Settings, check_files, in_order, judge, read_scope_in
from .command_files import write_outputs, write_summary
from .engine.errors import InputError
from .engine.growth import GuardResult
from .engine.quoting import quoted
from .engine.results import Outcome, Totals, totals
from .exit_codes import CLEAN, COULD_NOT_RUN, FINDINGS, INTERRUPTED, READER_GONE
from .expectations import mutators
from .formats.imported import Importing
from .globbing import expand
from .names import as_text
from .output import OutputError, ReaderGone, complain, remark, stdout
from .reports.annotations import annotation_lines, annotations, seal_annotations
from .reports.guard_text import guard_report
from .reports.summary import summary
from .reports.text import file_report
from .workspace import Workspace, current_workspace


class Result(NamedTuple):
    """How a run of the action ended: with which report in the workspace, and with the heads of which files."""

    code: int
    totals: Totals
    report: str = ""
    heads: Mapping[str, str] = MappingProxyType({})


OUTPUTS: dict[str, Callable[[Result], str]] = {
    "verdict": lambda result: result.totals.verdict,
    "exit-code": lambda result: str(result.code),
    "files": lambda result: str(result.totals.files),
    "calls": lambda result: str(result.totals.calls),
    "findings": lambda result: str(result.totals.findings + result.totals.broken),
    "report": lambda result: result.report,
    "heads": lambda result: json.dumps(dict(result.heads), sort_keys=True),
}
"""The action's outputs: the one table of what there is."""


def main() -> int:
    """Run the action and return the exit code."""
    result = _whatever_happens(os.environ)
    path = os.environ.get("GITHUB_OUTPUT")
    try:
        if path:
            write_outputs(path, {name: value(result) for name, value in OUTPUTS.items()})
    except OutputError as error:
        complain(error)
        return COULD_NOT_RUN
    return result.code


def _whatever_happens(environment: Mapping[str, str]) -> Result:
    code = COULD_NOT_RUN
    try:
        return _run(environment)
    except InputError as error:
        _refuse(error, environment)
    except OutputError as error:
        complain(error)
    except ReaderGone:
        code = READER_GONE
    except KeyboardInterrupt:
        code = INTERRUPTED
    except MemoryError:
        _refuse(InputError("not enough memory"), environment)
    except Exception as error:  # a bug, told as one: a traceback would print text of the input for the runner to read
        _refuse(InputError(f"internal error: {_place(error)}; please report it"), environment)
    return Result(code, Totals(unreadable=1))


def _refuse(error: InputError, environment: Mapping[str, str]) -> None:
    complain(error)
    with suppress(OutputError, ReaderGone):
        stdout().lines(annotation_lines(annotations([error], frozenset())))
    with suppress(OutputError):
        _write_summary([InputError(str(error))], environment)


def _write_summary(
    outcomes: Sequence[Outcome], environment: Mapping[str, str], guarded: GuardResult | None = None
) -> None:
    path = environment.get("GITHUB_STEP_SUMMARY")
    if path and summary_wanted(environment):
        write_summary(path, summary(outcomes, guarded=guarded))


def _place(error: Exception) -> str:
    trace = error.__traceback__
    assert trace is not None, "it was caught"
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = quoted(os.path.basename(trace.tb_frame.f_code.co_filename))
    return f"{quoted(type(error).__name__)} at line {trace.tb_lineno} of {file}"


def _run(environment: Mapping[str, str]) -> Result:
    inputs = read_inputs(environment)
    settings = _settings(inputs)
    paths, unmatched = _matching(inputs["files"])
    ordered = in_order(paths, settings)
    outcomes: list[Outcome] = []
    with report_to_leave(inputs, settings, ordered) as report:
        for outcome in _reported(chain(unmatched, check_files(ordered, settings, report.look))):
            report.add(outcome)
            outcomes.append(outcome)
        guarded = None
        try:
            guarded = _guarded(inputs, settings.workspace)
        except InputError as error:  # what was found in the files is told all the same
            complain(error)
            report.add(error)
            outcomes.append(error)
        lost = () if guarded is None else guarded.findings
        if inputs["annotations"]:
            shown = [*annotations(outcomes, settings.fail_on), *seal_annotations(lost)]
            stdout().lines(annotation_lines(shown))
        _write_summary(outcomes, environment, guarded)
        report.write()
    code = max(FINDINGS if lost else CLEAN, *(judge(outcome, settings.fail_on) for outcome in outcomes))
    return Result(code, totals(outcomes, len(lost)), report.path, _heads(outcomes))


def _guarded(inputs: Mapping[str, Any], workspace: Workspace) -> GuardResult | None:
    """Compare with the base commit, where there is one, and print the report."""
    if not inputs["base"]:
        return None
    from .git import git_of_the_image  # slow to load, and only this needs it
    from .guard import guard

    result = guard(git_of_the_image(workspace.root), inputs["base"], frozenset(map(as_text, inputs["allow-removal"])))
    stdout().lines(guard_report(result))
    return result


def _settings(inputs: Mapping[str, Any]) -> Settings:
    workspace = current_workspace(closed=True)
    scope = read_scope_in(workspace, inputs["scope"]) if inputs["scope"] else None
    return Settings(
        workspace,
        scope=scope,
        mutators=mutators(inputs["mutators"]),
        fail_on=inputs["fail-on"],
        heads=inputs["expect-head"],
        exact=inputs["exact"],
        importing=Importing(inputs["from"]),
    )


def _matching(patterns: Iterable[str]) -> tuple[set[str], list[InputError]]:
    """Return the files that match, and an error for each pattern that matches none."""
    paths: set[str] = set()
    unmatched = []
    for pattern in patterns:
        matched = expand(pattern)
        paths.update(matched)
        if not matched:
            unmatched.append(InputError(f"input 'files': {quoted(pattern)} matches no file"))
    return paths, unmatched


def _heads(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return the head of each sealed file that is intact, by path."""
    found = {}
    for outcome in outcomes:
        if not isinstance(outcome, InputError) and outcome.chain and outcome.chain.head is not None:
            found[outcome.path] = outcome.chain.head
    return found


def _reported(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Print each report or error as soon as it is there, and hand it on."""
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            complain(outcome)
        else:
            remark(outcome.notes)
            stdout().lines(file_report(outcome))
        yield outcome
