"""Reading a recorded session with one format, or telling which one it has."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice

from ..engine.errors import InputError
from ..engine.transcript import FIELDS, LINK_FIELDS, read_records
from .counts import Tally
from .format import Format
from .held import Store
from .imported import Imported
from .registry import AUTO, NAMES, TOOLREPLAY, format_named
from .session import Session
from .values import Values

HEAD = 50
"""Values at the beginning of a file that tell its format."""

_PIECE = 2**16


def read(lines: Iterable[bytes], name: str, format_name: str, store: Store) -> Imported:
    """Read a session.

    Args:
        lines: the file's lines as bytes, with their ends.
        name: the file's name, for errors.
        format_name: one of `registry.NAMES`, ``toolreplay``, or ``auto`` to tell by the content.
        store: takes what has to wait until the file is read.

    Raises:
        InputError: if it holds nothing of that format, if its calls have no recorded arguments where recording them is
            optional, or if its format can't be told.
    """
    if format_name == AUTO:
        format_name, lines = tell(lines, name, store)
    session = Session(store, Tally())
    if format_name == TOOLREPLAY:
        for record in read_records(lines, name):
            session.keep(record)
        return Imported(TOOLREPLAY, session.counts(), frozenset(), session)
    form = format_named(format_name)
    _read_into(session, lines, name, form)
    return Imported(format_name, session.counts(), form.mutators, session)


def _read_into(session: Session, lines: Iterable[bytes], name: str, form: Format) -> None:
    reader = form.reader(session)
    values = Values(lines, name, session.tally, form.embedded)
    known = False
    for value, place in values:
        if not known:
            known = form.holds(value, surely=False)
        for record in reader.records(value):
            if isinstance(record, list):  # whatever it holds, it is no record
                session.tally.not_read(place.of(record))
            session.take(reader.take(record, place))
    reader.end()
    session.apply_marks()
    if not session.calls and not known:
        raise values.broken or InputError(f"holds nothing of the format {form.name}", name)
    if form.needs_args and session.calls and not session.with_args:
        raise InputError("holds tool calls without their arguments (recording them was off): nothing to audit", name)


def tell(lines: Iterable[bytes], name: str, store: Store) -> tuple[str, Iterator[bytes]]:
    """Tell the format of a file by the values at its beginning.

    Args:
        lines: the file's lines as bytes, with their ends.
        name: the file's name, for errors.
        store: takes the lines that were read for it.

    Returns:
        The format's name, and all the lines.

    Raises:
        InputError: if none fits, or more than one.
    """
    taken = _Taken(lines, store)
    forms = [format_named(known) for known in NAMES]
    embedded = next((form.embedded for form in forms if form.embedded is not None), None)
    values = Values(taken, name, Tally(), embedded)
    fits: set[str] = set()
    for value, _ in islice(values, HEAD):
        if isinstance(value, dict) and value.get("type") == "tool_call" and "subtype" in value:
            raise InputError("holds calls as Cursor prints them, which are not read", name)
        if isinstance(value, dict) and set(value) in (set(FIELDS), set(LINK_FIELDS)):
            fits.add(TOOLREPLAY)  # whatever its response looks like
        else:
            fits.update(form.name for form in forms if form.holds(value, surely=True))
    if len(fits) == 1:
        return fits.pop(), taken.all()
    if not fits and values.broken is not None:
        raise values.broken
    found = f"could be {' or '.join(sorted(fits))}" if fits else "is in no format that is known here"
    raise InputError(f"{found}; --from says which to read", name)


class _Taken:
    """Lines that are read to tell the format, and kept to be read once more.

    They may be many and short, since whatever is no value counts for nothing, so they are kept together.
    """

    def __init__(self, lines: Iterable[bytes], store: Store) -> None:
        self._rest = iter(lines)
        self._store = store
        self._pieces: list[int] = []
        self._last = bytearray()

    def __iter__(self) -> Iterator[bytes]:
        for line in self._rest:
            self._last += line
            if len(self._last) > _PIECE:
                self._pieces.append(self._store.append(bytes(self._last)))
                self._last.clear()
            yield line

    def all(self) -> Iterator[bytes]:
        """Give all lines, from the first on."""
        for number in self._pieces:
            yield from BytesIO(self._store.read(number))
        yield from BytesIO(self._last)
        yield from self._rest
