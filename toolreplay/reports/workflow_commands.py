"""Commands of GitHub's runner, which reads them from every line that a step prints.

A command is ``::name key=value,key=value::message``. In the message the runner decodes ``%0D``, ``%0A`` and ``%25``, in
a property's value ``%3A`` and ``%2C`` too; nothing else can be escaped, and to escape more would be shown to users.

Source of the rules: `ActionCommand.TryParseV2` of actions/runner, `issueCommand` of actions/toolkit.
"""

from collections.abc import Mapping

from toolreplay.engine.quoting import inert

MESSAGE_LIMIT = 4096
"""UTF-16 code units of a message that the runner keeps."""

_MARK = " … (cut)"


def command(name: str, properties: Mapping[str, str], message: str) -> str:
    """Return the line of a command, without its end."""
    head = ",".join(f"{key}={_escaped_property(value)}" for key, value in properties.items())
    return f"::{name}{' ' if head else ''}{head}::{_escaped(fitted(message))}"


def can_be_property(value: str) -> bool:
    """Tell whether a property can hold a text so that the runner decodes that very text, in a line that stays inert.

    It can't hold an empty text or one that begins with ``=``, which is lost; one that ends in white space, which is
    trimmed where the property is the last; and one with a character that must not be printed.
    """
    escaped = _escaped_property(value)
    return bool(value) and not value.startswith("=") and not value[-1:].isspace() and inert(escaped) == escaped


def fitted(message: str) -> str:
    """Cut a message to what the runner keeps, with a mark that says so: the runner cuts without one."""
    units = message.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MESSAGE_LIMIT:
        return message
    room = 2 * (MESSAGE_LIMIT - len(_MARK))
    return units[:room].decode("utf-16-le", "ignore") + _MARK


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
