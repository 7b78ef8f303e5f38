"""Scope: which calls went beyond the permissions that an agent declared.

A scope file is one JSON object, which may span lines, with exactly the fields `agent` (a string) and `allowed_tools`
(an array of strings). It is read as strictly as a transcript. Names of tools match exactly, case included.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .canonical import loads
from .errors import InputError, JsonError
from .findings import PERMISSION_OVERREACH, Finding
from .quoting import key
from .transcript import Record, call_digest, type_name, wrong_field, wrong_type

_TYPES = {"agent": str, "allowed_tools": list}


class Scope(NamedTuple):
    """The tools that an agent declared it would use."""

    agent: str
    allowed_tools: frozenset[str]


class ScopeResult(NamedTuple):
    """What auditing against a scope found; `calls` counts the records, `findings` are sorted by index."""

    calls: int
    findings: tuple[Finding, ...]


class ScopeAudit:
    """Audits records one at a time and holds only what it finds."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._calls = 0
        self._findings: list[Finding] = []

    def passed(self, records: Iterable[Record]) -> Iterator[Record]:
        """Take the next records, and give each on."""
        allowed = self._scope.allowed_tools
        for calls, record in enumerate(records, self._calls + 1):
            self._calls = calls
            if record.tool not in allowed:
                agent, call = self._scope.agent, call_digest(record)
                finding = Finding(record.index, PERMISSION_OVERREACH, record.line, record.tool, agent=agent, call=call)
                self._findings.append(finding)
            yield record

    def result(self) -> ScopeResult:
        """Return what was found in the records so far."""
        return ScopeResult(self._calls, tuple(self._findings))


def scope(records: Iterable[Record], declared: Scope) -> ScopeResult:
    """Find the calls of tools that are not in the scope."""
    audit = ScopeAudit(declared)
    for _ in audit.passed(records):
        pass
    return audit.result()


def parse_scope(data: bytes, name: str = "<scope>") -> Scope:
    """Read a scope file.

    Args:
        data: the whole file.
        name: its name, for errors.

    Raises:
        InputError: if it is no scope. The line is that of the fault where the text is refused, else the object's.
    """
    try:
        value = loads(data)
    except JsonError as error:
        raise InputError(error.cause, name, 1 + error.newlines) from None
    problem = _what_is_wrong(value)
    if problem:
        blank = data[: len(data) - len(data.lstrip(b" \t\r\n"))]
        raise InputError(problem, name, 1 + blank.count(b"\n"))
    return Scope(value["agent"], frozenset(value["allowed_tools"]))


def _what_is_wrong(value: object) -> str:
    if not isinstance(value, dict):
        return f"not an object but {type_name(value)}"
    problem = wrong_field(value, _TYPES)
    if problem:
        return problem
    if type(value["agent"]) is not str or type(value["allowed_tools"]) is not list:
        return wrong_type(value, _TYPES)
    for position, tool in enumerate(value["allowed_tools"]):
        if type(tool) is not str:
            return f"entry {position} of {key('allowed_tools')} must be a string, not {type_name(tool)}"
    return ""
