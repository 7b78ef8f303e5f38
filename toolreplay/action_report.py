"""The report that the action leaves in the workspace for later steps."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .action_inputs import REPORT_FILES
from .artifacts import write_artifact
from .check import Look, Settings
from .delivery import Delivery, same_file
from .engine.errors import InputError
from .engine.results import Outcome
from .names import as_text

if TYPE_CHECKING:
    from .reporting import CheckReport


class NoReport:
    """What stands for a report where none is asked for; `path` is where a report lies."""

    path = ""
    look: Look | None = None

    def add(self, outcome: Outcome) -> None:
        """Add what became of a file."""

    def write(self) -> None:
        """Write the report."""


class LeftReport(NoReport):
    """A report in the making, to be written to a path of the workspace."""

    def __init__(self, path: str, settings: Settings, made: "CheckReport") -> None:
        self.path = path
        self.look = made.look
        self._settings = settings
        self._made = made

    def add(self, outcome: Outcome) -> None:
        """Add what became of a file."""
        self._made.add(outcome)

    def write(self) -> None:
        """Write the report.

        Raises:
            InputError: if it lies where it must not.
            OutputError: if it can't be written.
        """
        write_artifact(self._settings.workspace, self.path, self._made.pieces())


@contextmanager
def report_to_leave(inputs: Mapping[str, Any], settings: Settings, paths: Sequence[str]) -> Iterator[NoReport]:
    """Begin the report that the inputs ask for.

    Args:
        inputs: the action's inputs.
        settings: how the files are checked.
        paths: the files.

    Raises:
        InputError: if a file is named and no format, or the report would replace one of the files.
    """
    format_, path = inputs["output-format"], inputs["output-file"]
    if not format_:
        if path:
            raise InputError("input 'output-file' needs 'output-format'")
        yield NoReport()
        return
    path = path or REPORT_FILES[format_]
    scope = filter(None, [inputs["scope"]])
    if any(same_file(path, file) for file in (*paths, *settings.heads, *scope)):
        raise InputError("is a file that is read; the report would replace it", as_text(path))
    from .baseline import Baselines
    from .reporting import CheckReport  # slow to load, and most runs leave no report

    delivery = Delivery(format_, None, inputs["html-content"])
    with CheckReport(len(paths), settings, delivery, Baselines()) as made:
        yield LeftReport(path, settings, made)
