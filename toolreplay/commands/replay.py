"""``toolreplay replay``."""

from collections.abc import Iterable

from ..arguments import Arguments, Command, Option
from ..delivery import HTML, delivery_from
from ..delivery import OPTIONS as DELIVERY_OPTIONS
from ..engine.replay import replay
from ..engine.results import FileResult
from ..engine.transcript import Record
from ..exit_codes import CLEAN, FINDINGS
from ..expectations import mutators
from ..formats.registry import TOOLREPLAY
from ..importing import OPTIONS, importing, records_at, records_for_twice
from ..output import stdout
from ..reports.text import replay_report
from ..source import replay_file, shown_name


def _run(arguments: Arguments) -> int:
    path = arguments.operands[0]
    delivery = delivery_from(arguments, [path])
    how = importing(arguments)
    changing = mutators(arguments.all("--mutator"))
    records: Iterable[Record] = ()
    if how.format == TOOLREPLAY and delivery.format != HTML:
        result = replay_file(path, changing)
    else:
        records, own = (records_for_twice if delivery.format == HTML else records_at)(path, how)
        result = replay(records, changing | own)
    if not delivery.plain:
        from ..reporting import deliver

        return deliver("replay", FileResult(shown_name(path), None, result, None), delivery, records)
    stdout().lines(replay_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "replay",
    "Find non-determinism and redundant calls in a transcript.",
    ("TRANSCRIPT",),
    (
        Option("--mutator", "NAME", "a tool that changes state, besides the usual ones (again for more)", repeats=True),
        *OPTIONS,
        *DELIVERY_OPTIONS,
    ),
    _run,
)
