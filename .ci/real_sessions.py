"""Reads captured sessions and holds what ToolReplay makes of them against a count of the raw file.

The count is made here, by the standard library's JSON and the plainest possible look at each object, and shares no code
with the package. Run as: python .ci/real_sessions.py FOLDER
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import toolreplay

FORMATS = {
    "anthropic-messages": "anthropic",
    "atif": "atif",
    "claude-code": "claude-code",
    "codex": "codex",
    "codex-exec": "codex",
    "copilot": "copilot",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "otel": "otel",
}
REFUSED = {
    "otel/no-content-captured.jsonl": "holds tool calls without their arguments"
    " (recording them was off): nothing to audit",
}


class Raw(NamedTuple):
    """A raw file in numbers: `types` are those of records that hold no call and no result."""

    calls: int
    results: int
    records: int
    unread_lines: int
    types: Counter[str]


def values(path: Path) -> tuple[list[Any], int]:
    """Give the JSON values of a file, and how many of its lines could not be read."""
    text = path.read_text(encoding="utf-8")
    try:
        return [json.loads(text)], 0
    except json.JSONDecodeError:
        pass
    found, unread = [], 0
    for line in text.split("\n"):
        rest = line.strip()
        while rest:
            try:
                value, end = json.JSONDecoder().raw_decode(rest)
            except json.JSONDecodeError:
                unread += 1
                break
            found.append(value)
            rest = rest[end:].strip()
    return found, unread


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Give every object in a value, at any depth."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def records(folder: str, value: Any) -> Iterator[Any]:
    """Give what the format calls a record."""
    if isinstance(value, dict) and folder == "otel" and "resourceSpans" in value:
        yield from (part for part in objects(value) if "spanId" in part)
        return
    for name in ("messages", "input", "steps"):
        if isinstance(value, dict) and folder not in ("copilot", "codex") and isinstance(value.get(name), list):
            value = value[name]
    yield from value if isinstance(value, list) else [value]


Parts = tuple[list[str], list[str]]
"""An id for each call and each result in a record; "" where there is none that tells doubles apart."""


def blocks(record: Any) -> Parts:
    kinds = [part.get("type") for part in objects(record)]
    return [""] * kinds.count("tool_use"), [""] * kinds.count("tool_result")


def rollout(record: Any) -> Parts:
    item = record["payload"] if record["type"] == "response_item" else {}
    kind = str(item.get("type"))
    hosted = kind in ("web_search_call", "image_generation_call") and ("result" in item or "status" in item)
    return [""] * kind.endswith("_call"), [""] * (kind.endswith("_output") or hosted)


def exec_items(record: Any) -> Parts:
    item = record.get("item", {})
    is_call = item.get("type") in ("command_execution", "mcp_tool_call", "file_change")
    return [item.get("id", "")] * is_call, [""] * (is_call and record["type"] == "item.completed")


def events(record: Any) -> Parts:
    """A call is asked for and begun under one id, which may be used again; `count` tells."""
    kind, data = record["type"], record["data"]
    asked = [""] * len(data.get("toolRequests", ())) if kind == "assistant.message" else []
    begun = [data["toolCallId"]] if kind == "tool.execution_start" else []
    return asked + begun, [""] * (kind == "tool.execution_complete")


def messages(record: Any) -> Parts:
    calls = len(record.get("tool_calls", ())) + (record.get("type") == "function_call")
    return [""] * calls, [""] * (record.get("role") == "tool" or record.get("type") == "function_call_output")


def steps(record: Any) -> Parts:
    return [""] * len(record.get("tool_calls", ())), [""] * len(record.get("observation", {}).get("results", ()))


def spans(record: Any) -> Parts:
    is_call = str(record.get("name", "")).startswith("execute_tool ")
    return [""] * is_call, [""] * is_call


PARTS: dict[str, Callable[[Any], Parts]] = {
    "anthropic-messages": blocks,
    "atif": steps,
    "claude-code": blocks,
    "codex": rollout,
    "codex-exec": exec_items,
    "copilot": events,
    "openai-chat": messages,
    "openai-responses": messages,
    "otel": spans,
}


def count(folder: str, path: Path) -> Raw:
    found, unread = values(path)
    calls = results = total = 0
    types: Counter[str] = Counter()
    twice: set[str] = set()
    asked: Counter[str] = Counter()
    for value in found:
        for record in records(folder, value):
            total += 1
            made, answered = PARTS[folder](record)
            if folder == "copilot" and record["type"] == "assistant.message":
                asked.update(request["toolCallId"] for request in record["data"].get("toolRequests", ()))
            if folder == "copilot" and record["type"] == "tool.execution_start" and asked[made[0]]:
                asked[made[0]] = 0
                made = ["already asked for"]
                twice.add(made[0])
            calls += sum(identifier == "" or identifier not in twice for identifier in made)
            twice.update(identifier for identifier in made if identifier)
            results += len(answered)
            if not made and not answered:
                role = record.get("role", record.get("source")) if "type" not in record else record["type"]
                types[str(role)] += 1
    return Raw(calls, results, total, unread, types)


def command(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-B", "-m", "toolreplay", *words], input=stdin, capture_output=True, check=False
    )


def check(path: Path, name: str, folder: str) -> str:
    """Check one file; return a line on it."""
    wanted = FORMATS[folder]
    if name in REFUSED:
        for asked in (wanted, "auto"):
            ended = command("convert", str(path), "--from", asked)
            expected = (2, b"", f"error: {path}: {REFUSED[name]}\n")
            assert (ended.returncode, ended.stdout, ended.stderr.decode()) == expected, ended
        return "refused"
    found = toolreplay.read_session(path, "auto")
    assert found.format == wanted, found.format
    counts, raw = found.counts, count(folder, path)
    assert counts.calls + counts.duplicate_calls == raw.calls, (counts, raw)
    answered = counts.calls - counts.without_result
    assert answered + counts.orphan_results + counts.duplicate_results == raw.results, (counts, raw)
    assert counts.records == raw.records, (counts, raw)
    assert counts.unread == raw.unread_lines, (counts, raw)
    types: Counter[str] = Counter()
    for kind, number in counts.ignored:
        types[kind.split("/")[0]] += number
    if folder == "otel":
        types, raw = Counter({"None": types.total()}), raw._replace(types=Counter({"None": raw.types.total()}))
    assert types == raw.types, (types, raw.types)

    first, second = (command("convert", str(path), "--from", asked) for asked in (wanted, "auto"))
    assert (first.returncode, second.returncode) == (0, 0), (first, second)
    assert first.stdout == second.stdout == b"".join(found.lines)
    assert len(list(toolreplay.read_records(first.stdout.splitlines(keepends=True)))) == counts.calls
    sealed = command("seal", "-", stdin=first.stdout)
    assert sealed.returncode == 0, sealed
    if counts.calls:
        verified = command("verify", "-", stdin=sealed.stdout)
        assert verified.stdout == b"chain: intact\n", verified
    return f"{wanted}: {counts.calls} calls, {answered} with a result, {counts.records} records, {counts.unread} unread"


def main() -> None:
    sessions = Path(sys.argv[1])
    files = sorted(path for path in sessions.rglob("*.json*") if not path.name.endswith(".meta.json"))
    names = {path.relative_to(sessions).as_posix() for path in files}
    assert set(REFUSED) <= names, "a file that has to be refused is not there"
    for path in files:
        name = path.relative_to(sessions).as_posix()
        print(f"{name}: {check(path, name, name.split('/')[0])}")
    folders = {name.split("/")[0] for name in names}
    assert folders == set(FORMATS), folders ^ set(FORMATS)
    print(f"{len(files)} files")


main()
