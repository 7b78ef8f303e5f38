"""OpenAI: chat messages, as arrays, in requests and one on each line, and the items of Responses.

A call is an entry of an assistant message's `tool_calls`, its result the message of role `tool` with its id. The older
`function_call` has no id and pairs with the messages of role `function` in order. The format has no flag for errors.
"""

from ..engine.canonical import Json
from .chats import ChatReader, holds_message
from .format import Format, Place, kind_of
from .held import UNKNOWN
from .items import KINDS, read_item
from .session import ABSENT, Key, Session


class _Reader(ChatReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._asked = 0
        self._waiting: list[Key] = []  # older calls, which have no ids, that may still get a result
        self._begins = True  # whether the next of them comes after something else

    def take(self, record: Json, place: Place) -> str | None:
        if not isinstance(record, dict):
            return kind_of(record)
        role = record.get("role")
        found = self._calls(record.get("tool_calls"), place, place.of(record))
        if role == "tool":
            self.session.result(self._key(record.get("tool_call_id")), UNKNOWN, _content(record), place.of(record))
            found = True
        if role == "function":
            self._forget_others()
            answered = self._waiting.pop(0) if self._waiting else None
            self.session.result(answered, UNKNOWN, _content(record), place.of(record))
            found = True
        if isinstance(record.get("function_call"), dict) and isinstance(role, str):
            made = record["function_call"]
            key = (self._functions, self._asked)
            self._asked += 1
            if self._begins:  # those before got no result, and must not get this one's
                self._waiting.clear()
            self._begins = False
            self._forget_others()
            if self.session.call(key, made.get("name"), made.get("arguments", ABSENT), place.of(made)) is not None:
                self._waiting.append(key)
            found = True
        else:
            self._begins = True
            if isinstance(record.get("function_call"), list):
                self.session.tally.not_read(place.of(record))
        found = read_item(record, self.scope, self.session, place, _no_flag) or found
        return None if found else kind_of(record, "role", "type")

    def _calls(self, calls: Json, place: Place, line: int) -> bool:
        found = False
        for call in self.listed(calls, line):
            call = call if isinstance(call, dict) else {}
            made = call.get("function", call.get("custom", call))
            made = made if isinstance(made, dict) else {}
            args = made.get("arguments", made.get("input", ABSENT))
            self.session.call(self._key(call.get("id")), made.get("name"), args, place.of(call))
            found = True
        return found

    @property
    def _functions(self) -> str:
        return self.scope + " function"

    def _forget_others(self) -> None:
        """Let no call of the conversation before wait for a result of this one."""
        if self._waiting and self._waiting[0][0] != self._functions:
            self._waiting.clear()

    def _key(self, identifier: Json) -> Key | None:
        return (self.scope, identifier) if isinstance(identifier, str) else None


def _content(message: dict[str, Json]) -> Json:
    return message.get("content", ABSENT)


def _no_flag(output: Json) -> str:
    return UNKNOWN


def _recognises(value: Json) -> bool:
    return holds_message(value, _is_own)


def _is_own(value: dict[str, Json]) -> bool:
    role = value.get("role")
    if isinstance(role, str):
        made = isinstance(value.get("tool_calls"), list) or isinstance(value.get("function_call"), dict)
        return role in ("tool", "function") or (role == "assistant" and made)
    kind = value.get("type")
    return isinstance(kind, str) and kind in KINDS


def _plausible(value: Json) -> bool:
    return holds_message(value, lambda message: isinstance(message.get("role"), str) or _is_own(message))


FORMAT = Format(name="openai", reader=_Reader, recognises=_recognises, plausible=_plausible)
