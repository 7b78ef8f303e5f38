"""Where a report goes and in which format: the options that all commands share, and what they do."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .arguments import QUIET, Arguments, Option, UsageError
from .engine.quoting import bare, inert, quoted
from .names import as_text
from .output import stdout

TEXT, JSON, SARIF, JUNIT, HTML, GITHUB = FORMATS = ("text", "json", "sarif", "junit", "html", "github")

OPTIONS = (
    Option("--output-format", "FORMAT", f"one of {', '.join(FORMATS)} (default text)"),
    Option("-o", "FILE", "write the report to FILE, whole or not at all, instead of standard output (-)"),
    QUIET,
    Option("--no-content", "", "leave arguments and responses, which may hold secrets, out of an HTML page"),
)

_LINES_AT_ONCE = 2000


class Delivery(NamedTuple):
    """How a report is delivered: its format, and the file that it is written to (`None`: standard output).

    `content` says whether an HTML page shows arguments and responses.
    """

    format: str = TEXT
    target: str | None = None
    content: bool = True

    @property
    def plain(self) -> bool:
        """Whether it is the text report on standard output, which can be printed as it is made."""
        return self.format == TEXT and self.target is None

    def send(self, lines: Iterable[str]) -> None:
        """Write the lines of a report, given without their ends.

        Raises:
            OutputError: if they can't be written.
            ReaderGone: if nobody reads them any more.
        """
        self.send_pieces(pieces_of(lines))

    def send_pieces(self, pieces: Iterable[bytes]) -> None:
        """Write a report whose lines are inert already; the errors are those of `send`."""
        if self.target is not None:
            from .replacing import write_file

            write_file(self.target, pieces)
            return
        for piece in pieces:
            stdout().data(piece)


def pieces_of(lines: Iterable[str]) -> Iterator[bytes]:
    """Give the lines of a report as bytes, inert and with their ends."""
    held: list[str] = []
    for line in lines:
        held.append(inert(line) + "\n")
        if len(held) == _LINES_AT_ONCE:
            yield "".join(held).encode()
            held = []
    yield "".join(held).encode()


def delivery_from(arguments: Arguments, inputs: Iterable[str]) -> Delivery:
    """Read the options that say how the report on some inputs is delivered.

    Raises:
        UsageError: for a format that there isn't, or a report that would replace what it reports on.
    """
    name = arguments.last("--output-format")
    if name is not None and name not in FORMATS:
        raise UsageError(f"option --output-format: {quoted(as_text(name))} is not one of {', '.join(FORMATS)}")
    target = arguments.last("-o")
    if target == "-":
        target = None
    must_not_replace("-o", target, inputs)
    return Delivery(TEXT if name is None else name, target, not arguments.has("--no-content"))


def must_not_replace(option: str, target: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write where an input lies.

    Raises:
        UsageError: if the target is one of the inputs.
    """
    if target is not None and any(same_file(target, path) for path in inputs):
        raise UsageError(f"option {option}: {bare(as_text(target))} is an input, which would be replaced")


def same_file(one: str, other: str) -> bool:
    """Tell whether two paths lead to the same file that is there."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def place_of(path: str) -> str:
    """Return where a path leads, whether something is there or not; a path that can't be one leads to itself."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
