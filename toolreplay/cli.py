"""The command line: arguments in, an exit code out."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from .arguments import QUIET, Command, UsageError, parse, usage
from .engine.errors import InputError
from .engine.quoting import quoted
from .exit_codes import CLEAN, COULD_NOT_RUN, INTERRUPTED, READER_GONE
from .names import as_text
from .output import OutputError, ReaderGone, complain, stdout

COMMANDS = ("replay", "scope", "seal", "verify", "head", "check", "hook", "guard", "convert", "version")


def command_named(name: str) -> Command:
    """Load a command, and nothing that only other commands need.

    Raises:
        UsageError: if there is none of that name.
    """
    if name not in COMMANDS:
        raise UsageError(f"unknown command: {quoted(as_text(name))}; 'toolreplay --help' lists them")
    command: Command = import_module(f".commands.{name}", __package__).COMMAND
    return command


def _help() -> list[str]:
    lines = [
        "usage: toolreplay COMMAND …",
        "",
        "Audits recorded tool calls of AI agents. '-' as a path is standard input.",
        "",
        "commands:",
    ]
    lines += [f"  {name:<8} {command_named(name).summary}" for name in COMMANDS]
    return [*lines, "", "'toolreplay COMMAND --help' tells more. Exit codes: 0 clean, 1 findings, 2 could not run."]


def _run(words: Sequence[str]) -> int:
    if not words:
        raise UsageError("no command; 'toolreplay --help' lists them")
    name, *rest = words
    if name == "--help":
        if rest:
            raise UsageError(f"one argument too many: {quoted(as_text(rest[0]))}")
        stdout().lines(_help())
        return CLEAN
    command = command_named("version" if name == "--version" else name)
    if rest == ["--help"] and not command.is_hook:
        stdout().lines(usage(command))
        return CLEAN
    arguments = parse(command, rest)
    terminal = sys.stderr
    if terminal is None or not terminal.isatty() or os.environ.get("CI") or arguments.has(QUIET.name):
        return command.run(arguments)
    from .progress import shown

    with shown(terminal):
        return command.run(arguments)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return the exit code."""
    collecting = gc.isenabled()
    gc.disable()  # records make no cycles, and looking for some again and again takes a tenth of the time
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except (UsageError, InputError, OutputError) as error:
        complain(error)
        return COULD_NOT_RUN
    except ReaderGone:
        return READER_GONE
    except MemoryError:
        complain(OutputError("not enough memory"))
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if collecting:
            gc.enable()
