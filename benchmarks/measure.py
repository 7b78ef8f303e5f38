"""Running a program and measuring it whole: CPU time of user and system, elapsed time, peak memory."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Cost(NamedTuple):
    """What one run took: seconds of CPU (user and system, children included), seconds elapsed, peak memory in MB."""

    cpu: float
    elapsed: float
    peak: float


def run(command: Sequence[str], *, cwd: Path | None = None, may_find: bool = True) -> Cost:
    """Run a command and wait for it; exit codes 0 and, unless forbidden, 1 (findings) are fine."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment, cwd=cwd)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - begun
    code = os.waitstatus_to_exitcode(status)
    if code not in ((0, 1) if may_find else (0,)):
        sys.exit(f"exit code {code} from {' '.join(command)[:200]}")
    process.returncode = code
    return Cost(
        usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    )


def interleaved(commands: Mapping[str, Sequence[str]], runs: int, *, cwd: Path | None = None) -> dict[str, Cost]:
    """Run commands in turns, so that a busy moment of the machine hits all alike; return each one's medians."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            costs[name].append(run(command, cwd=cwd))
    return {
        name: Cost(*(statistics.median(values) for values in zip(*found, strict=True))) for name, found in costs.items()
    }


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
