"""Calls that wait in a store until they are asked for, and the records that they become.

Arguments and results are held encoded; in memory stays a small entry for each call.
"""

from array import array
from collections.abc import Iterator, Sequence
from json.decoder import JSONDecoder
from typing import Protocol

from ..engine.canonical import dumps
from ..engine.numerals import integer
from ..engine.transcript import Record

OK, ERROR, DENIED, INTERRUPTED, MISSING, UNKNOWN = "ok", "error", "denied", "interrupted", "missing", "unknown"
STATUSES = (OK, ERROR, DENIED, INTERRUPTED, MISSING, UNKNOWN)
"""What `response.status` may be."""

CODES = {status: code for code, status in enumerate(STATUSES)}
"""The number that stands for each of them in a `HeldCalls`."""

NO_RESULT, NO_CONTENT = -1, -2
"""In place of the number of a result's content: there is no result, or it has no content."""

NO_ARGS = b',"args":{}'
"""How an encoded call without arguments ends."""

_WHOLE = len(STATUSES)
"""Instead of a status: the response is kept whole."""

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


class HeldCalls:
    """Holds calls by number, in file order, each with its line and what is known of its result."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines = array("Q")
        self._calls = array("Q")
        self._results = array("q")
        self._statuses = array("b")
        self._order: Sequence[int] | None = None

    def _hold(self, call: bytes, line: int) -> int:
        """Take an encoded call without a result; return its number."""
        self._calls.append(self._store.append(call))
        self._lines.append(line)
        self._results.append(NO_RESULT)
        self._statuses.append(CODES[MISSING])
        return len(self._lines) - 1

    def _answer(self, number: int, content: int, code: int) -> None:
        self._results[number] = content
        self._statuses[number] = code

    def keep(self, record: Record) -> None:
        """Take a record that is finished already."""
        data = b'"tool":%b,"args":%b' % (dumps(record.tool), dumps(record.args))
        response = dumps(record.response)
        self._answer(self._hold(data, record.line), self._store.append(response), _WHOLE)

    def records(self) -> Iterator[Record]:
        """Give the records, in order."""
        for index, number in enumerate(self.numbers):
            call, response = self._encoded(number)
            text = f'{{{call.decode()},"response":{response.decode()}}}'
            try:
                value = _read(text)
            except ValueError:  # an integer of more digits than the environment lets Python read
                value = _decode(text)
            yield Record(index, value["tool"], value["args"], value["response"], self._lines[number])

    def lines(self) -> Iterator[bytes]:
        """Give the lines of the transcript, in order."""
        for index, number in enumerate(self.numbers):
            call, response = self._encoded(number)
            yield b'{"index":%d,%b,"response":%b}\n' % (index, call, response)

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the calls, in the order in which they are given."""
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
