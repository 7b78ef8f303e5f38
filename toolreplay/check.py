"""Auditing many files, each told apart by content: a transcript or a sealed file.

Nothing is printed here. `check_files` turns paths into outcomes, one a file, in the order of the report; `judge` says
what an outcome means for the exit code.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain as joined
from itertools import repeat
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

from .copying import copied
from .engine.canonical import loads
from .engine.chain import ChainReader
from .engine.errors import InputError, JsonError
from .engine.findings import KINDS
from .engine.links import NOTHING_EXPECTED, Expectation
from .engine.replay import MUTATORS, ReplayAudit, ReplayResult
from .engine.results import FileResult, Outcome
from .engine.scope import Scope, ScopeAudit, ScopeResult, parse_scope
from .engine.transcript import Record, is_blank, read_records
from .exit_codes import CLEAN, COULD_NOT_RUN, FINDINGS
from .formats.imported import Importing
from .lines import SeekableLines, lines_of, seekable
from .names import as_text
from .source import STDIN, opened, shown_name
from .spool import Store
from .workspace import Workspace, whole_in

Look = Callable[[FileResult, Iterable[bytes]], None]

_TRANSCRIPT, _SEALED, _BLANK = range(3)

_SHARES = 16  # for each process, so that all of them end at about the same time
_MOST_AT_ONCE = 256

TRANSCRIPTS = Importing()
"""How files are read unless something else is asked for."""


class Settings(NamedTuple):
    """How files are checked: made once, at the edge.

    `fail_on` holds the kinds of finding that make a run fail; a broken chain and an unreadable file always do.
    `dash_is_stdin` says that the path ``-`` means standard input; in a list of file names it is a file. `heads` are the
    expected heads by normalized path: those files are checked whether they are named or not, and must be sealed.
    `exact` asks of every sealed file that each line be the very bytes that sealing writes. `importing` says what files
    are that are not sealed. `jobs` is how many processes may share the files.
    """

    workspace: Workspace
    scope: Scope | None = None
    mutators: frozenset[str] = MUTATORS
    fail_on: frozenset[str] = frozenset(KINDS)
    dash_is_stdin: bool = False
    heads: Mapping[str, str] = MappingProxyType({})
    exact: bool = False
    importing: Importing = TRANSCRIPTS
    jobs: int = 1

    def expectation(self, path: str) -> Expectation:
        """Return what is known of a file beforehand, should it be sealed."""
        return Expectation(self.heads.get(os.path.normpath(path)), None, self.exact)


def fail_on_kinds(text: str) -> frozenset[str] | None:
    """Read ``any``, ``none`` or kinds of findings with commas between; `None` if it is none of these."""
    if text == "any":
        return frozenset(KINDS)
    if text == "none":
        return frozenset()
    kinds = frozenset(kind.strip(" ") for kind in text.split(","))
    return kinds if kinds <= frozenset(KINDS) else None


def read_scope_in(workspace: Workspace, path: str, *, dash_is_stdin: bool = False) -> Scope:
    """Read a scope file as carefully as the files that are checked.

    Raises:
        InputError: if it can't be read or is no scope.
    """
    return parse_scope(*whole_in(workspace, path, dash_is_stdin=dash_is_stdin))


def check_files(paths: Iterable[str], settings: Settings, look: Look | None = None) -> Iterator[Outcome]:
    """Audit files one after the other, in the order of the report."""
    ordered = in_order(paths, settings)
    reads_stdin = settings.dash_is_stdin and STDIN in ordered  # which only this process has
    if settings.jobs > 1 and look is None and not reads_stdin and len(ordered) > 1:
        from .parallel import mapped  # slow to load

        # A mapping that can't be changed can't be copied to other processes either.
        copied_settings = settings._replace(heads=dict(settings.heads))
        at_once = max(1, min(_MOST_AT_ONCE, len(ordered) // (settings.jobs * _SHARES)))
        yield from mapped(partial(check_file, settings=copied_settings), ordered, settings.jobs, at_once)
        return
    for path in ordered:
        yield check_file(path, settings, look)


def in_order(paths: Iterable[str], settings: Settings) -> list[str]:
    """Return the files to be checked, sorted by path, each once however often it is named."""
    named = set(paths)
    spelled = {os.path.normpath(path) for path in named}
    return sorted(named.union(head for head in settings.heads if head not in spelled), key=as_text)


def check_file(path: str, settings: Settings, look: Look | None = None) -> Outcome:
    """Audit one file. What is wrong with it is its outcome: it doesn't stop the others.

    `look` gets the result, and the very same lines once more.
    """
    try:
        if path == STDIN and settings.dash_is_stdin:
            with opened(path) as stream:
                return _check_stream(stream, shown_name(path), settings, settings.expectation(path), look)
        with settings.workspace.opened(path) as stream:
            return _check_stream(stream, as_text(path), settings, settings.expectation(path), look)
    except InputError as error:
        return error


def _check_stream(
    stream: BinaryIO, name: str, settings: Settings, expectation: Expectation, look: Look | None
) -> FileResult:
    if look is None:
        whole = SeekableLines(stream, name) if seekable(stream) else lines_of(stream, name)
        return _check_whole(whole, name, settings, expectation)
    with copied(stream, name) as lines:
        result = _check_whole(lines(), name, settings, expectation)
        look(result, lines())
    return result


def _check_whole(lines: Iterable[bytes], name: str, settings: Settings, expectation: Expectation) -> FileResult:
    return check_lines(
        lines,
        name,
        settings.scope,
        settings.mutators,
        expectation,
        must_be_sealed=says_sealed(name) or expectation.head is not None,
        importing=settings.importing,
    )


def judge(outcome: Outcome, fail_on: frozenset[str]) -> int:
    """Return the exit code for one file; the largest is that of the run."""
    if isinstance(outcome, InputError):
        return COULD_NOT_RUN
    if outcome.chain is not None and not outcome.chain:
        return FINDINGS
    return FINDINGS if any(finding.kind in fail_on for finding in outcome.findings) else CLEAN


def says_sealed(path: str) -> bool:
    """Tell whether a file's name says that it is sealed: ``sealed.jsonl``, ``run.sealed.jsonl``, in any case."""
    return "sealed" in os.path.basename(path).lower().split(".")


