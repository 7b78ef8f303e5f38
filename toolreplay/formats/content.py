"""Arguments and results as a record holds them."""

from binascii import Error as Base64Error
from binascii import a2b_base64
from hashlib import sha256

from ..engine.canonical import DEEPEST, Json, dumps, loads
from ..engine.errors import JsonError
from ..engine.syntax import too_deep_at

DEEPEST_ARGS = DEEPEST - 1
"""Levels that arguments may nest, so that the record around them can still be read."""

DEEPEST_CONTENT = DEEPEST - 2
"""Levels that a result may nest: it stands one object deeper."""

RAW = "_raw"
"""The one argument that holds a text which is no JSON object."""


def arguments(value: Json) -> dict[str, Json]:
    """Make the object of arguments out of what was recorded: an object, a JSON string or free text."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        return {RAW: dumps(value).decode("utf-8")}
    text = value
    for _ in range(2):  # some producers encode twice
        parsed = parsed_text(text)
        if isinstance(parsed, dict):
            return parsed
        if not isinstance(parsed, str):
            break
        text = parsed
    return {RAW: value}


def parsed_text(text: str) -> Json:
    """Read a JSON object or string out of a string, or give `None` for a text that is neither."""
    start = text.lstrip(" \t\r\n")[:1]
    if start not in ("{", '"') or too_deep(text, DEEPEST_ARGS):
        return None
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except JsonError:
        return None


def too_deep(text: str, levels: int) -> bool:
    """Tell whether a JSON text nests deeper than `levels`."""
    return text.count("{") + text.count("[") > levels and too_deep_at(text, levels) is not None


def without_blobs(content: Json) -> Json:
    """Give a result in which images and other base64 blobs are replaced by their type, digest and size.

    The digest is that of the bytes, or of the text where it is no base64.
    """
    if isinstance(content, list):
        items = []
        for item in content:
            items.append(without_blobs(item))
        return items
    if not isinstance(content, dict):
        return content
    described = _blob(content)
    if described is not None:
        return described
    members: dict[str, Json] = {}
    for name, member in content.items():
        members[name] = without_blobs(member)
    return members


def _blob(block: dict[str, Json]) -> dict[str, Json] | None:
    kind = block.get("type")
    source = block.get("source")
    if isinstance(source, dict) and source.get("type") == "base64" and isinstance(source.get("data"), str):
        return blob(kind if isinstance(kind, str) else "blob", source["data"])  # Messages: image, document
    if kind in ("image", "audio") and isinstance(block.get("data"), str):
        return blob(kind, block["data"])  # MCP
    if isinstance(block.get("blob"), str) and isinstance(block.get("uri"), str):
        return {"uri": block["uri"], **blob("blob", block["blob"])}  # MCP: a resource
    url = block.get("image_url")
    if isinstance(url, dict):
        url = url.get("url")
    if isinstance(url, str) and url.startswith("data:"):
        return blob("image", url.partition(",")[2])  # OpenAI
    return None


def blob(kind: str, text: str) -> dict[str, Json]:
    """Describe base64 text without holding it."""
    raw = text.encode("utf-8", "surrogatepass")
    try:
        # Strict, for else all texts without a character of base64 would be the same empty blob.
        data = a2b_base64(raw.translate(None, b" \t\r\n"), strict_mode=True)
    except (Base64Error, ValueError):
        data = raw
    return {"type": kind, "sha256": sha256(data).hexdigest(), "bytes": len(data)}
