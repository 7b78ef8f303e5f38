"""What the action tells the runner when it ends: its outputs and the summary of the step."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .action_inputs import summary_wanted
from .command_files import write_outputs, write_summary
from .engine.growth import GuardResult
from .engine.results import Outcome, Totals
from .reports.summary import summary


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


def leave_outputs(result: Result, environment: Mapping[str, str]) -> None:
    """Write every output, where the runner asks for them.

    Raises:
        OutputError: if they can't be written.
    """
    path = environment.get("GITHUB_OUTPUT")
    if path:
        write_outputs(path, {name: value(result) for name, value in OUTPUTS.items()})


def leave_summary(
    outcomes: Sequence[Outcome], environment: Mapping[str, str], guarded: GuardResult | None = None
) -> None:
    """Write the summary of the step, where the runner and the user ask for one.

    Raises:
        OutputError: if it can't be written.
    """
    path = environment.get("GITHUB_STEP_SUMMARY")
    if path and summary_wanted(environment):
        write_summary(path, summary(outcomes, guarded=guarded))
