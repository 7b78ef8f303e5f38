"""The items of OpenAI's Responses: calls and their outputs, as the API and Codex spell them."""

from collections.abc import Callable

from ..engine.canonical import Json
from .content import blob
from .format import Place
from .held import ERROR, OK, UNKNOWN
from .session import ABSENT, Key, Session

_CALLS = {
    "function_call": ("", "arguments"),
    "custom_tool_call": ("", "input"),
    "local_shell_call": ("local_shell", "action"),
    "shell_call": ("shell", "action"),
    "apply_patch_call": ("apply_patch", "operation"),
    "computer_call": ("computer", "action"),
    "tool_search_call": ("tool_search", "arguments"),
}
"""Types of items that are calls: the tool, or "" where the item names it, and the member with the arguments."""

_HOSTED = {
    "web_search_call": ("web_search", ("action",), ABSENT),
    "file_search_call": ("file_search", ("queries",), "results"),
    "code_interpreter_call": ("code_interpreter", ("code",), "outputs"),
    "image_generation_call": ("image_generation", ("revised_prompt",), "result"),
    "mcp_call": ("", ("arguments",), "output"),
}
"""Calls that the provider carries out: the tool, the members with arguments, the member with the result."""

_ARGUMENTS = ("arguments", "input", "action", "operation")
_OUTPUT = "_output"
_STATUSES = {"completed": OK, "failed": ERROR}

KINDS = frozenset({*_CALLS, *_HOSTED, *(kind.removesuffix("_call") + "_call_output" for kind in _CALLS)})
"""Types that only such an item has."""


def read_item(item: dict[str, Json], scope: str, session: Session, place: Place, status: Callable[[Json], str]) -> bool:
    """Hand the call or the output in an item to the session.

    Args:
        item: any object with a `type`.
        scope: what its ids are unique in.
        session: takes it.
        place: knows its line.
        status: tells the status from an output.

    Returns:
        Whether it is either.
    """
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    line = place.of(item)
    key = _key(scope, item)
    if kind in _CALLS:
        tool, member = _CALLS[kind]
        session.call(key, tool or tool_name(item), item.get(member, ABSENT), line)
        return True
    if kind in _HOSTED:
        _hosted(kind, item, key, session, line)
        return True
    if kind.endswith("_call"):  # of a kind that is not known yet: better a call with little said about it than none
        args = next((item[name] for name in _ARGUMENTS if name in item), ABSENT)
        name = tool_name(item)
        session.call(key, name if isinstance(name, str) else kind.removesuffix("_call"), args, line)
        return True
    if kind.endswith(_OUTPUT) and ("call_id" in item or "output" in item):
        output = item.get("tools" if kind == "tool_search_output" else "output", ABSENT)
        session.result(key, status(output), output, line)
        return True
    return False


def _key(scope: str, item: dict[str, Json]) -> Key | None:
    for name in ("call_id", "id"):
        identifier = item.get(name)
        if isinstance(identifier, str):
            return scope, identifier
    return None


def tool_name(item: dict[str, Json]) -> Json:
    """Name the tool of a call, after its namespace where it has one."""
    name, space = item.get("name"), item.get("namespace")
    if isinstance(name, str) and isinstance(space, str) and space:
        return space + name if space.endswith("__") or name.startswith("__") else f"{space}__{name}"
    return name


def mcp_name(server: Json, tool: Json) -> Json:
    """Name a tool of an MCP server."""
    return f"mcp__{server}__{tool}" if isinstance(server, str) and isinstance(tool, str) else tool


def _hosted(kind: str, item: dict[str, Json], key: Key | None, session: Session, line: int) -> None:
    tool, members, result = _HOSTED[kind]
    args: Json = {name: item[name] for name in members if item.get(name) is not None}
    if kind in ("mcp_call", "web_search_call"):
        args = args.get(members[0], ABSENT)  # these are objects of their own
    name = mcp_name(item.get("server_label"), item.get("name")) if kind == "mcp_call" else tool
    session.call(key, name, args, line)
    content = ABSENT if result is ABSENT or item.get(str(result)) is None else item[str(result)]
    status = _STATUSES.get(str(item.get("status")), UNKNOWN)
    if item.get("error") is not None:
        content, status = item["error"], ERROR
    if kind == "image_generation_call" and isinstance(content, str):
        content = blob("image", content)
    if key is not None and (content is not ABSENT or status != UNKNOWN):
        session.result(key, status, content, line)
