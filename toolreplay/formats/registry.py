"""The formats by name. Adding one is a line here and a module with its `FORMAT`."""

from importlib import import_module
from typing import NamedTuple

TYPE_CHECKING = False  # what the formats are made of is slow to load, and their names are all that most need
if TYPE_CHECKING:
    from .format import Format

TOOLREPLAY = "toolreplay"
"""The project's own transcripts, which are read strictly and by no module of this package."""

AUTO = "auto"
"""Asks to tell the format by the content."""

_MODULES = {
    "claude-code": "claude_code",
    "codex": "codex",
    "openai": "openai",
    "anthropic": "anthropic",
    "copilot": "copilot",
    "atif": "atif",
    "otel": "otel",
    "mcp": "mcp",
}

NAMES = tuple(_MODULES)
"""Formats of other tools, as ``--from`` takes them."""


FORMATS = (TOOLREPLAY, AUTO, *NAMES)
"""All that ``--from`` takes."""


class Importing(NamedTuple):
    """How files are read: their format, as ``--from`` takes it, and whether any loss is an error."""

    format: str = TOOLREPLAY
    strict: bool = False


def format_named(name: str) -> "Format":
    """Load one of the formats in `NAMES`."""
    found: Format = import_module(f".{_MODULES[name]}", __package__).FORMAT
    return found
