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

from array import array
from collections.abc import Iterator, Sequence
from json.decoder import JSONDecoder
from typing import Protocol

from ..engine.canonical import Json, dumps, dumps_text
from ..engine.numerals import integer
from ..engine.transcript import Record
from .content import DEEPEST_ARGS, DEEPEST_CONTENT, arguments, too_deep, without_blobs
from .counts import Counts, Tally

OK, ERROR, DENIED, INTERRUPTED, MISSING, UNKNOWN = "ok", "error", "denied", "interrupted", "missing", "unknown"
STATUSES = (OK, ERROR, DENIED, INTERRUPTED, MISSING, UNKNOWN)
"""What `response.status` may be."""

ABSENT = object()
"""Stands for a member that is not there; `None` is JSON's null."""

Key = tuple[str, str | int]
"""The agent, connection or session ("" for the only one) and the id in it."""

_CODES = {status: code for code, status in enumerate(STATUSES)}
_WHOLE = len(STATUSES)
"""Instead of a status: the response is kept whole."""

_NO_RESULT, _NO_CONTENT = -1, -2
_NO_ARGS = b',"args":{}'
_decode = JSONDecoder(parse_int=integer).decode
_read = JSONDecoder().decode


class Store(Protocol):
    """Holds bytes until they are asked for."""

    def append(self, data: bytes) -> int:
        """Take a piece and return its number."""
        ...

    def read(self, number: int) -> bytes:
        """Return a piece that was taken."""
        ...


class Session:
    """Takes calls and results in file order, then gives the records."""

    def __init__(self, store: Store, tally: Tally) -> None:
        self.tally = tally
        self._store = store
        self._last: dict[Key, int] = {}
        self._early: dict[Key, tuple[int, int]] = {}
        self._marks: dict[str | int, str] = {}
        self._lines = array("Q")
        self._calls = array("Q")
        self._results = array("q")
        self._statuses = array("b")
        self._order: Sequence[int] | None = None
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
        number = len(self._lines)
        if key is not None:
            before = self._last.get(key)
            if before is not None and self._repeats(before, data):
                self._duplicate_calls += 1
                return None
            self._reused += before is not None
            self._last[key] = number
        self._calls.append(self._store.append(data))
        self._lines.append(line)
        self._results.append(_NO_RESULT)
        self._statuses.append(_CODES[MISSING])
        if args is ABSENT or args is None:
            self._without_args.add(number)
        if key is not None and key in self._early:
            self._results[number], self._statuses[number] = self._early.pop(key)
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
        if earlier.endswith(_NO_ARGS) and data.startswith(earlier[:-2]):
            self._replace(before, data)
            return True
        return data.endswith(_NO_ARGS) and earlier.startswith(data[:-2])

    def _replace(self, number: int, data: bytes) -> None:
        self._calls[number] = self._store.append(data)
        self._without_args.discard(number)

    def amend(self, number: int, tool: Json, args: Json, line: int) -> None:
        """Put what was said later about a call in place of what was said first."""
        data = self._encode(tool, args, line)
        if data is not None:
            self._replace(number, data)

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
            if self._results[number] != _NO_RESULT:
                self._duplicate_results += 1
            self._results[number] = kept
            self._statuses[number] = _CODES[status]
        elif key is None:
            self._orphans += 1
        else:
            self._duplicate_results += key in self._early
            self._early[key] = (kept, _CODES[status])

    def _store_content(self, content: Json, line: int) -> int | None:
        """Store a result's content and give its number, or count its line as not read where no record can hold it."""
        if isinstance(content, str):
            return self._store.append(dumps_text(content))
        if content is ABSENT:
            return _NO_CONTENT
        encoded = dumps(without_blobs(content))
        if too_deep_to_hold(encoded, DEEPEST_CONTENT):
            self.tally.not_read(line)
            return None
        return self._store.append(encoded)

    def fill(self, key: Key, content: Json, line: int) -> None:
        """Give content to a result that has none; where there is no result yet, this is one of unknown status."""
        number = self._last.get(key)
        if number is None or self._results[number] == _NO_RESULT:
            self.result(key, UNKNOWN, content, line)
        elif self._results[number] == _NO_CONTENT:
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
        return number is not None and self._results[number] != _NO_RESULT

    def mark(self, identifier: str | int, status: str) -> None:
        """Set the status of the calls with an id, whatever their results say."""
        self._marks[identifier] = status

    def keep(self, record: Record) -> None:
        """Take a record that is finished already."""
        data = b'"tool":%b,"args":%b' % (dumps(record.tool), dumps(record.args))
        response = dumps(record.response)
        self._calls.append(self._store.append(data))
        self._lines.append(record.line)
        self._results.append(self._store.append(response))
        self._statuses.append(_WHOLE)

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
        return len(self._numbers())

    @property
    def with_args(self) -> int:
        """How many of them have recorded arguments."""
        return sum(number not in self._without_args for number in self._numbers())

    def counts(self) -> Counts:
        """Say what was taken."""
        tally = self.tally
        return Counts(
            calls=self.calls,
            without_result=sum(self._results[number] == _NO_RESULT for number in self._numbers()),
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
        """Set the statuses that were said of ids, once all calls are there."""
        if self._marks:
            for key, number in self._last.items():
                status = self._marks.get(key[1])
                if status is not None:
                    self._statuses[number] = _CODES[status]

    def records(self) -> Iterator[Record]:
        """Give the records, in order."""
        for index, number in enumerate(self._numbers()):
            call, response = self._encoded(number)
            text = f'{{{call.decode()},"response":{response.decode()}}}'
            try:
                value = _read(text)
            except ValueError:  # an integer of more digits than the environment lets Python read
                value = _decode(text)
            yield Record(index, value["tool"], value["args"], value["response"], self._lines[number])

    def lines(self) -> Iterator[bytes]:
        """Give the lines of the transcript, in order."""
        for index, number in enumerate(self._numbers()):
            call, response = self._encoded(number)
            yield b'{"index":%d,%b,"response":%b}\n' % (index, call, response)

    def _numbers(self) -> Sequence[int]:
        return range(len(self._lines)) if self._order is None else self._order

    def _encoded(self, number: int) -> tuple[bytes, bytes]:
        call = self._store.read(self._calls[number])
        at, code = self._results[number], self._statuses[number]
        content = self._store.read(at) if at >= 0 else b""
        if code == _WHOLE:
            return call, content
        status = STATUSES[code].encode()
        if at < 0:
            return call, b'{"status":"%b"}' % status
        return call, b'{"content":%b,"status":"%b"}' % (content, status)


def too_deep_to_hold(encoded: bytes, levels: int) -> bool:
    """Tell whether encoded JSON nests deeper than `levels`."""
    return encoded.count(b"{") + encoded.count(b"[") > levels and too_deep(encoded.decode(), levels)
