"""Patterns for files in the workspace.

`*`, `?` and `[…]` match within one part of a path, hidden names included, and tell upper from lower case; `**` as a
whole part matches any number of folders, none included.

A wildcard never enters `.git`, whose files are git's own, and `**` never follows a link to a folder: a link could lead
out or around in circles. Links to files, pipes and the like are matched, and so are folders that can't be listed: they
are refused where files are opened instead of vanishing. A pattern that is also the very name of a file matches it *as
well*: if it matched nothing else, whoever adds a file named `**` could hide all others.
"""

import os
import posixpath
from re import Pattern

_MAGIC = frozenset("*?[")
_ANY_FOLDERS = "**"
_GIT = ".git"

_Part = str | Pattern[str]


def expand(pattern: str) -> list[str]:
    """Return the paths below the current folder that a pattern matches, sorted, relative to it, with ``/``.

    A pattern that leads out by its spelling matches nothing. A folder is matched only where it is named without a
    wildcard, or can't be listed.
    """
    plain = posixpath.normpath(pattern)
    leads_out = plain.startswith("../") or plain in (".", "..") or os.path.isabs(plain)
    if not pattern or leads_out or "\0" in plain:
        return []
    found = {plain} if os.path.lexists(plain) else set()
    if _MAGIC.intersection(plain):
        found |= _Walk(_parts(plain)).run()
    return sorted(found)


def _parts(pattern: str) -> list[_Part]:
    parts: list[_Part] = []
    for part in pattern.split("/"):
        if part == _ANY_FOLDERS:
            if parts[-1:] != [_ANY_FOLDERS]:
                parts.append(part)
        else:
            parts.append(_wildcard(part) if _MAGIC.intersection(part) else part)
    if parts[-1] == _ANY_FOLDERS:
        parts.append(_wildcard("*"))
    return parts


def _wildcard(part: str) -> Pattern[str]:
    import re
    from fnmatch import translate  # a run on plain names has no need of it

    return re.compile(translate(part))


class _Walk:
    """A walk without recursion: a checkout may nest folders deeper than Python nests calls."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts
        self._waiting = [("", 0)]
        self._found: set[str] = set()

    def run(self) -> set[str]:
        while self._waiting:
            folder, at = self._waiting.pop()
            part = self._parts[at]
            if part == _ANY_FOLDERS:
                self._waiting.append((folder, at + 1))
                self._descend(folder, at)
            elif isinstance(part, str):
                self._named(posixpath.join(folder, part), at)
            else:
                self._matching(folder, part, at)
        return self._found

    def _descend(self, folder: str, at: int) -> None:
        for entry in self._entries(folder):
            if _is_folder(entry) and not entry.is_symlink():
                self._waiting.append((posixpath.join(folder, entry.name), at))

    def _named(self, path: str, at: int) -> None:
        if at + 1 < len(self._parts):
            self._waiting.append((path, at + 1))
        elif os.path.lexists(path) and not os.path.isdir(path):
            self._found.add(path)

    def _matching(self, folder: str, part: Pattern[str], at: int) -> None:
        is_last = at + 1 == len(self._parts)
        for entry in self._entries(folder):
            if not part.match(entry.name):
                continue
            path = posixpath.join(folder, entry.name)
            if not _is_folder(entry):
                if is_last:
                    self._found.add(path)
            elif not is_last:
                self._waiting.append((path, at + 1))

    def _entries(self, folder: str) -> list["os.DirEntry[str]"]:
        try:
            with os.scandir(folder or os.curdir) as entries:
                return [entry for entry in entries if entry.name != _GIT]
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError:
            self._found.add(folder or os.curdir)
        return []


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a link that leads in circles, say
