"""OpenAI Codex: rollout files, and what ``codex exec --json`` prints.

A rollout has the items that the model saw (`response_item`) and, for the same calls, telemetry (`event_msg`). The items
are the source; an event only tells how its call ended. There is one exception: where the model writes JavaScript for
the tool ``exec``, the commands in it are visible in events alone, so there an event without an item is a call too.

What ``exec --json`` prints has one item for each call, begun and completed on different lines; its ids begin anew in
each process.
"""

import re

from ..engine.canonical import Json, loads
from ..engine.errors import JsonError
from .format import Format, Place, Reader, kind_of
from .held import DENIED, ERROR, INTERRUPTED, OK, UNKNOWN
from .items import mcp_name, read_item
from .session import ABSENT, Key, Session

_EXIT = re.compile(r"(?:Exit code: |(?:[^\n]*\n){0,4}?Process exited with code )(-?[0-9]+)(?:\n|$)")
_REJECTED = ("exec command rejected by user", "patch rejected by user", "rejected by user")
_ABORTED = ("aborted by user", "aborted")
_ENDED = {"completed": OK, "success": OK, "failed": ERROR, "error": ERROR, "declined": DENIED}
_GROWING = ("file_change", "web_search")
"""Kinds of items of ``exec --json`` whose arguments may be known only when they are completed."""

_ROLLOUT = frozenset({"session_meta", "response_item", "turn_context", "event_msg", "compacted", "world_state"})


class _Reader(Reader):
    _process = 0
    _code_mode = False

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._begun: dict[Key, str] = {}  # the kind of each item that is not completed

    def take(self, record: Json, place: Place) -> str | None:
        if not isinstance(record, dict):
            return kind_of(record)
        kind, payload = record.get("type"), record.get("payload")
        if isinstance(payload, dict):
            return self._rollout(kind, payload, place)
        if kind == "thread.started":
            self._process += 1
        item = record.get("item")
        if isinstance(kind, str) and kind.startswith("item.") and isinstance(item, dict):
            return self._exec_item(kind, item, place)
        if kind == "response_item" or (isinstance(kind, str) and kind.startswith("item.")):
            self.session.tally.not_read(place.of(record))
        found = read_item(record, "", self.session, place, _status_of_output)  # files of 2025 have no envelope
        return None if found else kind_of(record, "type")

    def _rollout(self, kind: Json, payload: dict[str, Json], place: Place) -> str | None:
        label = "/".join((kind_of({"type": kind}, "type"), kind_of(payload, "type")))
        if kind == "response_item":
            if payload.get("type") == "custom_tool_call" and payload.get("name") == "exec":
                self._code_mode = True
            found = read_item(payload, "", self.session, place, _status_of_output)
        elif kind == "event_msg":
            found = self._event(payload, place)
        else:
            return str(kind)
        return None if found else label

    def _event(self, payload: dict[str, Json], place: Place) -> bool:
        """Take from telemetry how a call ended, or the call itself where no item shows it."""
        item = payload.get("item") if payload.get("type") == "item_completed" else payload
        if not isinstance(item, dict):
            return False
        end = _end(item)
        identifier = item.get("call_id", item.get("id"))
        if end is None or not isinstance(identifier, str):
            return False
        tool, args, status, content = end
        if self.session.number(("", identifier)) is not None:
            if status != UNKNOWN:
                self.session.settle(("", identifier), status)
        elif self._code_mode:
            line = place.of(item)
            self.session.call(("", identifier), tool, args, line)
            self.session.result(("", identifier), status, content, line)
            return True
        return False

    def _exec_item(self, event: str, item: dict[str, Json], place: Place) -> str | None:
        kind, identifier = item.get("type", item.get("item_type")), item.get("id")
        call = _exec_call(kind, item)
        if call is None:
            return "/".join((event, kind_of({"type": kind}, "type")))
        line = place.of(item)
        key: Key | None = (str(self._process), identifier) if isinstance(identifier, str) else None
        number = self.session.number(key) if key is not None and self._begun.pop(key, None) == kind else None
        if number is not None and kind in _GROWING:
            self.session.amend(number, *call, line)
        elif number is None or not self.session.holds(number, *call, line):
            self.session.call(key, *call, line)
        if key is not None and event != "item.completed":
            self._begun[key] = str(kind)
        result = _exec_result(kind, item) if event == "item.completed" else None
        if result is not None:
            self.session.result(key, *result, line)
        return None


def _status_of_output(output: Json) -> str:
    """Tell how a command ended by the header of its output; most tools' outputs have none."""
    if isinstance(output, dict):
        success = output.get("success")
        return {True: OK, False: ERROR}[success] if isinstance(success, bool) else UNKNOWN
    if not isinstance(output, str):
        return UNKNOWN
    if output.startswith(_REJECTED):
        return DENIED
    if output.startswith(_ABORTED):
        return INTERRUPTED
    match = _EXIT.match(output)
    code: Json = int(match[1][:9]) if match else _wrapped_exit_code(output)
    if type(code) is not int:
        return UNKNOWN
    return ERROR if code else OK