def check_lines(
    lines: Iterable[bytes],
    name: str,
    scope: Scope | None = None,
    mutators: frozenset[str] = MUTATORS,
    expectation: Expectation = NOTHING_EXPECTED,
    *,
    must_be_sealed: bool = False,
    importing: Importing = TRANSCRIPTS,
) -> FileResult:
    """Audit the lines of one file in one pass.

    Raises:
        InputError: if it is neither a sealed file nor what it should be, or must be sealed and isn't. A sealed file
            that was emptied, or stripped of its digests, would otherwise pass as a transcript that nothing protects.
    """
    content, number, whole = _begun(iter(lines))
    again = lines if isinstance(lines, SeekableLines) else None
    if must_be_sealed and content != _SEALED:
        why = "its head is expected" if expectation.head is not None else "the name says sealed"
        raise InputError(*_not_sealed(why, content, name, number))
    if content != _SEALED and importing != TRANSCRIPTS:
        return _check_session(whole, name, scope, mutators, importing)
    reader = ChainReader(whole, name, expectation) if content == _SEALED else None
    records = read_records(whole, name) if reader is None else (link.record for link in reader)
    replay, overreach = _audit(records, scope, mutators, again)
    chain = None if reader is None else reader.result
    if chain is not None and not chain:
        return FileResult(name, chain, None, None)
    return FileResult(name, chain, replay, overreach)


def _check_session(
    lines: Iterator[bytes], name: str, scope: Scope | None, mutators: frozenset[str], importing: Importing
) -> FileResult:
    """Audit a file that may be a recorded session of another tool."""
    from .formats.reading import read  # slow to load, and transcripts have no need of it

    found = read(lines, name, importing.format, Store())
    found.refuse_loss(name, importing)
    replay, overreach = _audit(found.records, scope, mutators | found.mutators)
    return FileResult(name, None, replay, overreach, found.notes(name, importing))


def _begun(lines: Iterator[bytes]) -> tuple[int, int, Iterator[bytes]]:
    """Tell what the first line that is not blank begins; return that, the line's number and all lines once more.

    Of the blank lines before it only the first is kept as it is: a file may hold nothing else for gigabytes.
    """
    blank: list[bytes] = []
    number = 0
    for number, line in enumerate(lines, 1):
        if not is_blank(line):
            return _content(line), number, joined(blank, repeat(b"\n", number - 1 - len(blank)), (line,), lines)
        blank = blank or [line]
    return _BLANK, number, joined(blank, repeat(b"\n", number - len(blank)))


def _content(line: bytes) -> int:
    try:
        value = loads(line)
    except JsonError:
        return _TRANSCRIPT  # its reader will say what is wrong with the line
    return _SEALED if isinstance(value, dict) and ("digest" in value or "prev" in value) else _TRANSCRIPT


def _not_sealed(why: str, content: int, name: str, line: int) -> tuple[str, str, int | None]:
    if content == _BLANK:
        return f"{why}, but the file holds no link", name, None
    return f"{why}, but this is no link of a sealed file", name, line


def _audit(
    records: Iterable[Record], scope: Scope | None, mutators: frozenset[str], lines: SeekableLines | None = None
) -> tuple[ReplayResult, ScopeResult | None]:
    replay = ReplayAudit(mutators, lines)
    if scope is None:
        replay.add(records)
        return replay.result(), None
    overreach = ScopeAudit(scope)
    replay.add(overreach.passed(records))
    return replay.result(), overreach.result()
