"""Measures ToolReplay beside the plain loop that an expert would write, and beside other tools.

python benchmarks/run.py [--scale 0.1] [--runs 5] [--folder FOLDER] [PART…]

The parts are audits, peers, many, start, jobs, growth, memory; without any, all are run. The corpora are made on the
spot, in FOLDER if it is given (and found again there), else in a temporary folder. Peers are installed from PyPI into
an environment of their own. This process stays small: a child's peak memory is never told as less than its parent's.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from shutil import which

from measure import ROOT, Cost, interleaved, run, table

HERE = Path(__file__).resolve().parent
PYTHON = sys.executable
TOOL = [PYTHON, "-m", "toolreplay"]
BASELINE = [PYTHON, str(HERE / "baseline.py")]
PEERS = ("omega-audit", "autonomous-audit")
IMPORTS = [PYTHON, "-c", "import json, hashlib, argparse"]


class Setup:
    """Where the corpora are and how often each command is run."""

    def __init__(self, folder: Path, scale: float, runs: int) -> None:
        self.folder, self.scale, self.runs = folder, scale, runs

    def path(self, name: str) -> str:
        return str(self.folder / name)


def ratio(cost: Cost, base: Cost) -> str:
    return f"{cost.cpu / base.cpu:.2f}"


def rate(name: str, cost: Cost, setup: Setup) -> str:
    return f"{cost.cpu / lines_in(setup.path(name)) * 1e6:.1f}"


def lines_in(path: str) -> int:
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def audits(setup: Setup) -> None:
    print(
        "## The audits beside the plain loop\n\nCPU time as a ratio to the loop over the same file; lower is better.\n"
    )
    rows = []
    for name in ("small", "large", "repeat", "distinct"):
        plain, chain = setup.path(f"{name}.jsonl"), setup.path(f"{name}.sealed.jsonl")
        scope = setup.path("scope.json")
        commands = {
            "loop": [*BASELINE, plain],
            "replay": [*TOOL, "replay", plain],
            "scope": [*TOOL, "scope", plain, scope],
            "seal": [*TOOL, "seal", plain],
        }
        if Path(chain).exists():
            commands |= {"loop, sealed": [*BASELINE, chain], "verify": [*TOOL, "verify", chain]}
        costs = interleaved(commands, setup.runs)
        loop = costs["loop"]
        row = [name, rate(f"{name}.jsonl", loop, setup)]
        row += [ratio(costs[command], loop) for command in ("scope", "replay", "seal")]
        if "verify" in costs:
            row += [ratio(costs["verify"], costs["loop, sealed"]), ratio(costs["verify"], loop)]
        rows.append(row + ["–"] * (7 - len(row)))
    titles = ["corpus", "loop, µs a record", "`scope`", "`replay`", "`seal`", "`verify`"]
    print(table([*titles, "`verify` to the loop over the transcript"], rows), end="\n\n")


def peers(setup: Setup) -> None:
    print("## Other tools\n\nCPU time of verifying the same records, each in the chain of its own writer.\n")
    environment = setup.folder / "peers"
    python = environment / "bin" / "python"
    if not python.exists():
        run([PYTHON, "-m", "venv", str(environment)], may_find=False)
        run([str(python), "-m", "pip", "install", "--quiet", *PEERS], may_find=False)
    rows = []
    for name in ("small", "large"):
        commands = {"`toolreplay verify`": [*TOOL, "verify", setup.path(f"{name}.sealed.jsonl")]}
        for peer in PEERS:
            chain = setup.path(f"{name}.{peer}.jsonl")
            if not Path(chain).exists():
                run(
                    [str(python), str(HERE / "peer_chains.py"), peer, setup.path(f"{name}.jsonl"), chain],
                    may_find=False,
                )
            commands[f"`{peer} verify`"] = [str(environment / "bin" / peer), "verify", chain]
        if which("jq"):
            commands["`jq -cS .` (canonicalises only)"] = ["jq", "-cS", ".", setup.path(f"{name}.jsonl")]
        costs = interleaved(commands, setup.runs)
        ours = costs["`toolreplay verify`"]
        rows += [[name, command, f"{cost.cpu:.2f}", ratio(cost, ours)] for command, cost in costs.items()]
    print(table(["corpus", "command", "CPU, s", "to ours"], rows), end="\n\n")


def many(setup: Setup) -> None:
    print(
        "## Many files\n\n`check` on files of 20 records each, beside the loop over the same lines, start-up aside.\n"
    )
    files = sorted(str(path) for path in (setup.folder / "many").iterdir())
    commands = {
        "loop": [*BASELINE, *files],
        "check": [*TOOL, "check", *files],
        "loop, start": [*BASELINE],
        "check, start": [*TOOL, "check", files[0]],
    }
    costs = interleaved(commands, setup.runs)
    loop = costs["loop"].cpu - costs["loop, start"].cpu
    check = costs["check"].cpu - costs["check, start"].cpu
    row = [str(len(files)), f"{loop:.3f}", f"{check:.3f}", f"{check / loop:.2f}"]
    print(table(["files", "loop, CPU s", "check, CPU s", "ratio"], [row]), end="\n\n")


def start(setup: Setup) -> None:
    print("## Start-up\n\nCPU time beside `python3 -c 'import json, hashlib, argparse'`.\n")
    samples = ROOT / "samples"
    dirty, scope = str(samples / "session-dirty.jsonl"), str(samples / "scope.json")
    commands = {
        "`import json, hashlib, argparse`": IMPORTS,
        "`version`": [*TOOL, "version"],
        "`replay` of the sample": [*TOOL, "replay", dirty],
        "`scope` of the sample": [*TOOL, "scope", dirty, scope],
        "`check` of the sample": [*TOOL, "check", dirty],
    }
    costs = interleaved(commands, max(20, setup.runs))
    base = costs["`import json, hashlib, argparse`"]
    rows = [[name, f"{cost.cpu * 1000:.0f}", ratio(cost, base)] for name, cost in costs.items()]
    print(table(["command", "CPU, ms", "ratio"], rows), end="\n\n")


def jobs(setup: Setup) -> None:
    print("## Two processes\n\nElapsed time with one and with two; it says little on a machine that is busy.\n")
    files = sorted(str(path) for path in (setup.folder / "many").iterdir())
    more = [path for file in files for path in ten_times(file)]
    rows = []
    for name, command in {
        "`verify` of small": [*TOOL, "verify", setup.path("small.sealed.jsonl")],
        "`verify` of large": [*TOOL, "verify", setup.path("large.sealed.jsonl")],
        "`check` of many": [*TOOL, "check", *files],
        "`check` of ten times as many": [*TOOL, "check", *more],
    }.items():
        costs = interleaved({"1": command, "2": [*command[:4], "--jobs", "2", *command[4:]]}, setup.runs)
        rows.append([name, f"{costs['1'].elapsed:.2f}", f"{costs['2'].elapsed:.2f}"])
        rows[-1].append(f"{costs['1'].elapsed / costs['2'].elapsed:.2f}")
    print(table(["command", "one, s", "two, s", "times faster"], rows), end="\n\n")


def ten_times(path: str) -> list[str]:
    """Give a file nine more names beside its folder; return all ten."""
    file = Path(path)
    names = [file] + [file.parent.with_name(f"many-{number}") / file.name for number in range(2, 11)]
    for name in names[1:]:
        name.parent.mkdir(exist_ok=True)
        if not name.exists():
            name.hardlink_to(file)
    return [str(name) for name in names]


def growth(setup: Setup) -> None:
    print(
        "## Growth\n\nMicroseconds of CPU a record and peak memory in MB, on short records of which no two are alike.\n"
    )
    source = setup.path("distinct.jsonl")
    whole = lines_in(source)
    rows = []
    for part in (100, 10, 1):
        count = whole // part
        plain, chain = setup.folder / "growth.jsonl", setup.folder / "growth.sealed.jsonl"
        with open(source, "rb") as file, plain.open("wb") as out:
            out.writelines(islice(file, count))
        run([*TOOL, "seal", str(plain), "-o", str(chain)], may_find=False)
        row = [f"{count:,}"]
        for command in (
            ["scope", str(plain), setup.path("scope.json")],
            ["replay", str(plain)],
            ["seal", str(plain)],
            ["verify", str(chain)],
        ):
            cost = run([*TOOL, *command])
            row.append(f"{cost.cpu / count * 1e6:.1f} µs, {cost.peak:.0f} MB")
        rows.append(row)
    print(table(["records", "`scope`", "`replay`", "`seal`", "`verify`"], rows), end="\n\n")


def memory(setup: Setup) -> None:
    size = int(2**30 * setup.scale)
    print(f"## Memory\n\nPeak memory in MB on a transcript of {size // 2**20} MB of small records.\n")
    plain, chain = setup.folder / "huge.jsonl", setup.folder / "huge.sealed.jsonl"
    run([PYTHON, str(HERE / "renumber.py"), setup.path("small.jsonl"), str(plain), str(size)], may_find=False)
    count = lines_in(str(plain))
    rows = []
    for command in (
        ["version"],
        ["scope", str(plain), setup.path("scope.json")],
        ["seal", str(plain), "-o", str(chain)],
        ["seal", str(plain)],
        ["verify", str(chain)],
    ):
        cost = run([*TOOL, *command])
        name = "`seal -o`" if "-o" in command else f"`{command[0]}`"
        rows.append([name, f"{count:,}" if len(command) > 1 else "–", f"{cost.peak:.0f}", f"{cost.cpu:.1f}"])
    plain.unlink()
    chain.unlink()
    distinct = setup.path("distinct.jsonl")
    count = lines_in(distinct)
    least = run([*TOOL, "version"]).peak
    cost = run([*TOOL, "replay", distinct])
    rows.append(["`replay`, no two calls alike", f"{count:,}", f"{cost.peak:.0f}", f"{cost.cpu:.1f}"])
    print(table(["command", "records", "peak, MB", "CPU, s"], rows))
    print(f"\n`replay`: {(cost.peak - least) * 2**20 / count:.0f} bytes for each distinct call.\n")


PARTS: dict[str, Callable[[Setup], None]] = {
    part.__name__: part for part in (audits, peers, many, start, jobs, growth, memory)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("part", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)} (default: all)")
    options = parser.parse_args()
    for name in options.part:
        if name not in PARTS:
            parser.error(f"no such part: {name}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        scale = folder / "scale.txt"
        if not scale.exists():
            run([PYTHON, str(HERE / "make.py"), str(folder), str(options.scale)], may_find=False)
            scale.write_text(str(options.scale), encoding="utf-8")
        elif float(scale.read_text(encoding="utf-8")) != options.scale:
            parser.error(f"the corpora in {folder} are of scale {scale.read_text(encoding='utf-8')}")
        print(f"Python {sys.version.split()[0]}, scale {options.scale}, medians of {options.runs} runs.\n", flush=True)
        for name in options.part or PARTS:
            PARTS[name](Setup(folder, options.scale, options.runs))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
