"""``toolreplay guard``."""

import os

from ..arguments import Arguments, Command, Option
from ..exit_codes import CLEAN, FINDINGS
from ..git import git_of_the_user
from ..guard import guard
from ..output import stdout
from ..reports.guard_text import guard_report


def _run(arguments: Arguments) -> int:
    named = arguments.options.get("--allow-removal", [])
    allowed = frozenset(os.fsencode(path).decode("utf-8", "surrogateescape") for path in named)
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
    ),
    _run,
)
