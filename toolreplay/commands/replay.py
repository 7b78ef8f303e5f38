"""``toolreplay replay``."""

from ..arguments import Arguments, Command, Option
from ..engine.replay import replay
from ..exit_codes import CLEAN, FINDINGS
from ..expectations import mutators
from ..importing import OPTIONS, importing, records_at
from ..output import stdout
from ..reports.text import replay_report


def _run(arguments: Arguments) -> int:
    records, own = records_at(arguments.operands[0], importing(arguments))
    result = replay(records, mutators(arguments.all("--mutator")) | own)
    stdout().lines(replay_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "replay",
    "Find non-determinism and redundant calls in a transcript.",
    ("TRANSCRIPT",),
    (
        Option("--mutator", "NAME", "a tool that changes state, besides the usual ones (again for more)", repeats=True),
        *OPTIONS,
    ),
    _run,
)
