"""``toolreplay seal``."""

from operator import itemgetter

from ..arguments import QUIET, Arguments, Command, Option
from ..engine.sealing import seal
from ..exit_codes import CLEAN
from ..importing import OPTIONS, importing, records_at
from ..output import stdout
from ..replacing import write_file
from ..spool import Spool


def _run(arguments: Arguments) -> int:
    records, _ = records_at(arguments.operands[0], importing(arguments))
    lines = map(itemgetter(0), seal(records))
    target = arguments.last("-o")
    if target is not None and target != "-":
        write_file(target, lines)
        return CLEAN
    with Spool() as spool:
        spool.take(lines)
        out = stdout()
        for piece in spool.pieces():
            out.data(piece)
    return CLEAN


COMMAND = Command(
    "seal",
    "Seal a transcript into a SHA-256 hash chain.",
    ("TRANSCRIPT",),
    (Option("-o", "FILE", "write to FILE, whole or not at all, instead of standard output (-)"), *OPTIONS, QUIET),
    _run,
)
