"""Spans of OpenTelemetry, as OTLP writes them in JSON and as flat lines, in one shape."""

from collections.abc import Iterator
from typing import NamedTuple

from ..engine.canonical import Json

_LEVELS = (("resourceSpans",), ("scopeSpans", "instrumentationLibrarySpans"), ("spans",), ())
"""The members that hold what stands inside an export request, a resource, a scope and a span."""

_SIMPLE = ("stringValue", "boolValue", "doubleValue", "bytesValue")


class Span(NamedTuple):
    """A span: `start` is in nanoseconds, `None` if it can't be read; `failed` if its status says so."""

    name: str
    trace: str
    identifier: str
    parent: str
    start: int | None
    failed: bool
    attributes: dict[str, Json]


def spans_in(value: Json) -> Iterator[Json]:
    """Give the spans in an export request or in an array of them; what is none is given as it is."""
    for part in value if isinstance(value, list) else (value,):
        stack = [(part, 0)]
        while stack:
            within, depth = stack.pop()
            names = _LEVELS[depth] if isinstance(within, dict) else ()
            held = [within[name] for name in names if isinstance(within.get(name), list)]
            if held:
                stack.extend((item, depth + 1) for items in reversed(held) for item in reversed(items))
            elif not _is_empty(within, depth):
                yield within


def _is_empty(value: Json, depth: int) -> bool:
    """Tell whether a value is a level above the spans that has none."""
    return 0 < depth < 3 and isinstance(value, dict) and all(value.get(name) is None for name in _LEVELS[depth])


def is_damaged(record: Json) -> bool:
    """Tell whether a record that is no span should be one, or should hold some."""
    if not isinstance(record, dict):
        return True
    if record.get("type", "span") != "span":
        return False
    return any(name in record for names in _LEVELS for name in names) or "spanId" in record or "span_id" in record


def span(value: Json) -> Span | None:
    """Read a span in any of its spellings; `None` for what is none."""
    if not isinstance(value, dict) or value.get("type", "span") != "span":
        return None
    attributes = value.get("attributes", {} if "spanId" in value or "span_id" in value else None)
    if isinstance(attributes, list):
        attributes = _attributes(attributes)
    if not isinstance(attributes, dict):
        return None
    context = value.get("context")
    ids = {**value, **context} if isinstance(context, dict) else value
    return Span(
        _text(value.get("name")),
        _text(ids.get("traceId", ids.get("trace_id"))),
        _text(ids.get("spanId", ids.get("span_id"))),
        _text(value.get("parentSpanId", value.get("parent_id"))),
        _start(value),
        _failed(value.get("status")),
        attributes,
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _attributes(pairs: list[Json]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for pair in pairs:
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            found[pair["key"]] = _value(pair.get("value"))
    return found


def _value(value: Json) -> Json:
    """Read OTLP's tagged value; whatever is none is left as it is."""
    if not isinstance(value, dict):
        return value
    for name in _SIMPLE:
        if name in value:
            return value[name]
    if "intValue" in value:
        number = value["intValue"]  # a string, since JSON's numbers are too small for some readers
        plain = isinstance(number, str) and number.removeprefix("-").isascii() and number.removeprefix("-").isdigit()
        return int(number) if plain and len(number) <= 20 else number
    items = value.get("arrayValue")
    if isinstance(items, dict):
        elements = []
        for item in items["values"] if isinstance(items.get("values"), list) else ():
            elements.append(_value(item))
        return elements
    members = value.get("kvlistValue")
    if isinstance(members, dict):
        return _attributes(members["values"]) if isinstance(members.get("values"), list) else {}
    return value or None


def _start(value: dict[str, Json]) -> int | None:
    start = value.get("startTimeUnixNano", value.get("startTime", value.get("start_time")))
    if isinstance(start, str) and start.isascii() and start.isdigit() and len(start) <= 20:
        return int(start)
    if isinstance(start, list) and len(start) == 2 and all(type(part) is int for part in start):
        return int(start[0]) * 10**9 + int(start[1])
    return start if type(start) is int else None


def _failed(status: Json) -> bool:
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else status
    return code in (2, "2", "ERROR", "STATUS_CODE_ERROR")
