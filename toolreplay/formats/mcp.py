"""MCP: JSON-RPC messages between a client and its servers, bare or in the wrappers in which logs hold them.

A call is a request `tools/call`, its result the response with its id. An id is unique in a connection and direction, so
a key is the server and the connection, which begins anew with `initialize`, and the id. What a server asks of its
client, and the answers, are no tool calls.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..engine.canonical import Json, loads
from ..engine.errors import JsonError
from .format import Format, Place, Reader, kind_of
from .held import DENIED, ERROR, INTERRUPTED, OK
from .items import mcp_name
from .session import ABSENT, Key, Session
from .values import end_of_value

_CLIENT, _SERVER = "client", "server"
_BLOCKED = "(blocked)"
_MESSAGE = re.compile(r"Message from (client|server): ")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_LEVELS = frozenset({"debug", "info", "warn", "warning", "error"})
_BODIES = ("payload", "message", "msg", "data", "frame", "body")
_DIRECTIONS = {
    "REQUEST": _CLIENT,
    "RESPONSE": _SERVER,
    "client": _CLIENT,
    "server": _SERVER,
    "client->server": _CLIENT,
    "server->client": _SERVER,
    "client_to_server": _CLIENT,
    "server_to_client": _SERVER,
    "outgoing": _CLIENT,
    "incoming": _SERVER,
}


class _Message(NamedTuple):
    """A JSON-RPC message, who sent it ("" if nothing tells) and the server of its connection ("" likewise)."""

    body: dict[str, Json]
    sender: str
    server: str


class _Reader(Reader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._connections: dict[str, int] = {}
        self._repeats: dict[Key, int] = {}
        self._others: set[Key] = set()  # requests of the client that are no calls
        self._asked_by_server: set[Key] = set()
        self._cancelled: dict[Key, int] = {}
        self._blocked = 0
        self._last_call: dict[tuple[str, str], Key] = {}

    def records(self, value: Json) -> Iterator[Json]:
        """Give the messages: a batch is an array of them, in a wrapper too."""
        for record in value if isinstance(value, list) else (value,):
            name = _batch(record)
            if name is None:
                yield record
            else:
                yield from ({**record, name: message} for message in record[name])

    def take(self, record: Json, place: Place) -> str | None:
        message = _message(record)
        line = place.of(record if message is None else message.body)
        if message is None:
            return None if self._filtered(record, line) else kind_of(record, "type")
        body, method = message.body, message.body.get("method")
        key = self._key(message)
        if method is None:
            return self._response(message, key, line)
        if method == "tools/call" and message.sender != _SERVER:
            self._call(message, key, line)
            return None
        if method == "notifications/cancelled":
            self._cancel(message, line)
        elif method == "initialize" and message.sender != _SERVER:
            self._connections[message.server] = self._connections.get(message.server, 0) + 1
            key = self._key(message)
        if key is not None:
            by_server = message.sender == _SERVER or method in _OF_SERVERS
            (self._asked_by_server if by_server else self._others).add(key)
        return kind_of(body, "method")

    def _key(self, message: _Message, identifier: Json = None) -> Key | None:
        identifier = message.body.get("id") if identifier is None else identifier
        if not isinstance(identifier, str) and type(identifier) is not int:
            return None
        scope = f"{self._connections.get(message.server, 0)} {message.server}"
        return scope, identifier

    def _current(self, key: Key) -> Key:
        """Give the key of the last call with an id, which may have been used before in the connection."""
        repeats = self._repeats.get(key, 0)
        return (f"{repeats} {key[0]}", key[1])

    def _call(self, message: _Message, key: Key | None, line: int) -> None:
        params = message.body.get("params")
        params = params if isinstance(params, dict) else {}
        if key is not None:
            if self.session.answered(self._current(key)):
                self._repeats[key] = self._repeats.get(key, 0) + 1
            key = self._current(key)
        tool = params.get("name")
        if message.server:
            tool = mcp_name(message.server, tool)
        args = params.get("arguments")
        self.session.call(key, tool, {} if args is None else args, line)
        if key is not None and isinstance(tool, str):
            self._last_call[message.server, tool] = key

    def _response(self, message: _Message, key: Key | None, line: int) -> str | None:
        body = message.body
        if key is None or message.sender == _CLIENT:
            return "response"
        current = self._current(key)
        is_call = self.session.number(current) is not None
        if key in self._asked_by_server and not message.sender and not (is_call and _of_tool(body)):
            self._asked_by_server.discard(key)
            return "response"
        if not is_call and (key in self._others or not _of_tool(body)):
            self._others.discard(key)
            return "response"
        result = body.get("result", ABSENT)
        if "error" in body:
            self.session.result(current, ERROR, body["error"], line)
        else:
            failed = isinstance(result, dict) and result.get("isError") is True
            self.session.result(current, ERROR if failed else OK, result, line)
        return None

    def _cancel(self, message: _Message, line: int) -> None:
        params = message.body.get("params")
        key = self._key(message, params.get("requestId")) if isinstance(params, dict) else None
        if key is not None:
            self._cancelled[self._current(key)] = line

    def _filtered(self, record: Json, line: int) -> bool:
        """Take a call that a gateway blocked; tell whether the record is one."""
        if not isinstance(record, dict) or record.get("type") != "DIFC_FILTERED":
            return False
        server = record.get("server_id")
        tool = mcp_name(server, record.get("tool_name"))
        key = self._last_call.get((server, tool)) if isinstance(server, str) and isinstance(tool, str) else None
        if key is None or self.session.answered(key):
            self._blocked += 1
            key = (_BLOCKED, self._blocked)
            self.session.call(key, tool, ABSENT, line)
        self.session.result(key, DENIED, record.get("reason", ABSENT), line)
        return True

    def end(self) -> None:
        """Mark what was cancelled and never answered."""
        for key, line in self._cancelled.items():
            if self.session.number(key) is not None and not self.session.answered(key):
                self.session.result(key, INTERRUPTED, ABSENT, line)


_OF_SERVERS = ("sampling/createMessage", "elicitation/create", "roots/list")
"""Requests that only servers make."""


def _of_tool(body: dict[str, Json]) -> bool:
    """Tell whether a response can be that to a tool call."""
    result = body.get("result")
    if not isinstance(result, dict):
        return "error" in body
    return isinstance(result.get("content"), list) or "structuredContent" in result or "isError" in result


def _message(record: Json) -> _Message | None:
    if not isinstance(record, dict):
        return None
    if record.get("jsonrpc") == "2.0":
        return _Message(record, "", "")
    for name in _BODIES:
        body = record.get(name)
        if isinstance(body, dict) and body.get("jsonrpc") == "2.0":
            return _Message(body, _sender(record), _server(record))
    return None


def _batch(record: Json) -> str | None:
    """Name the member of a wrapper that holds an array of messages, if one does."""
    if not isinstance(record, dict) or _message(record) is not None:
        return None
    for name in _BODIES:
        held = record.get(name)
        if isinstance(held, list) and any(_message(message) is not None for message in held):
            return name
    return None


def _sender(record: dict[str, Json]) -> str:
    for name in ("from", "type", "direction", "dir"):
        word = record.get(name)
        if isinstance(word, str) and word in _DIRECTIONS:
            return _DIRECTIONS[word]
    return ""


def _server(record: dict[str, Json]) -> str:
    for name in ("server_id", "server", "server_name"):
        word = record.get(name)
        if isinstance(word, str):
            return word
    return ""


def _embedded(line: bytes) -> Json:
    """Find the message in a line of a log, as Claude Desktop writes them."""
    start = line.find(b"{")
    end = end_of_value(line, start) if start >= 0 else None
    if end is None:
        return None
    try:
        body = loads(line[start:end])
    except JsonError:
        return None
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        return None
    head = line[:start].decode(errors="replace")
    words = [word for word in _BRACKETS.findall(head) if word.lower() not in _LEVELS]
    match = _MESSAGE.search(head)
    return {"from": match[1] if match else "", "server": words[-1] if words else "", "payload": body}


def _recognises(value: Json) -> bool:
    return _message(value) is not None


FORMAT = Format(name="mcp", reader=_Reader, recognises=_recognises, embedded=_embedded)
