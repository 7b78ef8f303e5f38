"""`action.yml`, code and documents name the same inputs and outputs, and the errors that are explained exist."""

import os
import re
import shutil
import subprocess
import unittest

from action_metadata import section
from action_support import ActionTest
from documents import blocks, read
from runner import outputs_in
from support import ROOT, SAMPLES

from toolreplay.action_inputs import INPUTS
from toolreplay.action_outputs import OUTPUTS

GUIDE = read(ROOT / "docs" / "github-action.md")


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading."""
    under = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in under.split("\n") if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


class Names(unittest.TestCase):
    def test_inputs(self) -> None:
        entries = section("inputs")
        code = [(entry.name, entry.default) for entry in INPUTS]
        self.assertEqual([(entry.name, entry.keys.get("default", '""').strip('"')) for entry in entries], code)
        documented = [(row[0].strip("`"), row[2].strip("`")) for row in table("Inputs")]
        self.assertEqual(documented, code)

    def test_outputs(self) -> None:
        names = list(OUTPUTS)
        self.assertEqual([entry.name for entry in section("outputs")], names)
        self.assertEqual([row[0].strip("`") for row in table("Outputs")], names)

    def test_metadata_of_inputs(self) -> None:
        for entry in section("inputs"):
            with self.subTest(entry.name):
                self.assertIn(entry.keys["required"], ("true", "false"))
                self.assertEqual("default" in entry.keys, entry.keys["required"] == "false")
                default = entry.keys.get("default", '""')
                self.assertRegex(default, '^".*"$')
                if default != '""':
                    self.assertIn(f"default is `{default.strip(chr(34))}`", entry.description)

    def test_descriptions_are_sentences(self) -> None:
        for entry in [*section("inputs"), *section("outputs")]:
            self.assertRegex(entry.description, r"^[A-Z`].*\.$")

    def test_examples_use_inputs_that_exist(self) -> None:
        names = {entry.name for entry in INPUTS}
        used = set()
        for block in blocks(GUIDE):
            steps = re.split(r"^ *- ", "\n".join(block.lines), flags=re.MULTILINE)
            for step in steps:
                if "uses: org/toolreplay@v0" in step:
                    used.update(re.findall(r"^ +([a-z-]+):", step.split("with:")[1], re.MULTILINE))
        self.assertIn("files", used)
        self.assertEqual(used - names, set())


OF_BASE = {row[0] for row in table("When it fails") if row[0].startswith(("`no commit", "`not in a git"))}
"""Errors that only the comparison with a commit can have; `test_action_base` has them."""


class Errors(ActionTest):
    def test_errors_that_are_explained_exist(self) -> None:
        self.write("data.jsonl", '{"extra": 1}')
        self.write("run.sealed.jsonl", "")
        self.write("stripped/run.sealed.jsonl", (SAMPLES / "session-clean.jsonl").read_bytes())
        self.write("sessions/a.jsonl", "")
        inputs = [
            {"files": "*.jsonl\nsessions\n**/*.json"},
            {"files": ""},
            {"files": "x", "FAIL_ON": "any"},
            {"files": "x", "fail-on": "all"},
        ]
        if os.name == "posix":
            os.symlink(ROOT / "README.md", "link.jsonl")
        seen = []
        for given in inputs:
            seen += self.act({f"INPUT_{name.upper()}": value for name, value in given.items()}).err.splitlines()
        os.chdir("stripped")
        seen += self.act(files="*").err.splitlines()
        explained = [f"error: {row[0].strip('`')}" for row in table("When it fails") if row[0] not in OF_BASE]
        if os.name != "posix":
            explained.remove("error: link.jsonl: leads out of the workspace")
        self.assertEqual(sorted(explained), sorted(seen))


@unittest.skipIf(shutil.which("git") is None, "git is not installed")
@unittest.skipIf(shutil.which("bash") is None or os.name != "posix", "bash is not installed")
@unittest.skipIf(shutil.which("openssl") is None, "openssl is not installed")
class ChangedFiles(ActionTest):
    def git(self, *words: str) -> str:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    def test_the_script_lists_what_changed(self) -> None:
        self.git("init", "--quiet")
        for name in ("old.jsonl", "gone.jsonl", "renamed.jsonl", "same.jsonl"):
            self.write(name, "")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "base")
        base = self.git("rev-parse", "HEAD")
        self.write("old.jsonl", "\n")
        self.write("sub/qo\u02bbshiq.jsonl", "")
        self.write("a b.jsonl", "")
        self.write("x.txt", "")
        self.write("verdict=clean.jsonl", "")
        os.unlink("gone.jsonl")
        os.rename("renamed.jsonl", "new name.jsonl")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "change")
        blocks_with_script = [block for block in blocks(GUIDE) if any("core.quotePath" in line for line in block.lines)]
        lines = blocks_with_script[0].lines
        start = lines.index("        run: |") + 1
        script = []
        for line in lines[start:]:
            if not line.startswith("          "):
                break
            script.append(line.strip(" "))
        output = self.parent / "changed"
        output.write_bytes(b"")
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(script)],
            env={**os.environ, "BASE": base, "GITHUB_OUTPUT": str(output)},
            check=True,
        )
        files = outputs_in(output.read_text(encoding="utf-8"))["files"]
        changed = ["a b.jsonl", "new name.jsonl", "old.jsonl", "sub/qo\u02bbshiq.jsonl", "verdict=clean.jsonl"]
        self.assertEqual(sorted(files.split("\n")), changed)
        self.assertEqual(self.act(files=files).outputs["files"], str(len(changed)))


if __name__ == "__main__":
    unittest.main()
