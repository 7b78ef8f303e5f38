"""What the hooks cost beside those of pre-commit-hooks: the first install, and a run.

python benchmarks/hooks.py [INSTALLS [RUNS]]

Needs git, pre-commit in the environment of this Python, and PyPI. pre-commit-hooks is its published source package, put
into a git repository of its own with a manifest for two of its hooks; ToolReplay is a clone of this repository's last
commit. pre-commit then installs both in the same way. All read the same repository, in turn, and medians of wall time
are compared: `end-of-file-fixer` reads the same files as `toolreplay`, and `check-added-large-files` asks git about the
index as `toolreplay-guard` does. `nothing` is a hook that runs /bin/true: pre-commit's own time.
"""

import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from toolreplay.engine.sealing import seal  # noqa: E402 (of the checkout)
from toolreplay.engine.transcript import Record  # noqa: E402

THEIRS = "pre-commit-hooks==6.0.0"
MANIFEST = """\
- id: end-of-file-fixer
  name: fix end of files
  entry: end-of-file-fixer
  language: python
  types: [text]
- id: check-added-large-files
  name: check for added large files
  entry: check-added-large-files
  language: python
"""
NOTHING = """\
repos:
- repo: local
  hooks:
  - {id: nothing, name: nothing, entry: /bin/true, language: system}
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def run(*words: str, cwd: Path, **environment: str) -> float:
    """Run a command, which must succeed, and return how long it took in seconds."""
    began = time.perf_counter()
    done = subprocess.run(words, cwd=cwd, env=ENVIRONMENT | environment, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return took


def commit(folder: Path, *tags: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", cwd=folder)
    run("git", *author, "commit", "--quiet", "--message=x", cwd=folder)
    for tag in tags:
        run("git", "tag", tag, cwd=folder)


def config(repository: Path, hook: str) -> str:
    return f"repos:\n- repo: file://{repository}\n  rev: v0.0.1\n  hooks:\n  - id: {hook}\n"


def make_theirs(folder: Path) -> None:
    download = ("download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder.parent), THEIRS)
    run(sys.executable, "-m", "pip", *download, cwd=folder.parent)
    (archive,) = folder.parent.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder.parent, filter="data")
    (unpacked,) = (path for path in folder.parent.glob("pre_commit_hooks-*") if path.is_dir())
    unpacked.rename(folder)
    (folder / ".pre-commit-hooks.yaml").write_text(MANIFEST)
    commit(folder, "v0.0.1")


def make_project(folder: Path) -> None:
    folder.mkdir()
    for number in range(100):
        calls = [(f"src/{number}/{index}.py", f"line {index} of {number}; " * 10) for index in range(50)]
        records = [
            Record(index, "read_file", {"path": p}, {"text": t}, index + 1) for index, (p, t) in enumerate(calls)
        ]
        links = [link.line for link in seal(records)]
        (folder / f"session-{number:03}.jsonl").write_bytes(b"".join(links))
    commit(folder)


def main() -> None:
    installs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    pre_commit = (sys.executable, "-m", "pre_commit")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        theirs, ours, project = folder / "theirs", folder / "ours", folder / "project"
        make_theirs(theirs)
        run("git", "clone", "--quiet", "--no-local", str(ROOT), str(ours), cwd=folder)
        run("git", "tag", "v0.0.1", cwd=ours)
        make_project(project)
        configs = {"nothing": NOTHING}
        for repository, hook in (
            (theirs, "end-of-file-fixer"),
            (ours, "toolreplay"),
            (theirs, "check-added-large-files"),
            (ours, "toolreplay-guard"),
        ):
            configs[hook] = config(repository, hook)
        for hook, text in configs.items():
            (folder / f"{hook}.yaml").write_text(text)

        cold: dict[str, list[float]] = {"end-of-file-fixer": [], "toolreplay": []}
        for number in range(installs):
            for hook, times in cold.items():
                home = str(folder / f"home-{hook}-{number}")
                words = ("install-hooks", "--config", str(folder / f"{hook}.yaml"))
                times.append(run(*pre_commit, *words, cwd=project, PRE_COMMIT_HOME=home))
        warm: dict[str, list[float]] = {hook: [] for hook in configs}
        for _ in range(runs + 1):
            for hook, times in warm.items():
                file = str(folder / f"{hook}.yaml")
                times.append(
                    run(
                        *pre_commit,
                        "run",
                        "--all-files",
                        "--config",
                        file,
                        cwd=project,
                        PRE_COMMIT_HOME=str(folder / "home"),
                    )
                )

    print(f"first install, median of {installs}")
    middle = {hook: statistics.median(times) for hook, times in cold.items()}
    for hook, took in middle.items():
        print(f"  {hook:26}{took:6.2f} s   {took / middle['end-of-file-fixer']:5.2f}")
    print(f"a run on 100 sealed files of 50 links, median of {runs}")
    middle = {hook: statistics.median(times[1:]) for hook, times in warm.items()}  # the first one installs
    for hook, beside in (
        ("nothing", "nothing"),
        ("end-of-file-fixer", "end-of-file-fixer"),
        ("toolreplay", "end-of-file-fixer"),
        ("check-added-large-files", "check-added-large-files"),
        ("toolreplay-guard", "check-added-large-files"),
    ):
        print(f"  {hook:26}{middle[hook]:6.2f} s   {middle[hook] / middle[beside]:5.2f}")


if __name__ == "__main__":
    main()
