"""``toolreplay head``."""

from ..arguments import QUIET, Arguments, Command
from ..exit_codes import CLEAN, FINDINGS
from ..output import stdout
from ..reports.text import head_report, verify_report
from ..source import verify_file


def _run(arguments: Arguments) -> int:
    result = verify_file(arguments.operands[0])
    # A head vouches for every link before it, so that of a broken chain is never shown.
    stdout().lines(head_report(result) if result else verify_report(result))
    return CLEAN if result else FINDINGS


COMMAND = Command(
    "head", "Verify a sealed file and print its number of links and its head.", ("SEALED",), (QUIET,), _run
)
