"""Opening paths and standard input: the one place that does, for the Python API and every command."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import BinaryIO

from .engine.errors import InputError
from .engine.replay import MUTATORS, ReplayAudit, ReplayResult, audited, replay
from .engine.transcript import Record, read_records
from .lines import SeekableLines, seekable
from .lines import lines_of as lines_of
from .names import as_text
from .standard_input import standard_input
from .system_errors import cause_of

TYPE_CHECKING = False  # what one command needs is slow to load for the others
if TYPE_CHECKING:
    from .engine.links import Expectation, VerifyResult
    from .engine.scope import Scope
    from .formats.imported import Imported

STDIN = "-"
STDIN_NAME = "<stdin>"


def shown_name(path: str) -> str:
    """Return the name that errors give a path of the command line."""
    return STDIN_NAME if path == STDIN else as_text(path)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a path, or standard input for ``-``, for reading bytes.

    Raises:
        InputError: if it can't be opened.
    """
    name = shown_name(path)
    if path == STDIN:
        standard = standard_input()
        if standard is None:
            raise InputError("is closed", name)
        yield standard
        return
    if not path:
        raise InputError("the path is empty")
    try:
        stream = open(path, "rb")  # noqa: SIM115 (closed by the with below)
    except OSError as error:
        raise InputError(cause_of(error), name) from None
    except ValueError:
        raise InputError("is no valid path", name) from None
    with stream:
        yield stream


def whole(path: str) -> bytes:
    """Read all of a path, or of standard input.

    Raises:
        InputError: if it can't be read.
    """
    with opened(path) as stream:
        try:
            return stream.read()
        except OSError as error:
            raise InputError(cause_of(error), shown_name(path)) from None


def read_transcript(path: str | PathLike[str]) -> Iterator[Record]:
    """Read the records of a transcript, one at a time, from a path or, for ``-``, from standard input.

    The file is opened when the first record is asked for, and closed after the last.

    Raises:
        InputError: if it can't be read, or at the first line that is no record.
    """
    text = fspath(path)
    name = shown_name(text)
    with opened(text) as stream:
        yield from read_records(lines_of(stream, name), name)


def replay_file(path: str | PathLike[str], mutators: frozenset[str] = MUTATORS) -> ReplayResult:
    """Replay a transcript at a path or, for ``-``, on standard input; a file is read again where a call comes again.

    Args:
        path: the transcript.
        mutators: names of the tools that change state.

    Raises:
        InputError: if it can't be read, is no transcript, or changes while it is read.
    """
    text = fspath(path)
    name = shown_name(text)
    with opened(text) as stream:
        if not seekable(stream):
            return replay(read_records(lines_of(stream, name), name), mutators)
        lines = SeekableLines(stream, name)
        return audited(read_records(lines, name), ReplayAudit(mutators, lines))


def read_session(path: str | PathLike[str], format: str = "auto") -> "Imported":  # noqa: A002 (its name everywhere)
    """Read a recorded session of another tool to its end, from a path or, for ``-``, from standard input.

    Args:
        path: the file.
        format: ``claude-code`` and so on, as ``--from`` takes it, or ``auto`` to tell by the content.

    Returns:
        The session's `records`, what was read and what was not (`counts`), its `format` and that format's `mutators`.

    Raises:
        InputError: if it can't be read or holds nothing of the format.
        ValueError: if there is no format of that name.
    """
    from .formats.reading import read
    from .formats.registry import FORMATS
    from .spool import Store

    if format not in FORMATS:
        raise ValueError(f"no such format: {format!r}")
    text = fspath(path)
    name = shown_name(text)
    with opened(text) as stream:
        return read(lines_of(stream, name), name, format, Store())


def read_scope(path: str | PathLike[str]) -> "Scope":
    """Read a scope file from a path or, for ``-``, from standard input.

    Raises:
        InputError: if it can't be read or is no scope.
    """
    from .engine.scope import parse_scope

    text = fspath(path)
    return parse_scope(whole(text), shown_name(text))


def verify_file(path: str | PathLike[str], expectation: "Expectation | None" = None) -> "VerifyResult":
    """Verify a sealed file at a path or, for ``-``, on standard input, against what is known of it beforehand.

    Raises:
        InputError: if it can't be read or is no sealed file.
    """
    from .engine.chain import verify
    from .engine.links import NOTHING_EXPECTED

    text = fspath(path)
    name = shown_name(text)
    with opened(text) as stream:
        return verify(lines_of(stream, name), name, NOTHING_EXPECTED if expectation is None else expectation)
