"""What the tests share: running the command line in this process or in one of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from toolreplay.cli import main

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
ROOT_USER = hasattr(os, "geteuid") and os.geteuid() == 0


class Outcome(NamedTuple):
    """How a run ended: exit code, stdout and stderr as text."""

    code: int
    out: str
    err: str


def run(*words: str, stdin: bytes = b"") -> Outcome:
    """Run a command line in this process."""
    out, err = io.BytesIO(), io.BytesIO()
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))))
        stack.enter_context(mock.patch.object(sys, "stdout", io.TextIOWrapper(out)))
        stack.enter_context(mock.patch.object(sys, "stderr", io.TextIOWrapper(err)))
        code = main(words)
        return Outcome(code, out.getvalue().decode(), err.getvalue().decode())


def spawn(
    *words: str, stdin: bytes = b"", cwd: Path = ROOT, env: Mapping[str, str] | None = None, **environment: str
) -> Outcome:
    """Run ``python -m toolreplay`` in a process of its own, with some variables of its environment set."""
    finished = subprocess.run(
        [sys.executable, "-m", "toolreplay", *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {}), **environment},
        check=False,
    )
    return Outcome(finished.returncode, finished.stdout.decode(), finished.stderr.decode())


def call(index: object, tool: object = "search", args: object = None, response: object = None) -> bytes:
    """Return one line of a transcript, with its end."""
    record = {"index": index, "tool": tool, "args": args or {}, "response": response or {}}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def session(*calls: tuple[str, object, object]) -> bytes:
    """Return a transcript of calls, each given as tool, args, response."""
    return b"".join(call(index, *each) for index, each in enumerate(calls))


@contextmanager
def without_rights() -> Iterator[None]:
    """Be nobody for a while: the rules of permission do not hold for root."""
    if not ROOT_USER:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
