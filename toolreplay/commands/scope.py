"""``toolreplay scope``."""

from ..arguments import Arguments, Command
from ..engine.scope import scope
from ..exit_codes import CLEAN, FINDINGS
from ..importing import OPTIONS, importing, records_at
from ..output import stdout
from ..reports.text import scope_report
from ..source import read_scope


def _run(arguments: Arguments) -> int:
    path, scope_path = arguments.operands
    how = importing(arguments)
    declared = read_scope(scope_path)
    records, _ = records_at(path, how)
    result = scope(records, declared)
    stdout().lines(scope_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "scope", "Find calls outside the scope that an agent declared.", ("TRANSCRIPT", "SCOPE"), OPTIONS, _run
)
