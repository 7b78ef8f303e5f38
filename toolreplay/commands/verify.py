"""``toolreplay verify``."""

from ..arguments import Arguments, Command
from ..exit_codes import CLEAN, FINDINGS
from ..output import stdout
from ..reports.text import verify_report
from ..source import verify_file


def _run(arguments: Arguments) -> int:
    result = verify_file(arguments.operands[0])
    stdout().lines(verify_report(result))
    return CLEAN if result else FINDINGS


COMMAND = Command("verify", "Find the first broken link of a sealed file.", ("SEALED",), (), _run)
