"""Claude Code: session files, the stream of ``--output-format stream-json``, and its GitHub Action's execution file.

A session file has one record on each line, the stream has the same messages with snake-case envelopes, and the
execution file is the stream as one array. Calls are `tool_use` blocks of assistant messages, results `tool_result`
blocks of user messages; what a subagent did stands in the same file as `progress` records, or with the subagent's id on
each record. A result is what the model saw (`message.content`), not its structured twin `toolUseResult`.

Ids are unique within a session, so a key is the subagent ("" for the main agent) and the id.
"""

from ..engine.canonical import Json
from .blocks import flagged, read_blocks
from .format import Format, Place, Reader, kind_of
from .held import DENIED, ERROR, INTERRUPTED
from .session import ABSENT

_SPEAKERS = ("assistant", "user")

_REJECTIONS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "Claude requested permissions to ",
)
"""How the content of a result begins, flagged as an error, when the call was not permitted."""

_INTERRUPTIONS = ("[Request interrupted by user", "<tool_use_error>Sibling tool call errored")
"""How it begins when the call was cancelled."""


class _Reader(Reader):
    _beside: dict[str, Json]
    _meta: Json

    def take(self, record: Json, place: Place) -> str | None:
        if not isinstance(record, dict):
            return kind_of(record)
        kind = record.get("type")
        if kind in _SPEAKERS:
            agent = record.get("agentId") or record.get("parent_tool_use_id")
            found = self._message(record, agent if isinstance(agent, str) else "", place)
            return None if found else kind
        if kind == "progress":
            return self._progress(record, place) or None
        if kind == "tool_call":  # other agents print a stream like this one, with calls that are none of Claude Code's
            self.session.tally.not_read(place.of(record))
        if kind == "result":
            self._denials(record.get("permission_denials"))
        return kind_of(record, "type", "subtype") if kind == "system" else kind_of(record, "type")

    def _message(self, record: dict[str, Json], agent: str, place: Place) -> bool:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(message, list) or isinstance(content, dict):  # one for many, or many for one
            self.session.tally.not_read(place.of(record))
        if not isinstance(content, list):
            return False
        # What the record says beside its message is about one result.
        self._beside = record if len(content) == 1 else {}
        self._meta = record.get("tool_result_meta")
        return read_blocks(content, agent, self.session, place, self._status)

    def _status(self, block: dict[str, Json]) -> str:
        status, beside = flagged(block), self._beside
        if self._meta is not None and block.get("tool_use_id", ABSENT) in _not_executed(self._meta):
            return DENIED
        if isinstance(beside.get("toolDenialKind"), str):
            return DENIED
        twin = beside.get("toolUseResult", beside.get("tool_use_result"))
        if isinstance(twin, dict) and twin.get("interrupted") is True:
            return INTERRUPTED
        if status == ERROR:
            text = _beginning(block.get("content"))
            if text.startswith(_REJECTIONS) or (isinstance(twin, str) and twin.startswith(_REJECTIONS)):
                return DENIED
            if text.startswith(_INTERRUPTIONS):
                return INTERRUPTED
        return status

    def _progress(self, record: dict[str, Json], place: Place) -> str:
        """Read the message of a subagent that its parent's file holds; return the record's type, or "" if it is one."""
        data = record.get("data")
        while isinstance(data, dict) and data.get("type") == "agent_progress":
            message, agent = data.get("message"), data.get("agentId")
            if not isinstance(message, dict):
                self.session.tally.not_read(place.of(record))
                break
            if message.get("type") in _SPEAKERS:
                found = self._message(message, agent if isinstance(agent, str) else "", place)
                return "" if found else "progress/agent_progress"
            data = message.get("data")  # a subagent's own subagents nest
        kind = data.get("type") if isinstance(data, dict) else None
        return f"progress/{kind}" if isinstance(kind, str) else "progress"

    def _denials(self, denials: Json) -> None:
        if isinstance(denials, list):
            for denial in denials:
                if isinstance(denial, dict) and isinstance(denial.get("tool_use_id"), str):
                    self.session.mark(denial["tool_use_id"], DENIED)


def _not_executed(meta: Json) -> list[Json]:
    """Give the ids of the calls that a record says were never executed."""
    entries = meta if isinstance(meta, list) else ()
    return [entry.get("id") for entry in entries if isinstance(entry, dict) and "non_execution_kind" in entry]


def _beginning(content: Json) -> str:
    """Give the text of a result, or of the first of its blocks."""
    if isinstance(content, list) and content and isinstance(content[0], dict):
        content = content[0].get("text")
    return content if isinstance(content, str) else ""


def _recognises(value: Json) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    if value["type"] in ("assistant", "user") and isinstance(value.get("message"), dict):
        return "content" in value["message"]
    return isinstance(value.get("sessionId"), str) or (
        value["type"] in ("system", "result") and isinstance(value.get("session_id"), str)
    )


FORMAT = Format(
    name="claude-code",
    reader=_Reader,
    recognises=_recognises,
    mutators=frozenset(
        {
            "Agent",
            "Bash",
            "BashOutput",
            "Edit",
            "EnterWorktree",
            "ExitWorktree",
            "KillBash",
            "KillShell",
            "MultiEdit",
            "NotebookEdit",
            "PowerShell",
            "Skill",
            "SlashCommand",
            "Task",
            "TaskCreate",
            "TaskOutput",
            "TaskStop",
            "TaskUpdate",
            "TodoWrite",
            "Write",
        }
    ),
)
