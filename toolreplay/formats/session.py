"""Calls and results of one file, paired into records.

Calls pair with results by key: the id, and the agent or connection in which it is unique. A result may come before its
call or at the very end of the file, so nothing is given before the file is read. Until then arguments and results
wait in a store, encoded; in memory stays a small entry for each call.

* A call that repeats a call under its key is a duplicate and removed. Where one of the two has no arguments yet (a
  snapshot written while the model was still speaking), the other's count.
* A different call under a key that is in use is kept as a call of its own, for else an id used twice would hide it. A
  result then belongs to the last call under its key that stands before it.
* The last result for a call replaces those before it.
"""

from collections.abc import Sequence

from ..engine.canonical import Json, dumps, dumps_text
from .content import DEEPEST_ARGS, DEEPEST_CONTENT, arguments, too_deep, without_blobs
from .counts import Counts, Tally
from .held import CODES, NO_ARGS, NO_CONTENT, NO_RESULT, UNKNOWN, HeldCalls, Store

ABSENT = object()
"""Stands for a member that is not there; `None` is JSON's null."""

Key = tuple[str, str | int]
"""The agent, connection or session ("" for the only one) and the id in it."""


class Session(HeldCalls):
    """Takes calls and results in file order, then gives the records."""

    def __init__(self, store: Store, tally: Tally) -> None:
        super().__init__(store)
        self.tally = tally
        self._last: dict[Key, int] = {}
        self._early: dict[Key, tuple[int, int]] = {}
        self._marks: dict[str | int, str] = {}
        self._settled: dict[int, str] = {}
        self._without_args: set[int] = set()
        self._orphans = 0
        self._duplicate_calls = 0
        self._duplicate_results = 0
        self._reused = 0

    def call(self, key: Key | None, tool: Json, args: Json, line: int) -> int | None:
        """Take a call.

        Args:
            key: what its result will name, or `None` if nothing can.
            tool: the name as recorded. A call whose name is no string can't be a record; its line counts as not read.
            args: as recorded, or `ABSENT`.
            line: 1-based, where it stands.

        Returns:
            The call's number, or `None` if it is no record of its own.
        """
        data = self._encode(tool, args, line)
        if data is None:
            return None
        before = None if key is None else self._last.get(key)
        if before is not None:
            if self._repeats(before, data):
                self._duplicate_calls += 1
                return None
            self._reused += 1
        number = self._hold(data, line)
        if args is ABSENT or args is None:
            self._without_args.add(number)
        if key is not None:
            self._last[key] = number
            if key in self._early:
                self._answer(number, *self._early.pop(key))
        return number

    def _encode(self, tool: Json, args: Json, line: int) -> bytes | None:
        """Encode a call, or count its line as not read where it can't be a record."""
        if isinstance(tool, str):
            encoded = b"{}" if args is ABSENT or args is None else dumps(arguments(args))
            if not too_deep_to_hold(encoded, DEEPEST_ARGS):
                return b'"tool":%b,"args":%b' % (dumps(tool), encoded)
        self.tally.not_read(line)
        return None

    def _repeats(self, before: int, data: bytes) -> bool:
        """Tell whether a call is one that is already there, and keep the one of the two that has arguments."""
        earlier = self._store.read(self._calls[before])
        if earlier == data:
            return True
        if earlier.endswith(NO_ARGS) and data.startswith(earlier[:-2]):
            self._replace(before, data)
            self._without_args.discard(before)
            return True
        return data.endswith(NO_ARGS) and earlier.startswith(data[:-2])

    def _replace(self, number: int, data: bytes) -> None:
        self._calls[number] = self._store.append(data)

    def holds(self, number: int, tool: Json, args: Json, line: int) -> bool:
        """Tell whether a call is the very same as one that is already there."""
        return self._store.read(self._calls[number]) == self._encode(tool, args, line)

    def amend(self, number: int, tool: Json, args: Json, line: int) -> None:
        """Put what was said later about a call in place of what was said first."""
        data = self._encode(tool, args, line)
        if data is not None:
            self._replace(number, data)
            if args is not ABSENT and args is not None:
                self._without_args.discard(number)

    def result(self, key: Key | None, status: str, content: Json, line: int) -> None:
        """Take a result.

        Args:
            key: of its call, or `None` if it names none.
            status: one of `STATUSES`.
            content: as recorded, or `ABSENT`.
            line: 1-based, where it stands.
        """
        kept = self._store_content(content, line)
        if kept is None:
            return
        number = None if key is None else self._last.get(key)
        if number is not None:
            if self._results[number] != NO_RESULT:
                self._duplicate_results += 1
            self._answer(number, kept, CODES[status])
        elif key is None:
            self._orphans += 1
        else:
            self._duplicate_results += key in self._early
            self._early[key] = (kept, CODES[status])

    def _store_content(self, content: Json, line: int) -> int | None:
        """Store a result's content and give its number, or count its line as not read where no record can hold it."""
        if isinstance(content, str):
            return self._store.append(dumps_text(content))
        if content is ABSENT:
            return NO_CONTENT
        encoded = dumps(without_blobs(content))
        if too_deep_to_hold(encoded, DEEPEST_CONTENT):
            self.tally.not_read(line)
            return None
        return self._store.append(encoded)

    def fill(self, key: Key, content: Json, line: int) -> None:
        """Give content to a result that has none; where there is no result yet, this is one of unknown status."""
        number = self._last.get(key)
        if number is None or self._results[number] == NO_RESULT:
            self.result(key, UNKNOWN, content, line)
        elif self._results[number] == NO_CONTENT:
            kept = self._store_content(content, line)
            if kept is not None:
                self._results[number] = kept
        else:
            self._duplicate_results += 1

    def number(self, key: Key) -> int | None:
        """Return the number of the last call under a key, or `None` if there is none by now."""
        return self._last.get(key)

    def answered(self, key: Key) -> bool:
        """Tell whether the last call under a key has a result by now."""
        number = self._last.get(key)
        return number is not None and self._results[number] != NO_RESULT

    def mark(self, identifier: str | int, status: str) -> None:
        """Set the status of the calls with an id, whatever their results say."""
        self._marks[identifier] = status

    def settle(self, key: Key, status: str) -> None:
        """Set the status of the last call under a key, which there must be, whatever its results say."""
        self._settled[self._last[key]] = status

    def arrange(self, order: Sequence[int]) -> None:
        """Give the records in another order than that of the file.

        Args:
            order: numbers of calls, as `call` gave them. One that is left out is counted as a duplicate.
        """
        self._order = order
        self._duplicate_calls += len(self._lines) - len(order)

    def take(self, ignored: str | None) -> None:
        """Count a record of the file: `None` if it held calls or results, else its type."""
        self.tally.records += 1
        if ignored is not None:
            self.tally.ignore(ignored)

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return len(self.numbers)

    @property
    def with_args(self) -> int:
        """How many of them have recorded arguments."""
        return sum(number not in self._without_args for number in self.numbers)

    def counts(self) -> Counts:
        """Say what was taken."""
        tally = self.tally
        return Counts(
            calls=self.calls,
            without_result=sum(self._results[number] == NO_RESULT for number in self.numbers),
            without_args=self.calls - self.with_args,
            orphan_results=self._orphans + len(self._early),
            duplicate_calls=self._duplicate_calls,
            duplicate_results=self._duplicate_results,
            reused_ids=self._reused,
            records=tally.records,
            ignored=tally.ignored,
            unread=tally.unread,
            first_unread=tally.first_unread,
            torn=tally.torn,
            leading=tally.leading,
            sessions=tally.sessions,
        )

    def apply_marks(self) -> None:
        """Set the statuses that were said of ids and calls, once all calls are there."""
        if self._marks:
            for key, number in self._last.items():
                status = self._marks.get(key[1])
                if status is not None:
                    self._statuses[number] = CODES[status]
        for number, status in self._settled.items():
            self._statuses[number] = CODES[status]


def too_deep_to_hold(encoded: bytes, levels: int) -> bool:
    """Tell whether encoded JSON nests deeper than `levels`."""
    return encoded.count(b"{") + encoded.count(b"[") > levels and too_deep(encoded.decode(), levels)
