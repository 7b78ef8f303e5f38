"""``toolreplay scope``."""

from ..arguments import Arguments, Command
from ..delivery import HTML, delivery_from
from ..delivery import OPTIONS as DELIVERY_OPTIONS
from ..engine.results import FileResult
from ..engine.scope import scope
from ..exit_codes import CLEAN, FINDINGS
from ..importing import OPTIONS, importing, records_at, records_for_twice
from ..output import stdout
from ..reports.text import scope_report
from ..source import read_scope, shown_name


def _run(arguments: Arguments) -> int:
    path, scope_path = arguments.operands
    how = importing(arguments)
    delivery = delivery_from(arguments, arguments.operands)
    declared = read_scope(scope_path)
    records, _ = (records_for_twice if delivery.format == HTML else records_at)(path, how)
    result = scope(records, declared)
    if not delivery.plain:
        from ..reporting import deliver

        return deliver("scope", FileResult(shown_name(path), None, None, result), delivery, records)
    stdout().lines(scope_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "scope",
    "Find calls outside the scope that an agent declared.",
    ("TRANSCRIPT", "SCOPE"),
    (*OPTIONS, *DELIVERY_OPTIONS),
    _run,
)
