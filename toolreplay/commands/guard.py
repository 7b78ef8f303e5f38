"""``toolreplay guard``."""

from ..arguments import QUIET, Arguments, Command, Option
from ..exit_codes import CLEAN, FINDINGS
from ..git import git_of_the_user
from ..guard import guard
from ..names import as_text
from ..output import stdout
from ..reports.guard_text import guard_report


def _run(arguments: Arguments) -> int:
    allowed = frozenset(as_text(path) for path in arguments.all("--allow-removal"))
    result = guard(git_of_the_user(), arguments.last("--base"), allowed)
    stdout().lines(guard_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "guard",
    "Find sealed files of a git commit that did not only grow: removed, cut, rewritten or broken in the index.",
    (),
    (
        Option("--base", "REV", "the commit to compare the index with (default: HEAD, in a merge each parent)"),
        Option("--allow-removal", "PATH", "a sealed file that may be missing, from the repository's top", repeats=True),
        QUIET,
    ),
    _run,
)
