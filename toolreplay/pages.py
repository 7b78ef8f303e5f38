"""Making an HTML page: the files' sections one after the other, held back until the page's head is known."""

from collections.abc import Iterable, Iterator

from .engine.chain import ChainReader
from .engine.quoting import inert
from .engine.transcript import Record, read_records
from .formats.registry import TOOLREPLAY
from .reports.calls import Call
from .reports.content import Content
from .reports.model import FileEntry, Report
from .reports.page import file_section, page_head, page_tail
from .spool import Spool, Store


class Page:
    """A page in the making. Files are added in the order of the report; then it is finished once."""

    def __init__(self, spool: Spool, files: int, *, content: bool) -> None:
        self._spool = spool
        self._content = Content(files) if content else None
        self._added = 0

    def add(self, file: FileEntry, calls: Iterable[Call]) -> None:
        """Add the section of a file."""
        for line in file_section(self._added, file, calls, self._content):
            self._spool.write(_line(line))
        self._added += 1

    def finished(self, report: Report) -> Iterator[bytes]:
        """Give the page in pieces."""
        yield b"".join(map(_line, page_head(report, self._content)))
        yield from self._spool.pieces()
        yield b"".join(map(_line, page_tail()))


def _line(text: str) -> bytes:
    return f"{inert(text)}\n".encode()


def of_records(records: Iterable[Record]) -> Iterator[Call]:
    """Give records as the calls of a page."""
    return (Call(record) for record in records)


def of_lines(file: FileEntry, lines: Iterable[bytes], format_name: str = TOOLREPLAY) -> Iterator[Call]:
    """Read the calls of a file that was audited; of a broken chain those before the first broken link."""
    if file.chain is None and format_name == TOOLREPLAY:
        return of_records(read_records(lines, file.path))
    if file.chain is None:
        from .formats.reading import read

        return of_records(read(lines, file.path, format_name, Store()).records)
    links = ChainReader(lines, file.path)
    # Where what was expected of the file broke the chain, more links may hold than may be shown.
    return (Call(link.record, link.digest) for link, _ in zip(links, range(file.chain.links), strict=False))
