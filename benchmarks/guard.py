"""What the guard costs: 200 sealed files of 100 links each, and one of 100 MB.

python benchmarks/guard.py [MEGABYTES]

For each change staged upon the commit: user and system time of the command and of the gits that it runs, and the peak
memory of the guard's own process and of the largest git beside it. First, what `verify` takes for the large file.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from toolreplay.engine.sealing import seal  # noqa: E402 (of the checkout)
from toolreplay.engine.transcript import Record  # noqa: E402

QUIET = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PYTHONPATH": str(ROOT),
}
MEASURED = """
import resource, sys
from toolreplay.cli import main
code = main(sys.argv[1:])
usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
seconds = sum(one.ru_utime + one.ru_stime for one in usage)
print(code, seconds, *(one.ru_maxrss for one in usage), file=sys.stderr)
"""
SCALE = 1 if sys.platform == "darwin" else 1024
"""Bytes in a unit of the peak memory: the systems differ."""


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *words], cwd=folder, env=QUIET, check=True, capture_output=True)


def links(calls: int, salt: int) -> Iterator[bytes]:
    """Yield the lines of a sealed file, of some 400 bytes each."""
    records = (
        Record(
            index,
            "read_file",
            {"path": f"src/{salt}/{index}.py"},
            {"text": f"line {index} of {salt}; " * 10},
            index + 1,
        )
        for index in range(calls)
    )
    return (link.line for link in seal(records))


def measure(folder: Path, *words: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", MEASURED, *words], cwd=folder, env=QUIET, capture_output=True, text=True, check=True
    )
    code, seconds, own, beside = finished.stderr.split()
    return (
        f"{float(seconds):8.2f} s  {int(own) * SCALE / 1e6:7.0f} MB  {int(beside) * SCALE / 1e6:7.0f} MB  exit {code}"
    )


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "repository")
        folder.mkdir()
        git(folder, "init", "--quiet")
        for number in range(200):
            (folder / f"run-{number:03}.sealed.jsonl").write_bytes(b"".join(links(100, number)))
        large, last = folder / "large.sealed.jsonl", Path(name, "last")
        lines = links(10**9, 1000)
        with large.open("wb") as file:
            while file.tell() < megabytes * 10**6:
                file.write(next(lines))
        last.write_bytes(next(lines))
        git(folder, "add", "--all")
        print(f"200 sealed files of 100 links and one of {large.stat().st_size / 1e6:.0f} MB")
        print(f"{'':34}{'time':>8}    {'guard':>7}     {'git':>7}")
        print(f"{'verify, the large file alone':32}{measure(folder, 'verify', large.name)}")
        print(f"{'first commit':32}{measure(folder, 'guard')}")
        git(folder, "commit", "--quiet", "--message=x")
        print(f"{'unchanged':32}{measure(folder, 'guard')}")
        git(folder, "gc", "--quiet")
        print(f"{'unchanged, packed':32}{measure(folder, 'guard')}")
        # By other programs: what this process holds would be counted for those that it starts.
        for change, command in (
            ("the large one grown by a link", 'cat "$2" >>"$1"'),
            ("the large one cut by a link", "sed -i '$d' \"$1\"; sed -i '$d' \"$1\""),
            ("the large one emptied", ': >"$1"'),
        ):
            subprocess.run(["sh", "-c", command, "sh", large, last], check=True)
            git(folder, "add", "--all")
            print(f"{change:32}{measure(folder, 'guard')}")
        git(folder, "rm", "--quiet", "--cached", large.name)
        git(folder, "commit", "--quiet", "--message=x")
        print(f"{'the 200 alone, unchanged':32}{measure(folder, 'guard')}")


if __name__ == "__main__":
    main()
