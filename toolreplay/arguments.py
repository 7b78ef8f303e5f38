"""Reading a command line.

Not argparse: its words differ between versions of Python, and an option may not be shortened, given twice unnoticed or
taken from what follows ``--``. What is printed for a wrong command line is part of what this program promises.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .engine.quoting import quoted
from .names import as_text


class UsageError(Exception):
    """A command line that can't be carried out; its text is finished and escaped."""


class Option(NamedTuple):
    """An option: its name with the dashes, what its value is called ("" for a switch), whether it may be repeated."""

    name: str
    value: str
    help: str
    repeats: bool = False


QUIET = Option("--quiet", "", "show no progress line, which only a terminal sees")
"""For every command that may read much."""


class Arguments(NamedTuple):
    """What was given: the operands in order, and for each option its values."""

    operands: list[str]
    options: dict[str, list[str]]

    def last(self, name: str) -> str | None:
        """Return an option's value, or `None` where it was not given."""
        values = self.options.get(name)
        return values[-1] if values else None

    def all(self, name: str) -> list[str]:
        """Return the values of an option that may be repeated."""
        return self.options.get(name, [])

    def has(self, name: str) -> bool:
        """Tell whether an option was given."""
        return name in self.options


class Command(NamedTuple):
    """A command: its operands by name (a last name that ends in ``…`` takes any number), its options, what runs it.

    `is_hook` says that its operands are names of files that nobody wrote by hand: see `parse`.
    """

    name: str
    summary: str
    operands: tuple[str, ...]
    options: tuple[Option, ...]
    run: Callable[[Arguments], int]
    is_hook: bool = False


def parse(command: Command, words: Sequence[str]) -> Arguments:
    """Read the words after a command's name.

    Where these end in names of files that an attacker may have chosen, an option must stand before ``--`` and an
    operand behind it. Without ``--`` nothing may look like an option: a file called ``--fail-on=none`` could be one.

    Raises:
        UsageError: for an unknown option, a value too many or missing, an operand too many or missing.
    """
    if command.is_hook and "--" not in words:
        _no_option_unended(command, words)
        words = ["--", *words]
    known = {option.name: option for option in command.options}
    arguments = Arguments([], {})
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "--":
            arguments.operands.extend(reversed(rest))
            break
        if word == "-" or not word.startswith("-"):
            if command.is_hook:
                raise UsageError(f"{command.name}: {quoted(as_text(word))} stands before '--', where only options may")
            arguments.operands.append(word)
            continue
        name, equals, value = word.partition("=")
        option = known.get(name)
        if option is None or (equals and not (option.value and name.startswith("--"))):
            advice = "" if command.is_hook else f"; 'toolreplay {command.name} --help' lists them"
            raise UsageError(f"unknown option: {quoted(as_text(word))}{advice}")
        _take(arguments, option, value if equals else None, rest)
    _check_operands(command, arguments.operands)
    return arguments


def _no_option_unended(command: Command, words: Sequence[str]) -> None:
    for word in words:
        if word.startswith("-") and word != "-":
            raise UsageError(
                f"{command.name}: {quoted(as_text(word))} looks like an option, and options count only before '--': "
                "end the hook's arguments with it, as in  args: [--scope, scope.json, --]"
            )


def _take(arguments: Arguments, option: Option, value: str | None, rest: list[str]) -> None:
    if option.name in arguments.options and not option.repeats:
        raise UsageError(f"option {option.name} is given twice")
    if option.value and value is None:
        if not rest or (rest[-1].startswith("-") and rest[-1] != "-"):
            raise UsageError(f"option {option.name} needs a value: {option.value}")
        value = rest.pop()
    arguments.options.setdefault(option.name, []).append(value or "")


def _check_operands(command: Command, given: list[str]) -> None:
    takes_any = bool(command.operands) and command.operands[-1].endswith("…")
    if not takes_any and len(given) > len(command.operands):
        raise UsageError(f"{command.name}: one argument too many: {quoted(as_text(given[len(command.operands)]))}")
    if len(given) < len(command.operands):
        raise UsageError(f"{command.name}: missing argument: {command.operands[len(given)].rstrip('…')}")
    if given.count("-") > 1:
        raise UsageError("standard input ('-') can be read only once")


def usage(command: Command) -> list[str]:
    """Return the help of a command, in lines."""
    words = ["usage: toolreplay", command.name, *(["[OPTIONS]"] if command.options else []), *command.operands]
    lines = [" ".join(words), "", f"  {command.summary}"]
    if command.options:
        lines += ["", "options:"]
        width = max(len(f"{option.name} {option.value}") for option in command.options)
        lines += [f"  {option.name + ' ' + option.value:<{width}}  {option.help}" for option in command.options]
    return lines
