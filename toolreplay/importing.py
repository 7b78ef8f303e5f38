"""Reading sessions of other tools: what the commands that take ``--from`` share."""

from collections.abc import Iterable, Iterator

from .arguments import Arguments, Option, UsageError
from .engine.quoting import quoted
from .engine.transcript import Record
from .formats.registry import AUTO, FORMATS, NAMES, TOOLREPLAY, Importing
from .names import as_text
from .output import remark
from .source import read_session, read_transcript, shown_name

TYPE_CHECKING = False  # slow to load, and plain transcripts have no need of it
if TYPE_CHECKING:
    from .formats.imported import Imported

OPTIONS = (
    Option("--from", "FORMAT", f"what the file is: {TOOLREPLAY} (default), {AUTO}, {', '.join(NAMES)}"),
    Option("--strict-import", "", "exit 2 if a call or a result of the file could not be read or belongs to nothing"),
)


def importing(arguments: Arguments) -> Importing:
    """Make the setting that a command line asks for.

    Raises:
        UsageError: for a format that does not exist.
    """
    return Importing(known_format(arguments.last("--from") or TOOLREPLAY), arguments.has("--strict-import"))


def known_format(name: str) -> str:
    """Return the name of a format.

    Raises:
        UsageError: if there is none of that name.
    """
    if name not in FORMATS:
        raise UsageError(f"unknown format: {quoted(as_text(name))}; there are {', '.join(FORMATS)}")
    return name


def records_at(path: str, how: Importing) -> tuple[Iterable[Record], frozenset[str]]:
    """Read the records of a file as the command line says.

    Returns:
        The records, and the tools of the file's format that change state.

    Raises:
        InputError: if the file can't be read, or something in it was lost where that is not allowed.
    """
    if how.format == TOOLREPLAY:
        return read_transcript(path), frozenset()
    found = found_at(path, how)
    return found.records, found.mutators


class _Held:
    """The records of a session, as often as they are asked for."""

    def __init__(self, found: "Imported") -> None:
        self._found = found

    def __iter__(self) -> Iterator[Record]:
        return self._found.records


def records_for_twice(path: str, how: Importing) -> tuple[Iterable[Record], frozenset[str]]:
    """Read as `records_at` does, at once and to the end; the records can be gone through again."""
    found = found_at(path, how)
    return _Held(found), found.mutators


def found_at(path: str, how: Importing) -> "Imported":
    """Read a file to its end as the command line says; notes on what was read go to standard error.

    Raises:
        InputError: if the file can't be read, or something in it was lost where that is not allowed.
    """
    found = read_session(path, how.format)
    name = shown_name(path)
    remark(found.notes(name, how))
    found.refuse_loss(name, how)
    return found
