"""Where the time goes: the steps that no audit can leave out, one after the other, as ratios to the plain loop.

python benchmarks/steps.py FILE

Each line is a loop over the file that does one step more than the line above it, in one process, start-up aside.
"""

import gc
import hashlib
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from json.decoder import JSONDecoder
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from toolreplay.engine.canonical import dumps
from toolreplay.engine.errors import InputError
from toolreplay.engine.strict import reader
from toolreplay.engine.transcript import read_records
from toolreplay.lines import lines_of

Step = Callable[[bytes], object]


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


plain = JSONDecoder().scan_once  # type: ignore[attr-defined]
checked = JSONDecoder(object_pairs_hook=unique).scan_once  # type: ignore[attr-defined]
chunks = c_make_encoder(None, None, encode_basestring, None, ":", ",", *(True, False, False))


def loop(line: bytes) -> None:
    text = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"))
    hashlib.sha256(text.encode()).hexdigest()


def ours(line: bytes) -> bytes:
    record = plain(line.decode(), 0)[0]
    return dumps(record["args"], len(line)) + dumps(record["response"], len(line))


def digest(line: bytes) -> None:
    hashlib.sha256(ours(line)).hexdigest()


STEPS: dict[str, Step] = {
    "read the lines": lambda line: None,
    "… and decode them": lambda line: line.decode(),
    "… and scan them": lambda line: plain(line.decode(), 0),
    "… and encode the record, by the library's encoder": lambda line: chunks(plain(line.decode(), 0)[0], 0),
    "… and encode arguments and response, by ours": ours,
    "… and hash it": digest,
    "scan, all members handed over to see a key twice": lambda line: checked(line.decode(), 0),
    "read strictly, keys counted instead": reader(),
    "scan, bytes taken for characters": lambda line: plain(line.decode("latin-1"), 0),
}


def seconds(path: str, step: Step) -> float:
    best = float("inf")
    for _ in range(5):
        with open(path, "rb") as stream:
            begun = time.process_time()
            for line in lines_of(stream, path):
                step(line)
            best = min(best, time.process_time() - begun)
    return best


def records(path: str) -> float:
    best = float("inf")
    for _ in range(5):
        with open(path, "rb") as stream:
            begun = time.process_time()
            for _ in read_records(lines_of(stream, path), path):
                pass
            best = min(best, time.process_time() - begun)
    return best


def main() -> None:
    path = sys.argv[1]
    gc.disable()
    base = seconds(path, loop)
    for name, step in STEPS.items():
        print(f"{seconds(path, step) / base:.2f}  {name}")
    with suppress(InputError):  # a sealed file holds links
        print(f"{records(path) / base:.2f}  read strictly, as records")


if __name__ == "__main__":
    main()
