"""What reading a session kept and left out, in numbers."""

from typing import NamedTuple

from ..engine.quoting import quoted

MOST_TYPES = 1000
"""Types of ignored records that are counted one by one; a file with more has the rest counted together."""

OTHER = "(other types)"
_MOST_SHOWN = 20
_LONGEST_TYPE = 100


class Counts(NamedTuple):
    """What was read.

    * `calls` became records, `without_result` of them found no result and `without_args` had no arguments recorded.
    * `orphan_results` are results without a call.
    * `duplicate_calls` repeat a call under its own id and were removed; `duplicate_results` were replaced by a later
      result for the same call. `reused_ids` are calls under an id that an earlier, different call has: they are kept.
    * `records` were read in all; `ignored` are the types, with their numbers, of those that hold no call and no result.
    * `unread` lines could not be read, the first of them `first_unread`; `torn` tells whether the last line is among
      them and has no line end. `leading` lines stand before the first record and are no JSON.
    * `sessions` are in the file, usually 1.

    So ``calls + duplicate_calls`` is the number of calls in the file, and
    ``calls - without_result + orphan_results + duplicate_results`` the number of results.
    """

    calls: int
    without_result: int
    without_args: int
    orphan_results: int
    duplicate_calls: int
    duplicate_results: int
    reused_ids: int
    records: int
    ignored: tuple[tuple[str, int], ...]
    unread: int
    first_unread: int | None
    torn: bool
    leading: int
    sessions: int

    @property
    def lossless(self) -> bool:
        """Tell whether every call and every result of the file is in the records."""
        return not losses(self)


class Tally:
    """Counts records and lines while a file is read."""

    def __init__(self) -> None:
        self.records = 0
        self.unread = 0
        self.first_unread: int | None = None
        self.torn = False
        self.leading = 0
        self.sessions = 1
        self._last_unread = 0
        self._ignored: dict[str, int] = {}

    def ignore(self, kind: str) -> None:
        """Count a record without calls or results."""
        if kind not in self._ignored:
            kind = kind[:_LONGEST_TYPE]
            if kind not in self._ignored and len(self._ignored) >= MOST_TYPES:
                kind = OTHER
            self._ignored.setdefault(kind, 0)
        self._ignored[kind] += 1

    def not_read(self, line: int) -> None:
        """Count a line of which something could not be read; each line once."""
        if line != self._last_unread:
            self.unread += 1
            self._last_unread = line
            if self.first_unread is None:
                self.first_unread = line

    @property
    def ignored(self) -> tuple[tuple[str, int], ...]:
        """The types of ignored records and their numbers, sorted."""
        return tuple(sorted(self._ignored.items()))


def notes(counts: Counts) -> list[str]:
    """Say what was read and what was not, in one or more finished lines."""
    ignored = sum(number for _, number in counts.ignored)
    duplicates = counts.duplicate_calls + counts.duplicate_results
    where = "" if counts.first_unread is None else f" (first: line {counts.first_unread})"
    lines = [
        f"calls: {counts.calls}, without a result: {counts.without_result},"
        f" results without a call: {counts.orphan_results}, duplicates removed: {duplicates},"
        f" lines not read: {counts.unread}{where}, records ignored: {ignored}{_types(counts.ignored)}"
    ]
    if counts.torn:
        lines.append("the last line is cut off and was not read")
    if counts.without_args:
        lines.append(f"calls without recorded arguments, read as {{}}: {counts.without_args}")
    if counts.reused_ids:
        lines.append(
            f"calls under an id that another call already has, kept as calls of their own: {counts.reused_ids}"
        )
    if counts.leading:
        lines.append(f"lines before the first record that are no JSON: {counts.leading}")
    if counts.sessions != 1:
        lines.append(f"sessions in this file, read one after the other: {counts.sessions}")
    return lines


def _types(ignored: tuple[tuple[str, int], ...]) -> str:
    if not ignored:
        return ""
    shown = [f"{quoted(kind)} {number}" for kind, number in ignored[:_MOST_SHOWN]]
    if len(ignored) > _MOST_SHOWN:
        shown.append(f"and {sum(number for _, number in ignored[_MOST_SHOWN:])} of other types")
    return f" ({', '.join(shown)})"


def losses(counts: Counts) -> list[str]:
    """Name what of the file is not in the records, or not surely in the right one."""
    found = [
        (counts.unread, "lines not read"),
        (counts.orphan_results, "results without a call"),
        (counts.without_args, "calls without recorded arguments"),
        (counts.reused_ids, "calls under an id that another call already has"),
    ]
    return [f"{what}: {number}" for number, what in found if number]
