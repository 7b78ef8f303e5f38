"""The format written down a second time, plainly and slowly, to hold the program against.

Nothing here imports the program.
"""

import hashlib
import json
from typing import Any

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
FIELDS = ("args", "index", "prev", "response", "tool")


def text_of(value: str) -> str:
    """Write a string of JSON, character by character; an uncombined surrogate pair counts as its character."""
    out = ['"']
    position = 0
    while position < len(value):
        character = value[position]
        after = value[position + 1 : position + 2]
        position += 1
        if "\ud800" <= character <= "\udbff" and after and "\udc00" <= after <= "\udfff":
            character = chr(0x10000 + (ord(character) - 0xD800) * 0x400 + ord(after) - 0xDC00)
            position += 1
        if character in SHORT:
            out.append(SHORT[character])
        elif character < " " or "\ud800" <= character <= "\udfff":
            out.append("\\u" + format(ord(character), "04x"))
        else:
            out.append(character)
    out.append('"')
    return "".join(out)


def canonical(value: Any) -> str:
    """Write canonical JSON."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return format(value, "d")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, list):
        return "[" + ",".join([canonical(item) for item in value]) + "]"
    return "{" + ",".join([text_of(name) + ":" + canonical(value[name]) for name in sorted(value, key=points)]) + "}"


def points(text: str) -> list[int]:
    """Return the code points of a text, a surrogate pair counted as one."""
    return [ord(character) for character in text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")]


def digest(link: dict[str, Any]) -> str:
    """Return the digest that belongs to a link."""
    return hashlib.sha256(canonical({name: link[name] for name in FIELDS}).encode()).hexdigest()


def seal(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Seal records into links."""
    links = []
    prev = "0" * 64
    for record in records:
        link = {**record, "prev": prev}
        prev = link["digest"] = digest(link)
        links.append(link)
    return links


def first_broken(links: list[dict[str, Any]]) -> tuple[int, str, str] | None:
    """Return the position of the first link that fails, the expected digest and the one found, or `None`."""
    before = "0" * 64
    for position, link in enumerate(links):
        if link["prev"] != before:
            return position, before, link["prev"]
        if link["digest"] != digest(link):
            return position, digest(link), link["digest"]
        before = link["digest"]
    return None


def read(sealed: bytes) -> list[dict[str, Any]]:
    """Read a sealed file with the plain parser of the standard library."""
    return [json.loads(line) for line in sealed.decode().split("\n") if line.strip(" \t\r")]
