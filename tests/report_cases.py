"""The runs whose reports are kept as golden files, one for each format.

``PYTHONPATH=. python tests/report_cases.py`` writes them: to be read over, line by line, before they are committed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support import SAMPLES, Outcome, run

from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import read_records

GOLDEN = Path(__file__).resolve().parent / "golden"
SUFFIXES = {"json": "json", "sarif": "sarif", "junit": "xml"}

DIRTY = (SAMPLES / "session-dirty.jsonl").read_bytes()
SEALED = b"".join(link.line for link in seal(read_records(DIRTY.splitlines())))

HOSTILE_NAMES = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "javascript:alert(1)",
    "\u202egnp.exe",
    "##[error]x",
    "::error::x",
    "]]>&amp;<!--",
    "[click](https://example.test) {0} {1}",
    "\ud83d \x00\x0b\x1b[2J\r\n::set-output name=x::y",
    "\ufffe\uffff\U0001fffe",
    "متن اردو\u200cمتن",
    "x" * 1000,
]


def call(index: int, tool: str) -> bytes:
    """Return the line of a call without arguments."""
    from toolreplay.engine.canonical import dumps

    return dumps({"index": index, "tool": tool, "args": {}, "response": {}}) + b"\n"


FILES = {
    "clean.jsonl": (SAMPLES / "session-clean.jsonl").read_bytes(),
    "dirty.jsonl": DIRTY,
    "scope.json": (SAMPLES / "scope.json").read_bytes(),
    "good.sealed.jsonl": SEALED,
    "broken.sealed.jsonl": SEALED.replace(b'"hits":3', b'"hits":4'),
    "torn.jsonl": DIRTY[:-10],
    "sub dir/ünï & co's.jsonl": b"".join(call(index, "a") for index in range(2)),
    "hostile.jsonl": b"".join(call(2 * at + more, name) for at, name in enumerate(HOSTILE_NAMES) for more in (0, 1)),
    "baseline.json": b"",
}

MANY = [
    "sub dir/ünï & co's.jsonl",
    "clean.jsonl",
    "dirty.jsonl",
    "good.sealed.jsonl",
    "broken.sealed.jsonl",
    "torn.jsonl",
]

CASES = {
    "clean": (0, ["replay", "clean.jsonl"]),
    "dirty": (1, ["replay", "dirty.jsonl"]),
    "scope": (1, ["scope", "dirty.jsonl", "scope.json"]),
    "intact": (0, ["verify", "good.sealed.jsonl"]),
    "broken": (1, ["verify", "broken.sealed.jsonl"]),
    "unreadable": (2, ["check", "torn.jsonl", "missing.jsonl"]),
    "many": (
        2,
        ["check", "--scope=scope.json", "--fail-on=permission-overreach", "--baseline=baseline.json", *MANY],
    ),
    "hostile": (1, ["check", "hostile.jsonl"]),
}
ERRORS = {
    "unreadable": "error: missing.jsonl: no such file or directory\n"
    "error: torn.jsonl:6: not JSON: the text ends inside a string at column 77\n",
    "many": "error: torn.jsonl:6: not JSON: the text ends inside a string at column 77\n",
}


@contextmanager
def workspace() -> Iterator[Path]:
    """Make the files in a folder of their own and go there."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        for path, data in FILES.items():
            file = Path(name, path)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        os.chdir(name)
        try:
            # Of what the baseline knows, one finding is there and one is not.
            run("check", "--write-baseline=baseline.json", "--mutator=search", "dirty.jsonl")
            known = Path("baseline.json").read_text(encoding="utf-8")
            Path("baseline.json").write_text(known.replace('"fingerprint": "7', '"fingerprint": "8'), encoding="utf-8")
            yield Path(name)
        finally:
            os.chdir(before)


def report(case: str, format_: str) -> Outcome:
    """Make one report; to be called in the workspace."""
    return run(*CASES[case][1][:1], "--output-format", format_, *CASES[case][1][1:])


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    with workspace():
        for case in CASES:
            for format_, suffix in SUFFIXES.items():
                (GOLDEN / f"{case}.{suffix}").write_bytes(report(case, format_).out.encode())
            from test_page import without_parts

            (GOLDEN / f"{case}.html").write_bytes(without_parts(report(case, "html").out).encode())
