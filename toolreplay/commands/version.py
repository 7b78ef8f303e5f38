"""``toolreplay version``."""

from .. import __version__
from ..arguments import Arguments, Command
from ..exit_codes import CLEAN
from ..output import stdout


def _run(arguments: Arguments) -> int:
    stdout().lines([f"toolreplay {__version__}"])
    return CLEAN


COMMAND = Command("version", "Print the version.", (), (), _run)
