"""Making a huge transcript of a small one: `python renumber.py SOURCE TARGET BYTES`."""

import sys
from collections.abc import Iterator
from pathlib import Path


def renumbered(source: Path, target: Path, size: int) -> None:
    """Write a transcript of at least `size` bytes from another's records, one after the other."""
    with source.open("rb") as file:
        rests = [line.split(b",", 1)[1] for line in file]

    def lines() -> Iterator[bytes]:
        index = written = 0
        while written < size:
            line = b'{"index": %d,%b' % (index, rests[index % len(rests)])
            written += len(line)
            index += 1
            yield line

    with target.open("wb", 2**20) as out:
        out.writelines(lines())


if __name__ == "__main__":
    renumbered(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
