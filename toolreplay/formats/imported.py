"""What reading a session gives."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ..engine.errors import InputError
from ..engine.quoting import bare
from ..engine.transcript import Record
from .counts import Counts, losses, notes
from .registry import AUTO, TOOLREPLAY
from .registry import Importing as Importing


class Calls(Protocol):
    """Holds the calls of a session until they are asked for."""

    def records(self) -> Iterator[Record]:
        """Give the calls as records, in order."""
        ...

    def lines(self) -> Iterator[bytes]:
        """Give the lines of their transcript, in order."""
        ...


class Imported(NamedTuple):
    """A recorded session, read to its end.

    `format` is its name, as ``--from`` takes it. `counts` says what was read and what was not, `mutators` are tools of
    that format that change state, besides the usual ones. `held` holds the calls.
    """

    format: str
    counts: Counts
    mutators: frozenset[str]
    held: Calls

    @property
    def records(self) -> Iterator[Record]:
        """The records, in order; `line` is that of the original file. Each access begins anew."""
        return self.held.records()

    @property
    def lines(self) -> Iterator[bytes]:
        """The lines of the transcript, in order. Each access begins anew."""
        return self.held.lines()

    def notes(self, name: str, how: Importing) -> tuple[str, ...]:
        """Say what the file of that name was taken for, if that was asked, and what was read and what was not."""
        lines = [f"taken for {self.format}"] if how.format == AUTO else []
        if self.format != TOOLREPLAY:
            lines += notes(self.counts)
        return tuple(f"{bare(name)}: {line}" for line in lines)

    def refuse_loss(self, name: str, how: Importing) -> None:
        """Allow no loss, if that was asked.

        Raises:
            InputError: if there is one.
        """
        if how.strict and not self.counts.lossless:
            raise InputError(f"not everything could be read: {', '.join(losses(self.counts))}", name)
