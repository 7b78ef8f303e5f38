"""The entry point as the image starts it, in a checkout and an environment that try to get code of their own run."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT, SAMPLES

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
TRAP = 'open({ran!r}, "a").write(__name__ + "\\n")\n'
MODULES = (
    "sitecustomize usercustomize startup __main__ toolreplay/__init__ toolreplay/__main__ toolreplay/action"
    " json argparse hashlib os re typing site posixpath collections/__init__ fnmatch tempfile"
)
WATCHED = """
import sys
sys.path.insert(0, sys.argv[1])
from toolreplay.action import main
seen = set()
WATCH = ("open", "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "ctypes.")
sys.addaudithook(lambda event, _: seen.add(event) if event.startswith(WATCH) else None)
code = main()
print("seen:", sorted(seen))
raise SystemExit(code)
"""
PROGRAMS = ("git", "python", "python3", "sh", "env")


@unittest.skipUnless(os.name == "posix", "the image is Linux")
class Isolation(unittest.TestCase):
    def setUp(self) -> None:
        self.parent = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.ran = self.parent / "ran"
        self.image = self.parent / "opt" / "toolreplay"
        shutil.copytree(ROOT / "toolreplay", self.image / "toolreplay", ignore=shutil.ignore_patterns("__pycache__"))
        start = re.search(r"printf '(.*)' >/opt/toolreplay/__main__\.py", DOCKERFILE)
        self.assertIsNotNone(start)
        text = start[1].replace("\\n", "\n") if start else ""
        (self.image / "__main__.py").write_text(text, encoding="utf-8")
        self.workspace = self.parent / "workspace"
        self._make_checkout()

    def _make_checkout(self) -> None:
        shutil.copytree(SAMPLES, self.workspace)
        trap = TRAP.format(ran=str(self.ran))
        for module in MODULES.split():
            path = self.workspace / f"{module}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(trap, encoding="utf-8")
        (self.workspace / "x.pth").write_text(f"import sys; {trap}", encoding="utf-8")
        programs = self.workspace / "bin"
        programs.mkdir()
        for name in PROGRAMS:
            (programs / name).write_text(f"#!/bin/sh\necho $0 >>'{self.ran}'\n", encoding="utf-8")
            (programs / name).chmod(0o755)

    def poisoned(self) -> dict[str, str]:
        here = str(self.workspace)
        return {
            "PATH": f"{self.workspace / 'bin'}{os.pathsep}{here}",
            "HOME": here,
            "PYTHONPATH": here,
            "PYTHONSTARTUP": str(self.workspace / "startup.py"),
            "PYTHONINSPECT": "1",
            "PYTHONUSERBASE": here,
            "PYTHONWARNINGS": "error::json.Nothing",
            "PYTHONBREAKPOINT": "json.x",
            "PYTHONIOENCODING": "latin-1",
            "PYTHONVERBOSE": "1",
            "PYTHONPROFILEIMPORTTIME": "1",
            "PYTHONDEBUG": "1",
            "PYTHONINTMAXSTRDIGITS": "640",
            "PYTHONPYCACHEPREFIX": here,
            "PYTHONOPTIMIZE": "2",
        }

    def start(self, environment: dict[str, str], *words: str) -> tuple[int, bytes, bytes, str]:
        output, summary = self.parent / "output", self.parent / "summary"
        output.write_bytes(b"")
        finished = subprocess.run(
            [sys.executable, *words],
            cwd=self.workspace,
            env={
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "INPUT_FILES": "session-*.jsonl\nnone",
                "INPUT_SCOPE": "scope.json",
                **environment,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        written = re.sub("toolreplay-[0-9a-f]{32}", "DELIMITER", output.read_text(encoding="utf-8"))
        return finished.returncode, finished.stdout, finished.stderr, written

    def test_the_image_starts_python_isolated_on_a_fixed_path(self) -> None:
        self.assertIn('\nENTRYPOINT ["/usr/bin/python3", "-I", "/opt/toolreplay"]\n', DOCKERFILE)
        self.assertNotRegex(DOCKERFILE, r"(?m)^(USER|CMD|SHELL|ENV|WORKDIR) ")

    def test_nothing_of_the_checkout_runs(self) -> None:
        clean = self.start({}, "-I", str(self.image))
        self.assertEqual(clean[0], 2)
        self.assertIn(b"file: session-dirty.jsonl\n", clean[1])
        self.assertEqual(clean[2], b"error: input 'files': 'none' matches no file\n")
        self.assertIn("verdict<<DELIMITER\nerror\nDELIMITER\n", clean[3])
        self.assertEqual(self.start(self.poisoned(), "-I", str(self.image)), clean)
        self.assertFalse(self.ran.exists())

    def test_no_program_is_run_and_no_connection_opened(self) -> None:
        code, out, err, _ = self.start({}, "-I", "-c", WATCHED, str(self.image))
        self.assertEqual((code, err), (2, b"error: input 'files': 'none' matches no file\n"))
        self.assertIn(b"file: session-dirty.jsonl\n", out)
        self.assertTrue(out.endswith(b"\nseen: ['open']\n"), out)

    def test_the_traps_work(self) -> None:
        self.start({"PYTHONPATH": str(self.workspace)}, "-m", "toolreplay")
        self.assertTrue(self.ran.exists())
        self.ran.unlink()
        self.start({}, "-c", "import argparse")
        self.assertTrue(self.ran.exists())


if __name__ == "__main__":
    unittest.main()
