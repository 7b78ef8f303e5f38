"""One run of the action: inputs read, files checked, the report printed with its annotations and its summary."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from .action_inputs import read_inputs
from .action_outputs import Result, leave_summary
from .action_report import report_to_leave
from .check import Settings, check_files, in_order, judge, read_scope_in
from .engine.errors import InputError
from .engine.growth import GuardResult
from .engine.quoting import quoted
from .engine.results import Outcome, totals
from .exit_codes import CLEAN, FINDINGS
from .expectations import mutators
from .formats.imported import Importing
from .globbing import expand
from .names import as_text
from .output import complain, remark, stdout
from .reports.annotations import annotation_lines, annotations, seal_annotations
from .reports.guard_text import guard_report
from .reports.text import file_report
from .workspace import Workspace, current_workspace


def run(environment: Mapping[str, str]) -> Result:
    """Check what the inputs ask for, and report it.

    Raises:
        InputError: if an input is refused, or what it names can't be read; a file to be checked is no such input.
        OutputError: if something can't be written.
        ReaderGone: if nobody reads the log any more.
    """
    inputs = read_inputs(environment)
    settings = _settings(inputs)
    paths, unmatched = _matching(inputs["files"])
    ordered = in_order(paths, settings)
    outcomes: list[Outcome] = []
    with report_to_leave(inputs, settings, ordered) as report:
        for outcome in chain(unmatched, check_files(ordered, settings, report.look)):
            _print(outcome)
            report.add(outcome)
            outcomes.append(outcome)
        guarded = _compared(inputs, settings.workspace)
        if isinstance(guarded, InputError):  # what was found in the files is told all the same
            _print(guarded)
            report.add(guarded)
            outcomes.append(guarded)
            guarded = None
        lost = () if guarded is None else guarded.findings
        if inputs["annotations"]:
            shown = chain(annotations(outcomes, settings.fail_on), seal_annotations(lost))
            stdout().lines(annotation_lines(shown))
        leave_summary(outcomes, environment, guarded)
        report.write()
    code = max(FINDINGS if lost else CLEAN, *(judge(outcome, settings.fail_on) for outcome in outcomes))
    return Result(code, totals(outcomes, len(lost)), report.path, _heads(outcomes))


def _compared(inputs: Mapping[str, Any], workspace: Workspace) -> GuardResult | InputError | None:
    """Compare with the base commit, where there is one, and print the report."""
    if not inputs["base"]:
        return None
    from .git import git_of_the_image  # slow to load, and only this needs it
    from .guard import guard

    allowed = frozenset(map(as_text, inputs["allow-removal"]))
    try:
        result = guard(git_of_the_image(workspace.root), inputs["base"], allowed)
    except InputError as error:
        return error
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
            unmatched.append(InputError(f"input 'files': {quoted(as_text(pattern))} matches no file"))
    return paths, unmatched


def _heads(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return the head of each sealed file that is intact, by path."""
    found = {}
    for outcome in outcomes:
        if not isinstance(outcome, InputError) and outcome.chain and outcome.chain.head is not None:
            found[outcome.path] = outcome.chain.head
    return found


def _print(outcome: Outcome) -> None:
    if isinstance(outcome, InputError):
        complain(outcome)
    else:
        remark(outcome.notes)
        stdout().lines(file_report(outcome))
