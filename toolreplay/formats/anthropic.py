"""Anthropic Messages: conversations whose messages have content blocks, and the variant of Bedrock's Converse.

Calls are `tool_use` blocks, results `tool_result` blocks with their ids; server tools and MCP tools have types of their
own. A result without the flag `is_error` is no error.
"""

from ..engine.canonical import Json
from .blocks import CALL, RESULT, flagged, read_blocks
from .chats import ChatReader, holds_message
from .format import Format, Place, kind_of
from .held import ERROR, OK, UNKNOWN
from .session import ABSENT


class _Reader(ChatReader):
    def take(self, record: Json, place: Place) -> str | None:
        if not isinstance(record, dict):
            return kind_of(record)
        content = record.get("content")
        if isinstance(content, dict) and _has_role(record):  # a block where a list of them should be
            self.session.tally.not_read(place.of(content))
        found = read_blocks(content, self.scope, self.session, place, flagged)
        found = self._converse(content, place) or found
        return None if found else kind_of(record, "role")

    def _converse(self, content: Json, place: Place) -> bool:
        """Read the blocks of Converse, which have the type as their one key."""
        found = False
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            for name in ("toolUse", "toolResult"):
                part = block.get(name)
                if not isinstance(part, dict):
                    continue
                identifier = part.get("toolUseId")
                key = (self.scope, identifier) if isinstance(identifier, str) else None
                line = place.of(part)
                if name == "toolUse":
                    self.session.call(key, part.get("name"), part.get("input", ABSENT), line)
                else:
                    status = {"success": OK, "error": ERROR}.get(str(part.get("status", "success")), UNKNOWN)
                    self.session.result(key, status, part.get("content", ABSENT), line)
                found = True
        return found


def _recognises(value: Json) -> bool:
    return holds_message(value, lambda message: _has_role(message) and _has_blocks(message.get("content")))


def _plausible(value: Json) -> bool:
    return holds_message(value, _has_role)


def _has_role(message: dict[str, Json]) -> bool:
    return isinstance(message.get("role"), str)


def _has_blocks(content: Json) -> bool:
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            kind = block.get("type")
            if isinstance(kind, str) and kind.endswith((CALL, RESULT)):
                return True
            if "toolUse" in block or "toolResult" in block:
                return True
    return False


FORMAT = Format(name="anthropic", reader=_Reader, recognises=_recognises, plausible=_plausible)
