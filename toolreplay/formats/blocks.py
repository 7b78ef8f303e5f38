"""The content blocks of Messages: calls and results inside a message, as the API and Claude Code spell them."""

from collections.abc import Callable

from ..engine.canonical import Json
from .format import Place
from .held import ERROR, OK
from .session import ABSENT, Key, Session

CALL, RESULT = "tool_use", "tool_result"
"""How the types of blocks end that are calls and results: those of server tools have more in front."""


def read_blocks(
    content: Json, scope: str, session: Session, place: Place, status: Callable[[dict[str, Json]], str]
) -> bool:
    """Hand the calls and results among a message's content blocks to the session.

    Args:
        content: the message's `content`, whatever it is.
        scope: what its ids are unique in.
        session: takes them.
        place: knows the blocks' lines.
        status: tells the status of a result's block.

    Returns:
        Whether there was any.
    """
    found = False
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            session.tally.not_read(place.of(content))
            continue
        kind = block.get("type")
        if not isinstance(kind, str):
            continue
        if kind.endswith(CALL):
            session.call(_key(scope, block.get("id")), _name(block), block.get("input", ABSENT), place.of(block))
            found = True
        elif kind.endswith(RESULT):
            key = _key(scope, block.get("tool_use_id"))
            session.result(key, status(block), block.get("content", ABSENT), place.of(block))
            found = True
    return found


def _key(scope: str, identifier: Json) -> Key | None:
    return (scope, identifier) if isinstance(identifier, str) else None


def _name(block: dict[str, Json]) -> Json:
    name = block.get("name")
    if block["type"] == "mcp_tool_use" and isinstance(name, str) and isinstance(block.get("server_name"), str):
        return f"mcp__{block['server_name']}__{name}"
    return name


def flagged(block: dict[str, Json]) -> str:
    """Tell a result's status by its flag alone; without one it is no error."""
    return ERROR if block.get("is_error") is True else OK