def _wrapped_exit_code(output: str) -> Json:
    """Find the exit code in an output that is a JSON object with its text and metadata."""
    if not output.startswith("{"):
        return None
    try:
        value = loads(output.encode("utf-8", "surrogatepass"))
    except JsonError:
        return None
    metadata = value.get("metadata") if isinstance(value, dict) else None
    return metadata.get("exit_code") if isinstance(metadata, dict) else None


_End = tuple[Json, Json, str, Json]
"""Tool, arguments, status and content of a call that telemetry tells of."""


def _end(item: dict[str, Json]) -> _End | None:
    kind = item.get("type")
    status = _ENDED.get(str(item.get("status")), UNKNOWN)
    if kind in ("exec_command_end", "CommandExecution"):
        return "exec_command", {"command": item.get("command")}, _exited(item), item.get("aggregated_output", ABSENT)
    if kind == "mcp_tool_call_end" and isinstance(item.get("invocation"), dict):
        made = item["invocation"]
        content, status = _mcp_result(item.get("result"))
        return mcp_name(made.get("server"), made.get("tool")), made.get("arguments", ABSENT), status, content
    if kind == "McpToolCall":
        result = item.get("result", ABSENT)
        failed = isinstance(result, dict) and result.get("isError") is True
        return (
            mcp_name(item.get("server"), item.get("tool")),
            item.get("arguments"),
            ERROR if failed else status,
            result,
        )
    if kind in ("patch_apply_end", "FileChange"):
        success = item.get("success")
        if isinstance(success, bool):
            status = OK if success else ERROR
        return "apply_patch", {"changes": item.get("changes")}, status, item.get("stdout", ABSENT)
    return None


def _exited(item: dict[str, Json]) -> str:
    code = item.get("exit_code")
    if item.get("status") == "declined":
        return DENIED
    if type(code) is int:
        return ERROR if code else OK
    return UNKNOWN


def _mcp_result(result: Json) -> tuple[Json, str]:
    if isinstance(result, dict) and "Ok" in result:
        fine = result["Ok"]
        return fine, ERROR if isinstance(fine, dict) and fine.get("isError") is True else OK
    if isinstance(result, dict) and "Err" in result:
        return result["Err"], ERROR
    return ABSENT, UNKNOWN


def _exec_call(kind: Json, item: dict[str, Json]) -> tuple[Json, Json] | None:
    """Name the tool and arguments of an item of ``exec --json``, or give `None` if it is no call."""
    if kind == "command_execution":
        return "shell", {"command": item.get("command")}
    if kind == "mcp_tool_call":
        return mcp_name(item.get("server"), item.get("tool")), item.get("arguments", ABSENT)
    if kind == "file_change":
        return "apply_patch", {"changes": item.get("changes")}
    if kind == "web_search":
        return "web_search", {name: item[name] for name in ("query", "action") if name in item}
    if kind == "collab_tool_call":
        return item.get("tool"), {name: item[name] for name in ("prompt",) if item.get(name) is not None}
    return None


def _exec_result(kind: Json, item: dict[str, Json]) -> tuple[str, Json] | None:
    """Give the status and content of a completed item, or `None` if it was abandoned."""
    status = _ENDED.get(str(item.get("status")), UNKNOWN)
    if kind == "command_execution":
        if item.get("exit_code") is None and status != DENIED:
            return None  # an abandoned command is printed as completed
        return _exited(item), item.get("aggregated_output", ABSENT)
    if kind == "mcp_tool_call":
        if item.get("error") is not None:
            return ERROR, item["error"]
        return status, item.get("result", ABSENT)
    return status, ABSENT


def _recognises(value: Json) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    kind = value["type"]
    if kind in _ROLLOUT:
        return isinstance(value.get("payload"), dict)
    return kind.startswith(("thread.", "turn.", "item.")) and not isinstance(value.get("data"), dict)


def _plausible(value: Json) -> bool:
    return _recognises(value) or (isinstance(value, dict) and isinstance(value.get("call_id"), str))


FORMAT = Format(
    name="codex",
    reader=_Reader,
    recognises=_recognises,
    plausible=_plausible,
    mutators=frozenset(
        {
            "apply_patch",
            "close_agent",
            "container.exec",
            "exec",
            "exec_command",
            "image_generation",
            "js_repl",
            "local_shell",
            "send_input",
            "shell",
            "shell_command",
            "spawn_agent",
            "unified_exec",
            "update_plan",
            "wait",
            "write_stdin",
        }
    ),
)
