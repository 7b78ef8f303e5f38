"""GitHub Copilot: the events of its command line, and of the agents that write the same.

A call is asked for in an `assistant.message` and begun in a `tool.execution_start`, both under one id: it is one call,
with the arguments that were asked for, unless it was begun with others. `tool.execution_complete` ends it. Ids are
unique in an agent, which the envelope names.
"""

import re

from ..engine.canonical import Json, dumps
from .content import arguments
from .format import Format, Place, Reader, kind_of
from .held import DENIED, ERROR, OK, UNKNOWN
from .session import ABSENT, Key, Session

_TYPE = re.compile(r"(?:session|assistant|tool|user|hook|system|subagent)\.[a-z]")
_OF_CALLS = ("assistant.message", "tool.execution_start", "tool.execution_complete")
_NOT_EXECUTED = ("denied", "rejected", "permission_denied")


class _Reader(Reader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._asked: dict[Key, tuple[str, Json]] = {}  # tool and arguments of calls that have not begun

    def take(self, record: Json, place: Place) -> str | None:
        label = kind_of(record, "type")
        if not isinstance(record, dict) or not isinstance(record.get("data"), dict):
            if label in _OF_CALLS:
                self.session.tally.not_read(place.of(record))
            return label
        data, agent = record["data"], record.get("agentId")
        scope = agent if isinstance(agent, str) else ""
        if label == "assistant.message":
            return None if self._requests(data.get("toolRequests"), scope, place, place.of(data)) else label
        key = _key(scope, data.get("toolCallId"))
        if label == "tool.execution_start":
            self._begun(key, data.get("toolName"), _arguments(data), place.of(data))
            return None
        if label == "tool.execution_complete":
            if key is not None:
                self._asked.pop(key, None)
            self.session.result(key, *_result(data), place.of(data))
            return None
        return label

    def _begun(self, key: Key | None, tool: Json, args: Json, line: int) -> None:
        asked = self._asked.pop(key, None) if key is not None else None
        number = self.session.number(key) if key is not None and asked is not None and asked[0] == tool else None
        if number is None or asked is None:
            self.session.call(key, tool, args, line)
        elif not _is_part(args, asked[1]):
            self.session.amend(number, tool, args, line)

    def _requests(self, requests: Json, scope: str, place: Place, line: int) -> bool:
        found = False
        for request in self.listed(requests, line):
            request = request if isinstance(request, dict) else {}
            key, tool = _key(scope, request.get("toolCallId")), request.get("name")
            self.session.call(key, tool, _arguments(request), place.of(request))
            if key is not None and isinstance(tool, str):
                self._asked[key] = tool, _arguments(request)
            found = True
        return found


def _key(scope: str, identifier: Json) -> Key | None:
    return (scope, identifier) if isinstance(identifier, str) else None


def _arguments(data: dict[str, Json]) -> Json:
    return data.get("arguments", data.get("input", ABSENT))


def _is_part(begun: Json, asked: Json) -> bool:
    """Tell whether a call was begun with nothing but what was asked for: a description may be left out."""
    if begun is ABSENT or begun is None:
        return True
    if asked is ABSENT or asked is None:
        return False
    known = arguments(asked)
    return all(name in known and dumps(known[name]) == dumps(value) for name, value in arguments(begun).items())


def _result(data: dict[str, Json]) -> tuple[str, Json]:
    success, result, error = data.get("success"), data.get("result"), data.get("error")
    status = {True: OK, False: ERROR}[success] if isinstance(success, bool) else UNKNOWN
    if isinstance(error, dict) and error.get("code") in _NOT_EXECUTED:
        status = DENIED
    content = result.get("content", result) if isinstance(result, dict) else result
    if content is None:
        content = ABSENT if error is None else error
    return status, content


def _recognises(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and _TYPE.match(value["type"]) is not None
        and isinstance(value.get("data"), dict)
    )


FORMAT = Format(
    name="copilot",
    reader=_Reader,
    recognises=_recognises,
    mutators=frozenset(
        {
            "bash",
            "create",
            "edit",
            "powershell",
            "read_bash",
            "read_powershell",
            "shell",
            "stop_bash",
            "stop_powershell",
            "write_bash",
            "write_powershell",
        }
    ),
)
