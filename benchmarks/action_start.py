"""What starting the action costs: its entry point on the samples, beside Python with two modules of its library.

python benchmarks/action_start.py [RUNS]

Both are started in turn, isolated as in the image, and the medians of user and system time are compared.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = "from toolreplay.action import main\n\nraise SystemExit(main())\n"


def seconds(words: list[str], folder: Path, environment: dict[str, str]) -> float:
    """Return the user and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert finished.returncode in (0, 1), finished.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 31
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "toolreplay", folder / "image" / "toolreplay")
        (folder / "image" / "__main__.py").write_text(START, encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "INPUT_FILES": "session-*.jsonl",
            "INPUT_SCOPE": "scope.json",
        }
        programs = {
            "action": [sys.executable, "-I", str(folder / "image")],
            "python": [sys.executable, "-I", "-c", "import json, hashlib"],
        }
        taken: dict[str, list[float]] = {program: [] for program in programs}
        for _ in range(runs + 1):
            for program, words in programs.items():
                taken[program].append(seconds(words, ROOT / "samples", environment))
    action, python = (statistics.median(times[1:]) for times in taken.values())  # the first one compiles
    print(f"python -I -c 'import json, hashlib'  {python * 1000:6.1f} ms")
    print(f"the action on the samples            {action * 1000:6.1f} ms  ratio {action / python:.2f}")


if __name__ == "__main__":
    main()
