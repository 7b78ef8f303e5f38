"""Text from the input made fit for JSON and XML documents.

Whatever stands in a name or path, the documents stay well-formed for strict readers, and no line of them means anything
to a terminal or to GitHub's runner, should one be printed there.
"""

import json
import re
from typing import Any

from toolreplay.engine.quoting import LONGEST_SHOWN, inert

_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_XML_CHARACTER = re.compile("[\ufffe\uffff]")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_MARKUP_CHARACTER = re.compile("[&<>\"']")


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def whole(text: str) -> str:
    """Return a text for JSON as it is, but for lone surrogates, which strict readers of JSON refuse: ``\\udXXX``."""
    return _SURROGATE.sub(_escaped, text)


def short(text: str) -> str:
    """Return a name for JSON: as `whole`, and cut as the text report cuts it."""
    if len(text) <= LONGEST_SHOWN:
        return whole(text)
    return f"{whole(text[:LONGEST_SHOWN])}… ({len(text)} characters)"


def json_lines(value: Any) -> list[str]:
    """Write a JSON document in ASCII, indented, in lines without their ends."""
    # The escapes that `inert` makes are JSON's own, and what it escapes can only stand inside strings.
    return [inert(line) for line in json.dumps(value, ensure_ascii=True, indent=2).split("\n")]


_PLACEHOLDER_OR_LINK = re.compile(r"\{(?=[0-9])|\](?=\()")


def sarif_text(text: str) -> str:
    """Return a finished text for a SARIF message, in which ``{0}`` would be a placeholder and ``[…](…)`` a link."""
    return _PLACEHOLDER_OR_LINK.sub(_escaped, whole(text))


def markup(text: str) -> str:
    """Return a text for XML 1.0 or HTML, inside an element or a quoted attribute, on one line.

    Control characters, most of which XML can't hold in any spelling, and characters that turn text around are shown as
    their escapes.
    """
    return _MARKUP_CHARACTER.sub(lambda match: _MARKUP[match[0]], _NO_XML_CHARACTER.sub(_escaped, inert(text)))
