"""What a format is: how it is known, how its records are read, which of its tools change state."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from ..engine.canonical import Json
from .session import Session


class Place(Protocol):
    """Knows where in the file the parts of a value stand."""

    def of(self, part: Json) -> int:
        """Return the 1-based line of an object inside the value, or the value's own for anything else."""
        ...


class Reader:
    """Reads the records of one file into a session; each format has its own."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def records(self, value: Json) -> Iterable[Json]:
        """Give the records in one value of the file: the elements of an array, or the value itself."""
        return value if isinstance(value, list) else (value,)

    def take(self, record: Json, place: Place) -> str | None:
        """Hand the calls and results of a record to the session.

        Returns:
            `None`, or the record's type when it has neither.
        """
        raise NotImplementedError

    def listed(self, value: Json, line: int) -> list[Json]:
        """Give the elements of a list of calls or results; if it is something else, the line counts as not read."""
        if isinstance(value, list):
            return value
        if value is not None:
            self.session.tally.not_read(line)
        return []

    def end(self) -> None:
        """Do what can only be done after the last record."""


class Format(NamedTuple):
    """One format.

    Attributes:
        name: as ``--from`` takes it.
        reader: makes the reader of one file.
        recognises: tells whether a value of a file can only be of this format.
        plausible: tells whether it can be of this format at all, where that is more.
        mutators: its own tools that change state.
        embedded: finds the value in a line of text, or gives `None`, where the format has such lines.
        needs_args: whether a file in which no call has arguments is refused, because recording them is optional.
    """

    name: str
    reader: type[Reader]
    recognises: Callable[[Json], bool]
    mutators: frozenset[str] = frozenset()
    embedded: Callable[[bytes], Json] | None = None
    needs_args: bool = False
    plausible: Callable[[Json], bool] | None = None

    def holds(self, value: Json, *, surely: bool) -> bool:
        """Tell whether a value of a file, or one of those in an array, is of this format."""
        test = self.recognises if surely or self.plausible is None else self.plausible
        return any(map(test, value)) if isinstance(value, list) else test(value)


def kind_of(record: Json, *names: str) -> str:
    """Name a record's type for the count of ignored ones: the values of its members `names` that are strings."""
    if not isinstance(record, dict):
        return "(not an object)"
    kinds = []
    for name in names:
        kind = record.get(name)
        if isinstance(kind, str):
            kinds.append(kind)
    return "/".join(kinds) or "(no type)"
