"""The corpora: made on the spot from a fixed seed, so that everyone measures the same bytes.

A record is written the way a recorder written in Python would write it: `json.dumps` with its own spacing, text that is
not ASCII as itself.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SEED = 7

# fmt: off
WORDS = [
    "agent", "answer", "audit", "branch", "buffer", "build", "bytes", "cache", "canonical", "chain", "check",
    "client", "code", "commit", "config", "count", "data", "default", "deploy", "digest", "docs", "entry", "error",
    "event", "file", "finding", "folder", "format", "guide", "handler", "hash", "head", "hook", "import", "index",
    "input", "issue", "item", "key", "last", "length", "level", "line", "link", "list", "local", "log", "main",
    "message", "method", "module", "name", "network", "number", "object", "option", "order", "output", "page",
    "parser", "path", "plan", "point", "pool", "process", "query", "queue", "reader", "record", "release", "report",
    "request", "response", "result", "root", "run", "scope", "script", "search", "seal", "server", "session",
    "size", "source", "stack", "state", "status", "step", "store", "stream", "string", "table", "task", "test",
    "text", "thread", "time", "token", "tool", "trace", "tree", "type", "update", "user", "value", "vector",
    "version", "view", "word", "worker", "write",
]
# fmt: on
FOREIGN = ["bo‘lim", "o‘zgarish", "فائل", "تبدیلی", "naïve", "Größe", "файл", "変更", "🙂", "—"]
TOOLS = ["read_file", "list_dir", "search", "write_file", "run_command", "http_get", "query_table", "ask_user"]

Json = dict[str, Any]


def _words(rng: random.Random, count: int, foreign: float = 0.03) -> str:
    return " ".join(rng.choice(FOREIGN) if rng.random() < foreign else rng.choice(WORDS) for _ in range(count))


def _path(rng: random.Random) -> str:
    return "/".join(rng.choice(WORDS) for _ in range(rng.randint(2, 4))) + rng.choice([".py", ".md", ".json", ".ts"])


def _source(rng: random.Random, size: int) -> str:
    """Text like a file's: lines of some forty characters, indents, quotes; in every fifth words that aren't ASCII."""
    foreign = 0.03 if rng.random() < 0.2 else 0.0
    lines: list[str] = []
    length = 0
    while length < size:
        indent = " " * (4 * rng.randint(0, 3))
        line = indent + _words(rng, rng.randint(3, 9), foreign)
        if rng.random() < 0.2:
            line += f' = "{rng.choice(WORDS)}"'
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)


def small_record(rng: random.Random, index: int) -> Json:
    """Make a record of some 350 bytes on average."""
    tool = rng.choice(TOOLS)
    args: Json
    response: Json
    if tool == "read_file":
        args = {"path": _path(rng), "offset": rng.randint(0, 5000), "limit": 200}
        response = {"bytes": rng.randint(100, 90000), "text": _source(rng, 300), "truncated": rng.random() < 0.3}
    elif tool == "list_dir":
        args = {"path": _path(rng)}
        response = {"entries": [_path(rng).rpartition("/")[2] for _ in range(rng.randint(4, 22))]}
    elif tool == "search":
        args = {"query": _words(rng, 3), "case": False, "glob": None}
        hits = [{"path": _path(rng), "line": rng.randint(1, 900)} for _ in range(rng.randint(1, 6))]
        response = {"hits": hits, "took": round(rng.random(), 4)}
    elif tool == "write_file":
        args = {"path": _path(rng), "text": _source(rng, 260)}
        response = {"ok": True}
    elif tool == "run_command":
        args = {"command": ["python", "-m", rng.choice(WORDS), _path(rng)], "timeout": 30}
        response = {"exit": rng.randint(0, 2), "stdout": _source(rng, 200), "stderr": ""}
    elif tool == "http_get":
        args = {"url": f"https://example.org/{_path(rng)}", "headers": {"accept": "application/json"}}
        response = {"status": 200, "body": {"id": rng.randint(1, 10**9), "name": _words(rng, 2), "score": rng.random()}}
    elif tool == "query_table":
        args = {"sql": f"select {rng.choice(WORDS)} from {rng.choice(WORDS)} where id = {rng.randint(1, 10**6)}"}
        response = {"rows": [[rng.randint(1, 999), rng.choice(WORDS), rng.random() * 100] for _ in range(5)]}
    else:
        args = {"question": _words(rng, 12) + "?"}
        response = {"answer": _words(rng, 16), "seconds": round(rng.random() * 60, 1)}
    return {"index": index, "tool": tool, "args": args, "response": response}


def large_record(rng: random.Random, index: int) -> Json:
    """Make a record of some 9,000 bytes: a file read, a file written or a long list of hits."""
    kind = rng.random()
    if kind < 0.5:
        text = _source(rng, 8600)
        args: Json = {"path": _path(rng)}
        response: Json = {"bytes": len(text.encode()), "text": text}
        return {"index": index, "tool": "read_file", "args": args, "response": response}
    if kind < 0.75:
        args = {"path": _path(rng), "text": _source(rng, 8600)}
        return {"index": index, "tool": "write_file", "args": args, "response": {"ok": True}}
    hits = [{"path": _path(rng), "line": rng.randint(1, 900), "text": _words(rng, 12, 0.005)} for _ in range(66)]
    args = {"query": _words(rng, 3), "case": False}
    return {"index": index, "tool": "search", "args": args, "response": {"hits": hits}}


def small(count: int) -> Iterator[Json]:
    """Make different small records, of mixed tools."""
    rng = random.Random(SEED)
    return (small_record(rng, index) for index in range(count))


def large(count: int) -> Iterator[Json]:
    """Make different large records."""
    rng = random.Random(SEED + 1)
    return (large_record(rng, index) for index in range(count))


def repeat(count: int) -> Iterator[Json]:
    """Make records of a hundred different calls, each answered in the same way every time."""
    rng = random.Random(SEED + 2)
    calls = [small_record(rng, 0) for _ in range(100)]
    return ({**rng.choice(calls), "index": index} for index in range(count))


def distinct(count: int) -> Iterator[Json]:
    """Make short records of which no two hold the same call."""
    rng = random.Random(SEED + 3)
    for index in range(count):
        args = {"path": f"{rng.choice(WORDS)}/{index}.py", "limit": 200}
        response = {"bytes": rng.randint(1, 99999), "text": _words(rng, 12)}
        yield {"index": index, "tool": "read_file", "args": args, "response": response}


def write(records: Iterator[Json], path: Path) -> None:
    """Write a transcript."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
