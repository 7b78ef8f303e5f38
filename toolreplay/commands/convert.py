"""``toolreplay convert``."""

from collections.abc import Iterable, Iterator

from ..arguments import QUIET, Arguments, Command
from ..exit_codes import CLEAN
from ..importing import OPTIONS, found_at, importing
from ..output import stdout

_PIECE = 2**16


def _run(arguments: Arguments) -> int:
    found = found_at(arguments.operands[0], importing(arguments))
    out = stdout()
    for piece in _joined(found.lines):
        out.data(piece)
    return CLEAN


def _joined(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join lines into pieces that are worth a write."""
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


COMMAND = Command(
    "convert", "Print a recorded session of another tool as a transcript.", ("FILE",), (*OPTIONS, QUIET), _run
)
