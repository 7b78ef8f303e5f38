"""``toolreplay replay``."""

from ..arguments import Arguments, Command, Option
from ..engine.replay import replay
from ..exit_codes import CLEAN, FINDINGS
from ..expectations import mutators
from ..output import stdout
from ..reports.text import replay_report
from ..source import read_transcript


def _run(arguments: Arguments) -> int:
    result = replay(read_transcript(arguments.operands[0]), mutators(arguments.all("--mutator")))
    stdout().lines(replay_report(result))
    return FINDINGS if result.findings else CLEAN


COMMAND = Command(
    "replay",
    "Find non-determinism and redundant calls in a transcript.",
    ("TRANSCRIPT",),
    (Option("--mutator", "NAME", "a tool that changes state, besides the usual ones (again for more)", repeats=True),),
    _run,
)
