"""``toolreplay scope``."""

from ..arguments import Arguments, Command
from ..engine.scope import scope
from ..exit_codes import CLEAN, FINDINGS
from ..output import stdout
from ..reports.text import scope_report
from ..source import read_scope, read_transcript


def _run(arguments: Arguments) -> int:
    path, scope_path = arguments.operands
    declared = read_scope(scope_path)
    result = scope(read_transcript(path), declared)
    stdout().lines(scope_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command("scope", "Find calls outside the scope that an agent declared.", ("TRANSCRIPT", "SCOPE"), (), _run)
