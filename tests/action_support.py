"""Running the action's entry point as the runner would, in this process."""

import io
import json
import os
import re
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from unittest import TestCase, mock

from runner import Command, commands_in, lines_of, outputs_in

from toolreplay.action import main

LABELS = re.compile(
    r"(file|calls|divergence|findings|chain|first broken link|expected|found|index \d+|error|note"
    r"|base|sealed files|removal allowed|seal-removed|seal-rewritten|seal-truncated|seal-broken): "
    r"|::(error|warning) title="
)
"""How each line that is printed begins."""

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|##\\[")


class ActionRun(NamedTuple):
    """How a run of the action ended."""

    code: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str
    commands: list[Command]


class ActionTest(TestCase):
    """A test that runs the action in a workspace of its own, which is the current folder."""

    def setUp(self) -> None:
        self.parent = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.workspace = self.parent / "workspace"
        self.workspace.mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.workspace)
        self.output_file = self.parent / "output"
        self.summary_file = self.parent / "summary"

    def act(self, environment: dict[str, str] | None = None, /, **inputs: str) -> ActionRun:
        """Run the action with these inputs, a ``_`` in their names for a ``-``; check what holds for every run."""
        given = {f"INPUT_{name.upper().replace('_', '-')}": value for name, value in inputs.items()}
        self.output_file.write_bytes(b"")
        self.summary_file.write_bytes(b"")
        files = {"GITHUB_OUTPUT": str(self.output_file), "GITHUB_STEP_SUMMARY": str(self.summary_file)}
        out, err = io.BytesIO(), io.BytesIO()
        with ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, {**files, **given, **(environment or {})}, clear=True))
            stack.enter_context(mock.patch.object(sys, "stdout", io.TextIOWrapper(out)))
            stack.enter_context(mock.patch.object(sys, "stderr", io.TextIOWrapper(err)))
            code = main()
            printed, complained = out.getvalue(), err.getvalue()
        self._is_inert(printed + complained)
        self.assertEqual(commands_in(complained), [])
        written = self.output_file.read_bytes().decode()
        return ActionRun(
            code,
            printed.decode(),
            complained.decode(),
            outputs_in(written),
            self.summary_file.read_text(encoding="utf-8"),
            commands_in(printed),
        )

    def _is_inert(self, printed: bytes) -> None:
        self.assertTrue(printed == b"" or printed.endswith(b"\n"))
        for line in lines_of(printed):
            self.assertRegex(line, LABELS)
            self.assertNotRegex(line, _CONTROL)

    def write(self, path: str, data: bytes | str) -> None:
        """Write a file of the workspace."""
        target = self.workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)


def outputs(
    verdict: str,
    code: int,
    files: int,
    calls: int,
    findings: int,
    report: str = "",
    heads: dict[str, str] | None = None,
) -> dict[str, str]:
    """Return what the outputs of a run should be."""
    return {
        "verdict": verdict,
        "exit-code": str(code),
        "files": str(files),
        "calls": str(calls),
        "findings": str(findings),
        "report": report,
        "heads": json.dumps(heads or {}),
    }
