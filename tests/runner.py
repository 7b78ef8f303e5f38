"""What GitHub's runner reads in what a step prints and writes: a model of its rules, for the tests.

Worked out from the sources of actions/runner (`ActionCommand`, `FileCommandManager`, `StreamReader.ReadLine`) and not
from what this project prints.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

REGISTERED = frozenset(
    (
        "error",
        "warning",
        "notice",
        "debug",
        "group",
        "endgroup",
        "add-mask",
        "add-matcher",
        "remove-matcher",
        "stop-commands",
        "echo",
        "set-output",
        "save-state",
        "set-env",
        "add-path",
    )
)
SUMMARY_LIMIT = 1024 * 1024
MESSAGE_LIMIT = 4096

# What .NET's char.IsWhiteSpace holds for white space; Python's own idea has U+001C to U+001F on top.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

_LINE_END = re.compile("\r\n|\r|\n")
_MESSAGE_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
_PROPERTY_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
_OLD_ESCAPES = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"))


class Command(NamedTuple):
    """A command that the runner would carry out."""

    name: str
    properties: dict[str, str]
    message: str


def lines_of(printed: bytes) -> list[str]:
    """Part what a step printed into the lines that the runner sees."""
    lines = _LINE_END.split(printed.decode("utf-8", "replace"))
    return lines[:-1] if lines[-1] == "" else lines


def commands_in(printed: bytes) -> list[Command]:
    """Return the commands in what a step printed, in order."""
    found = (command_in(line) for line in lines_of(printed))
    return [command for command in found if command is not None]


def command_in(line: str) -> Command | None:
    """Return the command in a line, if it holds one."""
    return _command(line) or _older_command(line)


def _command(line: str) -> Command | None:
    line = line.lstrip(WHITE_SPACE)
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    properties = _properties(rest.strip(WHITE_SPACE), ",", _PROPERTY_ESCAPES)
    return _registered(name, properties, _decoded(line[end + 2 :], _MESSAGE_ESCAPES))


def _older_command(line: str) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, rest = line[start + 3 : end].partition(" ")
    return _registered(name, _properties(rest, ";", _OLD_ESCAPES), _decoded(line[end + 1 :], _OLD_ESCAPES))


def _registered(name: str, properties: dict[str, str], message: str) -> Command | None:
    return Command(name.lower(), properties, message) if name.lower() in REGISTERED else None


def _properties(text: str, separator: str, escapes: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(separator):
        key, equals, value = part.lstrip("=").partition("=")
        value = value.lstrip("=")  # lost, and nothing can escape it
        if equals and value:
            found[key.lower()] = _decoded(value, escapes)
    return found


def _decoded(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for escaped, character in escapes:
        text = text.replace(escaped, character)
    return text


def outputs_in(written: str) -> dict[str, str]:
    """Return the outputs in what a step wrote to the file of its outputs.

    Raises:
        ValueError: for a line that makes the runner fail the step.
    """
    found: dict[str, str] = {}
    lines = iter(written.split("\n"))
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, _, found[line[:equals]] = line.partition("=")
            if not name:
                raise ValueError(f"no name: {line!r}")
        elif heredoc >= 0:
            name, _, delimiter = line.partition("<<")
            if not name or not delimiter:
                raise ValueError(f"no name or no delimiter: {line!r}")
            found[name] = _until(delimiter, lines)
        else:
            raise ValueError(f"malformed: {line!r}")
    return found


def _until(delimiter: str, lines: Iterator[str]) -> str:
    value: list[str] = []
    for line in lines:
        if line == delimiter:
            return "\n".join(value)
        value.append(line)
    raise ValueError(f"no line {delimiter!r} ends the value")


def summary_shown(written: bytes) -> bytes | None:
    """Return the summary that GitHub shows, or `None` where there is none or it is dropped."""
    return written if 0 < len(written) <= SUMMARY_LIMIT else None
