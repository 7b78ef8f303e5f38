"""Making the files that are measured: `python make.py FOLDER SCALE` writes each corpus, and the sealed ones."""

import json
import sys
from pathlib import Path

import corpora

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from toolreplay import read_transcript, seal

SIZES = {"small": 200_000, "large": 20_000, "repeat": 200_000, "distinct": 1_000_000}
MANY_FILES, MANY_RECORDS = 2_000, 20


def scaled(count: int, scale: float) -> int:
    return max(100, int(count * scale))


def many(folder: Path, files: int) -> None:
    folder.mkdir()
    records = corpora.small(files * MANY_RECORDS)
    for number in range(files):
        lines = (next(records) | {"index": index} for index in range(MANY_RECORDS))
        corpora.write(lines, folder / f"{number:05}.jsonl")


def sealed(source: Path, target: Path) -> None:
    with target.open("wb") as file:
        file.writelines(link.line for link in seal(read_transcript(source)))


def main() -> None:
    folder, scale = Path(sys.argv[1]), float(sys.argv[2])
    for name, count in SIZES.items():
        corpora.write(getattr(corpora, name)(scaled(count, scale)), folder / f"{name}.jsonl")
    for name in ("small", "large"):
        sealed(folder / f"{name}.jsonl", folder / f"{name}.sealed.jsonl")
    many(folder / "many", scaled(MANY_FILES, scale))
    (folder / "scope.json").write_text(
        json.dumps({"agent": "benchmark", "allowed_tools": corpora.TOOLS}), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
