"""What converting a large Claude Code session costs, beside a bare `json.loads` over the same lines.

python benchmarks/convert.py [MEGABYTES [ROUNDS]]

The session is made on the spot from a fixed seed, with the shape that real ones have: four results in five are shorter
than 5 kB and one in a hundred is longer than 40 kB, each stands in its line twice (once for the model, once as the
structured twin that is not read), and for each call there are a message and one to three records of progress. Both
sides run in turn in this process; the least CPU time of each counts. Peak memory is that of a process of its own.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
from toolreplay.formats.reading import read  # noqa: E402 (the checkout's own)
from toolreplay.spool import Store  # noqa: E402

SEED = 7
WORDS = ["the", "of", "and", "file", "line", "error", "def", "return", "self", "data", "test", "name", "class", "true"]
ENVELOPE: dict[str, Any] = {
    "parentUuid": "0b9e1c6e-1111-4222-8333-444455556666",
    "isSidechain": False,
    "userType": "external",
    "cwd": "/home/me/project",
    "sessionId": "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f",
    "version": "2.1.37",
    "gitBranch": "main",
    "uuid": "0b9e1c6e-1111-4222-8333-444455556667",
    "timestamp": "2026-01-01T00:00:00.000Z",
}
USAGE: dict[str, Any] = {
    "input_tokens": 3,
    "cache_read_input_tokens": 30000,
    "output_tokens": 20,
    "service_tier": "standard",
}


def text(rng: random.Random, size: int) -> str:
    """Return text like a file's, in lines of some sixty characters with quotes here and there."""
    lines = []
    while size > 0:
        line = "    " * rng.randint(0, 3) + " ".join(rng.choices(WORDS, k=rng.randint(3, 14)))
        lines.append(line.replace("name", '"name"'))
        size -= len(line) + 1
    return "\n".join(lines)


def message(kind: str, block: dict[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    inner: dict[str, Any] = {"role": kind, "content": [block]}
    if kind == "assistant":
        inner = {"id": "msg_01", "type": "message", "model": "m", "usage": USAGE, "stop_reason": None, **inner}
    return {**ENVELOPE, "type": kind, "message": inner, **beside}


def call(rng: random.Random, number: int) -> Iterator[dict[str, Any]]:
    """Give the records around one call."""
    size = min(480_000, int(rng.lognormvariate(6.55, 1.74)))  # median 700, one in a hundred above 40,000
    tool = rng.choice(["Bash", "Bash", "Bash", "Read", "Read", "Edit", "Grep"])
    result = text(rng, size)
    args: dict[str, Any] = {"command": "ls " + text(rng, 80), "description": "List"}
    twin: dict[str, Any] = {"stdout": result, "stderr": "", "interrupted": False, "isImage": False}
    if tool == "Read":
        args = {"file_path": f"/home/me/project/{number}.py"}
        twin = {"type": "text", "file": {"filePath": args["file_path"], "content": result, "numLines": 9}}
    elif tool == "Edit":
        old, new = text(rng, 300), text(rng, 300)
        args = {"file_path": "/home/me/project/a.py", "old_string": old, "new_string": new}
        patch = [{"oldStart": 1, "oldLines": 9, "newStart": 1, "newLines": 9, "lines": new.split("\n")}]
        twin = {**args, "originalFile": text(rng, 8000), "structuredPatch": patch, "replaceAll": False}
    elif tool == "Grep":
        args = {"pattern": "x", "path": "src"}
        twin = {"mode": "content", "numFiles": 1, "content": result}
    identifier = f"toolu_{number:024d}"
    yield message("assistant", {"type": "text", "text": text(rng, 200)}, {"requestId": "req_1"})
    block = {"type": "tool_use", "id": identifier, "name": tool, "input": args, "caller": {"type": "direct"}}
    yield message("assistant", block, {"requestId": "req_1"})
    for _ in range(1 + number % 3):
        data = {
            "type": "hook_progress",
            "hookEvent": "PostToolUse",
            "hookName": "PostToolUse:" + tool,
            "command": "lint",
        }
        yield {**ENVELOPE, "type": "progress", "data": data, "toolUseID": identifier, "parentToolUseID": identifier}
    answer = {"tool_use_id": identifier, "type": "tool_result", "content": result, "is_error": False}
    yield message("user", answer, {"toolUseResult": twin})
    if number % 7 == 0:
        yield {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": {}}}


def write_session(path: str, size: int) -> int:
    """Write a session of about that many bytes; return how many calls it holds."""
    rng = random.Random(SEED)
    number = written = 0
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        while written < size:
            for record in call(rng, number):
                written += file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
            number += 1
    return number


def bare(path: str) -> None:
    with open(path, "rb") as file:
        for line in file:
            json.loads(line)


def convert(path: str) -> None:
    with open(path, "rb") as file, open(os.devnull, "wb") as out:
        out.writelines(read(file, path, "claude-code", Store()).lines)


def least(run: Callable[[str], None], path: str) -> float:
    before = time.process_time()
    run(path)
    return time.process_time() - before


def peak(path: str) -> int:
    """Return the peak memory of the command, in bytes."""
    script = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode\n"
        "assert code == 0, code\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)\n"
    )
    words = [sys.executable, "-m", "toolreplay", "convert", path, "--from", "claude-code"]
    done = subprocess.run([sys.executable, "-c", script, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout)


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "session.jsonl")
        calls = write_session(path, megabytes * 1_000_000)
        times = [(least(bare, path), least(convert, path)) for _ in range(rounds)]
        loads, converted = (min(column) for column in zip(*times, strict=True))
        print(f"session: {os.path.getsize(path) / 1e6:.0f} MB, {calls} calls")
        print(f"json.loads over its lines: {loads:.3f} s")
        print(f"convert: {converted:.3f} s, {converted / loads:.2f} times as long")
        print(f"peak memory of the command: {peak(path) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
