"""The command line: arguments in, an exit code out.

Exit codes: 0 clean or intact; 1 findings or a broken chain; 2 could not run; 130 after Ctrl-C; 141 when whoever read
the output went away (never 1, which means findings).
"""

import sys
from collections.abc import Sequence
from contextlib import suppress

from . import __version__
from .arguments import Arguments, Command, Option, UsageError, parse, usage
from .engine.chain import seal
from .engine.errors import InputError
from .engine.quoting import quoted
from .engine.replay import replay
from .engine.scope import scope
from .output import Output, OutputError, ReaderGone
from .replacing import write_file
from .reports.text import replay_report, scope_report, verify_report
from .source import read_scope, read_transcript, verify_file
from .spool import Spool

CLEAN, FINDINGS, COULD_NOT_RUN, INTERRUPTED, READER_GONE = 0, 1, 2, 130, 141


def _stdout() -> Output:
    return Output(sys.stdout, "<stdout>")


def _replay(arguments: Arguments) -> int:
    result = replay(read_transcript(arguments.operands[0]))
    _stdout().lines(replay_report(result))
    return FINDINGS if result.findings else CLEAN


def _scope(arguments: Arguments) -> int:
    path, scope_path = arguments.operands
    declared = read_scope(scope_path)
    result = scope(read_transcript(path), declared)
    _stdout().lines(scope_report(result))
    return FINDINGS if result.findings else CLEAN


def _seal(arguments: Arguments) -> int:
    lines = (link.line for link in seal(read_transcript(arguments.operands[0])))
    target = arguments.last("-o")
    if target is not None:
        write_file(target, lines)
        return CLEAN
    with Spool() as spool:
        for line in lines:
            spool.write(line)
        out = _stdout()
        for piece in spool.pieces():
            out.data(piece)
    return CLEAN


def _verify(arguments: Arguments) -> int:
    result = verify_file(arguments.operands[0])
    _stdout().lines(verify_report(result))
    return CLEAN if result else FINDINGS


def _version(arguments: Arguments) -> int:
    _stdout().lines([f"toolreplay {__version__}"])
    return CLEAN


COMMANDS = (
    Command("replay", "Find non-determinism and redundant calls in a transcript.", ("TRANSCRIPT",), (), _replay),
    Command("scope", "Find calls outside the scope that an agent declared.", ("TRANSCRIPT", "SCOPE"), (), _scope),
    Command(
        "seal",
        "Seal a transcript into a SHA-256 hash chain.",
        ("TRANSCRIPT",),
        (Option("-o", "FILE", "write to FILE, whole or not at all, instead of standard output"),),
        _seal,
    ),
    Command("verify", "Find the first broken link of a sealed file.", ("SEALED",), (), _verify),
    Command("version", "Print the version.", (), (), _version),
)


def _help() -> list[str]:
    lines = [
        "usage: toolreplay COMMAND …",
        "",
        "Audits recorded tool calls of AI agents. '-' as a path is standard input.",
        "",
        "commands:",
    ]
    lines += [f"  {command.name:<8} {command.summary}" for command in COMMANDS]
    return [*lines, "", "'toolreplay COMMAND --help' tells more. Exit codes: 0 clean, 1 findings, 2 could not run."]


def _run(words: Sequence[str]) -> int:
    if not words:
        raise UsageError("no command; 'toolreplay --help' lists them")
    name, *rest = words
    if name == "--help":
        _stdout().lines(_help())
        return CLEAN
    if name == "--version":
        name = "version"
    command = next((command for command in COMMANDS if command.name == name), None)
    if command is None:
        raise UsageError(f"unknown command: {quoted(name)}; 'toolreplay --help' lists them")
    if rest == ["--help"]:
        _stdout().lines(usage(command))
        return CLEAN
    return command.run(parse(command, rest))


def _say(error: Exception) -> None:
    with suppress(OutputError, ReaderGone):  # nobody may be there to be told; the exit code still tells
        Output(sys.stderr, "<stderr>").lines([f"error: {error}"])


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return the exit code."""
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except (UsageError, InputError, OutputError) as error:
        _say(error)
        return COULD_NOT_RUN
    except ReaderGone:
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
