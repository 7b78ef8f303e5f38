"""Conversations as lists of messages: which values of a file are one, and where the next begins.

A file may hold one array of messages, an object that has one (a request, a response, a logged pair of both, an example
for training), one such value on each line, or a message on each line. Each array or object with messages is a
conversation of its own, in which ids are unique. A log of requests repeats the whole conversation each time: a value
that begins with all the messages of the one before continues it.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256

from ..engine.canonical import Json, dumps
from .format import Reader
from .session import Session

_CONTAINERS = ("request", "body", "messages", "input", "response", "choices", "output", "message")
"""Members that hold messages, in the order in which they were said."""

_SAID_BEFORE = ("request", "body", "messages", "input")
"""Those of them that a later request repeats."""


class ChatReader(Reader):
    """Reads conversations; `scope` names the one that is being read."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.scope = ""
        self._conversations = 0
        self._before: list[bytes] = []

    def records(self, value: Json) -> Iterator[Json]:
        """Give the messages in a value, without those that the value before had already."""
        if not _is_conversation(value):
            yield value
            return
        messages = list(messages_in(value))
        said = [_digest(message) for message, repeated in messages if repeated]
        continues = bool(self._before) and said[: len(self._before)] == self._before
        if not continues:
            self._conversations += 1
            self.scope = str(self._conversations)
            self.session.tally.sessions = self._conversations
        known = len(self._before) if continues else 0
        self._before = said
        for number, (message, _) in enumerate(messages):
            if number < known:
                self.session.take("(message of the request before)")
            else:
                yield message


def _is_conversation(value: Json) -> bool:
    if isinstance(value, list):
        return True
    return isinstance(value, dict) and "role" not in value and any(name in value for name in _CONTAINERS)


def messages_in(value: Json) -> Iterator[tuple[Json, bool]]:
    """Give the messages in a value, or itself, each with whether a later request would repeat it."""
    stack = [(value, True)]
    while stack:
        part, repeated = stack.pop()
        if isinstance(part, list):
            stack.extend((item, repeated) for item in reversed(part))
        elif _is_conversation(part) and not isinstance(part.get("type"), str):
            names = [name for name in _CONTAINERS if isinstance(part.get(name), dict | list)]
            stack.extend((part[name], repeated and name in _SAID_BEFORE) for name in reversed(names))
        else:
            yield part, repeated


def holds_message(value: Json, own: Callable[[dict[str, Json]], bool]) -> bool:
    """Tell whether a value is or holds a message that only one format has."""
    return any(isinstance(message, dict) and own(message) for message, _ in messages_in(value))


def _digest(message: Json) -> bytes:
    return sha256(dumps(message)).digest()
