"""The action's inputs: the one table of what there is, and the reading of the variables they arrive in.

The runner gives an input as the variable `INPUT_<ID>`: its name in upper case, a space as ``_``, dashes kept. It does
not refuse an unknown input nor insist on a required one, so both are checked here. A value that is empty or only white
space counts as not given: that is what an expression of a workflow gives for something that isn't there.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .arguments import UsageError
from .check import fail_on_kinds
from .engine.errors import InputError
from .engine.findings import KINDS
from .engine.quoting import quoted
from .expectations import heads
from .formats.registry import FORMATS, TOOLREPLAY
from .names import as_text

REPORT_FILES = {
    "text": "toolreplay-report.txt",
    "json": "toolreplay-report.json",
    "sarif": "toolreplay-report.sarif",
    "junit": "toolreplay-report.xml",
    "html": "toolreplay-report.html",
}
"""The formats of a report that is left in the workspace, and where it is left unless that is said."""

_PREFIX = "INPUT_"
_TRUE, _FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")


class Input(NamedTuple):
    """One input: its name, its default ("" for none), and what makes its value of the text.

    `read` raises `ValueError`, with what is allowed as its text, for a text that the input doesn't take.
    """

    name: str
    default: str
    read: Callable[[str], Any]


def _lines(text: str) -> list[str]:
    files = _names(text)
    if not files:
        raise ValueError("a list of files, one path or pattern a line")
    return files


def _names(text: str) -> list[str]:
    return [name for line in text.split("\n") if (name := line.strip(" \t\r"))]


def _heads(text: str) -> dict[str, str]:
    try:
        return heads(_names(text))
    except UsageError:
        raise ValueError("a list of PATH=DIGEST, one a line, each DIGEST of 64 lower-case hex digits") from None


def _report_format(text: str) -> str:
    if text and text not in REPORT_FILES:
        raise ValueError(f"one of {', '.join(REPORT_FILES)}")
    return text


def _kinds(text: str) -> frozenset[str]:
    kinds = fail_on_kinds(text)
    if kinds is None:
        raise ValueError(f"any, none, or of {', '.join(KINDS)} with commas between")
    return kinds


def _format(text: str) -> str:
    if text not in FORMATS:
        raise ValueError(f"a format; there are {', '.join(FORMATS)}")
    return text


def _switch(text: str) -> bool:
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError("true or false")


INPUTS = (
    Input("files", "", _lines),
    Input("from", TOOLREPLAY, _format),
    Input("scope", "", str),
    Input("fail-on", "any", _kinds),
    Input("mutators", "", _names),
    Input("expect-head", "", _heads),
    Input("exact", "false", _switch),
    Input("base", "", str),
    Input("allow-removal", "", _names),
    Input("annotations", "true", _switch),
    Input("summary", "true", _switch),
    Input("output-format", "", _report_format),
    Input("output-file", "", str),
    Input("html-content", "false", _switch),
)


def read_inputs(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the value of each input, under its name.

    Raises:
        InputError: for an unknown input, or a value that an input doesn't take.
    """
    known = {_PREFIX + entry.name.upper(): entry for entry in INPUTS}
    for variable in sorted(environment):
        if variable.startswith(_PREFIX) and variable not in known:
            raise InputError(f"unknown input: {quoted(as_text(variable.removeprefix(_PREFIX)).lower())}")
    return {entry.name: _value(entry, environment.get(variable, "")) for variable, entry in known.items()}


def _value(entry: Input, given: str) -> Any:
    text = given.strip() or entry.default
    try:
        return entry.read(text)
    except ValueError as error:
        raise InputError(f"input '{entry.name}': {quoted(as_text(text))} is not {error}") from None


def summary_wanted(environment: Mapping[str, str]) -> bool:
    """Tell whether a summary is asked for, also where the inputs are refused for what others of them say."""
    return environment.get("INPUT_SUMMARY", "").strip() not in _FALSE
