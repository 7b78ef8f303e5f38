"""OpenTelemetry: spans of tool calls by the conventions for generative AI, and by those that came before them.

One span is one call, with its result. Spans are written when they end, so records stand in the order in which the
calls began, one trace after the other. Recording arguments is optional: a file in which no call has any is refused. The
messages of model calls fill in arguments and results that a call's own span lacks, by its id.

A client's span of an MCP call inside the span of the same call is that call again, and is left out.
"""

from typing import NamedTuple

from ..engine.canonical import Json, loads
from ..engine.errors import JsonError
from .format import Format, Place, Reader, kind_of
from .held import ERROR, OK
from .session import ABSENT, Key, Session
from .spans import Span, is_damaged, span, spans_in

_TOOL = "execute_tool "
_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_IDS = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "ai.toolCall.args",
    "input.value",
    "traceloop.entity.input",
)
_RESULTS = ("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "output.value", "traceloop.entity.output")
_MESSAGES = ("gen_ai.input.messages", "gen_ai.output.messages")


class _Began(NamedTuple):
    """A call's place in the order, and what tells whether it repeats its parent span.

    `identifier` is its span's, "" for the client's span of an MCP call; `parent` is that of such a span's parent alone.
    """

    trace: str
    start: int | None
    number: int
    identifier: str
    parent: str
    tool: str


class _Reader(Reader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._began: list[_Began] = []
        self._nameless = 0

    def records(self, value: Json) -> list[Json]:
        return list(spans_in(value))

    def take(self, record: Json, place: Place) -> str | None:
        found = span(record)
        if found is None:
            if is_damaged(record):
                self.session.tally.not_read(place.of(record))
            return kind_of(record, "type")
        line = place.of(record)
        tool = _tool(found)
        if tool is not None:
            self._tool_span(found, tool, line)
            return None
        return None if self._messages(found, line) else f"span/{_operation(found)}"

    def _tool_span(self, found: Span, tool: str, line: int) -> None:
        attributes = found.attributes
        identifier = _first(attributes, _IDS)
        key: Key = (found.trace, identifier) if isinstance(identifier, str) else (found.trace, self._own_id(found))
        number = self.session.call(key, tool, _first(attributes, _ARGUMENTS), line)
        self._note(number, found, tool)
        status = ERROR if found.failed or isinstance(attributes.get("error.type"), str) else OK
        content = _first(attributes, _RESULTS)
        if content is ABSENT and self.session.answered(key):
            self.session.settle(key, status)
        else:
            self.session.result(key, status, content, line)

    def _own_id(self, found: Span) -> str | int:
        self._nameless += not found.identifier
        return f"span {found.identifier}" if found.identifier else self._nameless

    def _messages(self, found: Span, line: int) -> bool:
        """Read the calls and results in the messages of a model call."""
        any_found = False
        for name in _MESSAGES:
            for part in _parts(found.attributes.get(name)):
                identifier, kind = part.get("id"), part.get("type")
                if not isinstance(identifier, str):
                    continue
                key = (found.trace, identifier)
                if kind == "tool_call":
                    tool = part.get("name")
                    number = self.session.call(key, tool, part.get("arguments", ABSENT), line)
                    self._note(number, found, str(tool))
                    any_found = True
                elif kind == "tool_call_response":
                    self.session.fill(key, part.get("response", part.get("result", ABSENT)), line)
                    any_found = True
        return any_found

    def _note(self, number: int | None, found: Span, tool: str) -> None:
        if number is not None:
            of_client = "mcp.method.name" in found.attributes or found.name.startswith("tools/call")
            identifier, parent = ("", found.parent) if of_client else (found.identifier, "")
            self._began.append(_Began(found.trace, found.start, number, identifier, parent, tool))

    def end(self) -> None:
        """Put the calls into the order in which they began."""
        tools = {(call.trace, call.identifier): call.tool for call in self._began if call.identifier}
        kept = [call for call in self._began if tools.get((call.trace, call.parent)) != call.tool]
        traces: dict[str, int] = {}
        for call in kept:
            traces.setdefault(call.trace, len(traces))
        if all(call.start is not None for call in kept):
            first: dict[str, int] = {}
            for call in kept:
                start = call.start or 0
                first[call.trace] = min(start, first.get(call.trace, start))
            kept.sort(key=lambda call: (first[call.trace], traces[call.trace], call.start or 0, call.number))
        self.session.tally.sessions = max(1, len(traces))
        self.session.arrange([call.number for call in kept])


def _first(attributes: dict[str, Json], names: tuple[str, ...]) -> Json:
    for name in names:
        if name in attributes:
            return attributes[name]
    return ABSENT


def _operation(found: Span) -> str:
    operation = found.attributes.get("gen_ai.operation.name")
    return operation if isinstance(operation, str) else "(other)"


def _tool(found: Span) -> str | None:
    """Name the tool of a span, or give `None` if it is no call."""
    attributes = found.attributes
    is_call = (
        attributes.get("gen_ai.operation.name") == "execute_tool"
        or attributes.get("openinference.span.kind") == "TOOL"
        or attributes.get("traceloop.span.kind") == "tool"
        or isinstance(attributes.get("ai.toolCall.name"), str)
        or (found.name == "running tool" and "gen_ai.tool.name" in attributes)
        or found.name.startswith(_TOOL)
    )
    if not is_call:
        return None
    name = _first(attributes, _NAMES)
    return name if isinstance(name, str) else found.name.removeprefix(_TOOL)


def _parts(messages: Json) -> list[dict[str, Json]]:
    """Give the parts of messages that are a list, or a JSON text of one."""
    if isinstance(messages, str):
        try:
            messages = loads(messages.encode("utf-8", "surrogatepass"))
        except JsonError:
            return []
    found = []
    for message in messages if isinstance(messages, list) else ():
        parts = message.get("parts") if isinstance(message, dict) else None
        found += [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return found


def _recognises(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("resourceSpans"), list):
        return True
    ids = value.get("traceId", value.get("trace_id", value.get("context")))
    return span(value) is not None and (value.get("type") == "span" or (ids is not None and "name" in value))


FORMAT = Format(name="otel", reader=_Reader, recognises=_recognises, needs_args=True)
