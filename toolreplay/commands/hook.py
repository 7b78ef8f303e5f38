"""``toolreplay hook``: ``check`` for a list of file names that nobody wrote by hand.

A runner of git hooks appends the names of staged files to a command line, and whoever stages a file chooses its name.
So this command has no help to ask for, and its options count only before ``--``.
"""

from ..arguments import QUIET, Arguments, Command, Option, UsageError
from ..delivery import OPTIONS as DELIVERY_OPTIONS
from .check import OPTIONS, check_and_report, settings_from

# Many files come in several calls, so no one of them can write the report or the baseline of all.
_LEFT_OUT = {option.name for option in DELIVERY_OPTIONS} - {QUIET.name} | {"--write-baseline"}
_OPTIONS = tuple(option for option in OPTIONS if option.name not in _LEFT_OUT)


def _run(arguments: Arguments) -> int:
    if arguments.has("--needs-scope") and not arguments.has("--scope"):
        raise UsageError("this hook needs a scope file: write  args: [--scope, FILE, --]")
    return check_and_report(arguments.operands, settings_from(arguments), arguments)


COMMAND = Command(
    "hook",
    "Check files as 'check' does, for git hooks: options count only before '--'.",
    ("FILE…",),
    (Option("--needs-scope", "", "without --scope it is an error"), *_OPTIONS),
    _run,
    is_hook=True,
)
