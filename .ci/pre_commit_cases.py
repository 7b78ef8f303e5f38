"""The hooks with the real pre-commit (and prek), in real repositories, installed from a clone of the project.

Usage: pre_commit_cases.py CLONE FOLDER, with pre-commit and prek beside the interpreter. CLONE has the tag v0.6.0.
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

CLONE, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
TOOLS = Path(sys.executable).parent
SAMPLES = CLONE / "samples"
CLEAN = (SAMPLES / "session-clean.jsonl").read_bytes()
DIRTY = (SAMPLES / "session-dirty.jsonl").read_bytes()
SCOPE = (SAMPLES / "scope.json").read_bytes()

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))} | {
    "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
    "PRE_COMMIT_HOME": str(FOLDER / "pre-commit-home"),
    "PREK_HOME": str(FOLDER / "prek-home"),
    "PRE_COMMIT_COLOR": "never",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "LC_ALL": "C.UTF-8",
}


class Ended(NamedTuple):
    """How a command ended: its exit code, and all that it said."""

    code: int
    said: str


def run(*words: str | bytes, cwd: Path = FOLDER, stdin: bytes = b"", **environment: str) -> Ended:
    done = subprocess.run(
        words,
        cwd=cwd,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=ENVIRONMENT | environment,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode("utf-8", "backslashreplace"))


def must(*words: str | bytes, cwd: Path = FOLDER, stdin: bytes = b"") -> str:
    ended = run(*words, cwd=cwd, stdin=stdin)
    assert ended.code == 0, (words, ended)
    return ended.said


OURS = (
    sys.executable,
    "-I",
    "-c",
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from toolreplay.cli import main; raise SystemExit(main())",
    str(CLONE),
)
"""The program out of the clone itself, to compare with and to make sealed files."""


def sealed(transcript: bytes) -> bytes:
    return must(*OURS, "seal", "-", stdin=transcript).encode()


SEALED = sealed(DIRTY)
GROWN = sealed(DIRTY + b'{"index":6,"tool":"list_dir","args":{},"response":{}}\n')
RESEALED = sealed(DIRTY.replace(b'"hits": 3', b'"hits": 4'))
EDITED = SEALED.replace(b'"hits":3', b'"hits":4')

HOOKS = {"toolreplay": "", "toolreplay-scope": "[--scope, scope.json, --]", "toolreplay-guard": ""}


def config(hooks: dict[str, str], more: str = "") -> bytes:
    lines = ["repos:", f"- repo: file://{CLONE}", "  rev: v0.6.0", "  hooks:"]
    for name, args in hooks.items():
        lines.append(f"  - id: {name}")
        if args:
            lines.append(f"    args: {args}")
        if more:
            lines.append(f"    {more}")
    return "\n".join([*lines, ""]).encode()


class Project:
    """A repository of somebody who uses the hooks."""

    made = 0

    def __init__(self, hooks: dict[str, str] = HOOKS, more: str = "", runner: str = "pre-commit") -> None:
        Project.made += 1
        self.folder = FOLDER / f"project-{Project.made}"
        self.folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.write({".pre-commit-config.yaml": config(hooks, more), "scope.json": SCOPE})
        must(runner, "install", "-t", "pre-commit", "-t", "pre-merge-commit", cwd=self.folder)

    def git(self, *words: str | bytes, stdin: bytes = b"") -> str:
        return must("git", *words, cwd=self.folder, stdin=stdin)

    def write(self, files: dict[str | bytes, bytes]) -> None:
        for name, content in files.items():
            path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        self.git("add", "--all")

    def commit(self, *words: str) -> Ended:
        return run("git", "commit", "--message=x", *words, cwd=self.folder)

    def run(self, *words: str) -> Ended:
        return run("pre-commit", "run", *words, cwd=self.folder)


class Case(unittest.TestCase):
    def passes(self, ended: Ended, hooks: int = 0) -> None:
        self.assertEqual(ended.code, 0, ended.said)
        self.assertNotIn("Failed", ended.said)
        if hooks:
            self.assertEqual(ended.said.count("Passed"), hooks, ended.said)

    def fails(self, ended: Ended, *texts: str) -> None:
        self.assertNotEqual(ended.code, 0, ended.said)
        self.assertIn("Failed", ended.said)
        for text in texts:
            self.assertIn(text, ended.said)


class Files(Case):
    def test_clean(self) -> None:
        project = Project()
        project.write({"session.jsonl": CLEAN, "agents/run.sealed.jsonl": sealed(CLEAN), "data.jsonl": b"[]\n"})
        self.passes(project.commit(), hooks=3)

    def test_nothing_of_ours(self) -> None:
        project = Project()
        ended = project.commit()
        self.passes(ended, hooks=1)
        self.assertEqual(ended.said.count("no files to check"), 2)

    def test_findings(self) -> None:
        for name, content, text in (
            (
                "session.jsonl",
                DIRTY,
                "\nindex 2: redundant-call: tool 'read_file' repeats the identical call at index 1",
            ),
            ("session.jsonl", DIRTY, "\nindex 5: non-determinism: tool 'search' returned a different response"),
            ("session.jsonl", DIRTY, "\nindex 4: permission-overreach: tool 'write_file' is not in the declared scope"),
            ("run.sealed.jsonl", EDITED, "\nchain: broken\nfirst broken link: index 3\n"),
            ("session.jsonl", CLEAN + b"{}\n", "\nerror: session.jsonl:5: missing field"),
            ("session.jsonl", CLEAN + b"\0\n", "\nerror: session.jsonl:5: not JSON"),
            ("run.sealed.jsonl", CLEAN, "\nerror: run.sealed.jsonl:1: the name says sealed"),
            ("run.sealed.jsonl", b"", "\nerror: run.sealed.jsonl: the name says sealed"),
        ):
            with self.subTest(text):
                project = Project()
                project.write({name: content})
                self.fails(project.commit(), text, f"\nfile: {name}\n" if "error" not in text else "")

    def test_what_is_staged_counts(self) -> None:
        project = Project()
        project.write({"session.jsonl": DIRTY})
        path = project.folder / "session.jsonl"
        path.write_bytes(CLEAN)
        self.fails(project.commit(), "non-determinism")
        self.assertEqual(path.read_bytes(), CLEAN)
        project.git("add", "session.jsonl")
        path.write_bytes(DIRTY)
        self.passes(project.commit(), hooks=3)
        self.assertEqual(path.read_bytes(), DIRTY)

    def test_many_files_in_several_calls(self) -> None:
        project = Project({"toolreplay": ""})
        names = [f"transcripts/{'x' * 180}-{number:04}.jsonl" for number in range(900)]
        self.assertGreater(sum(map(len, names)), 128 * 1024)
        project.write({name: DIRTY if number % 300 == 7 else CLEAN for number, name in enumerate(names)})
        ended = project.run("--all-files")
        whole = run(*OURS, "check", "--", *names, cwd=project.folder)
        self.assertEqual(whole.code, 1)
        self.fails(ended, "\n- exit code: 1\n")
        reports = ended.said.split("- exit code: 1\n\n", 1)[1]
        self.assertEqual([line for line in reports.splitlines() if line], whole.said.splitlines())

    def test_a_scope_must_be_named(self) -> None:
        project = Project({"toolreplay-scope": ""})
        project.write({"session.jsonl": CLEAN})
        self.fails(project.commit(), "error: this hook needs a scope file: write  args: [--scope, FILE, --]\n")

    def test_options_must_be_ended(self) -> None:
        project = Project({"toolreplay": "[--fail-on, none]"})
        project.write({"session.jsonl": CLEAN})
        self.fails(project.commit(), "error: hook: '--fail-on' looks like an option", "args: [--scope, scope.json, --]")

    def test_names_switch_nothing_off(self) -> None:
        hooks = {"toolreplay": "", "toolreplay-scope": HOOKS["toolreplay-scope"]}
        names = {
            "--help": "--help",
            "--version": "--version",
            "--exclude=*": "--exclude=*",
            "--fail-on=none": "--fail-on=none",
            "-": "-",
            "--": "--",
            "a b": "a b",
            "a\nb": "a\\nb",
            "::error::x": "::error::x",
            "ж": "ж",
        }
        for order in (CLEAN, DIRTY), (DIRTY, CLEAN):
            with self.subTest(order[0][:20]):
                project = Project(hooks, "files: ^(?!scope|\\.pre)")
                others, those = order
                project.write({**dict.fromkeys(names, those), "session.jsonl": others})
                ended = project.commit()
                self.fails(ended)
                for shown in names.values():
                    self.assertEqual(ended.said.count(f"\nfile: {shown}\n"), 2, ended.said)
                self.assertEqual(ended.said.count("non-determinism"), 2 * (len(names) if those is DIRTY else 1))

    def test_names_that_are_no_text_block_the_commit(self) -> None:
        project = Project()
        project.write({b"session-\xff.jsonl": CLEAN})
        self.assertNotEqual(project.commit().code, 0)

    def test_a_link_to_elsewhere_is_refused(self) -> None:
        project = Project({"toolreplay": ""})
        (project.folder / "session.jsonl").symlink_to("/etc/passwd")
        project.git("add", "--all")
        self.fails(project.commit(), "error: session.jsonl: leads out of the workspace")

    def test_nothing_of_the_repository_is_imported(self) -> None:
        project = Project()
        trap = b"raise SystemExit(0)\n"
        project.write(
            {f"{name}.py": trap for name in ("json", "hashlib", "sitecustomize", "usercustomize", "encodings")}
        )
        project.write({"toolreplay/__init__.py": trap, "toolreplay/cli.py": trap, "git": b"#!/bin/sh\n"})
        project.write({"session.jsonl": DIRTY, "run.sealed.jsonl": EDITED})
        # Not by a commit: git starts pre-commit itself with `python -m`, which does import from the repository.
        self.fails(project.run(), "non-determinism", "chain: broken", "seal-broken")


class Guard(Case):
    def setUp(self) -> None:
        self.project = Project()
        self.project.write({"run.sealed.jsonl": SEALED, "other.sealed.jsonl": sealed(CLEAN)})
        must("git", "commit", "--quiet", "--no-verify", "--message=x", cwd=self.project.folder)
        self.path = self.project.folder / "run.sealed.jsonl"

    def guard_alone(self, args: str = "") -> None:
        """Commit a configuration without the other hooks, for which these files have findings of their own."""
        self.project.write({".pre-commit-config.yaml": config({"toolreplay-guard": args})})
        must("git", "commit", "--quiet", "--no-verify", "--message=x", cwd=self.project.folder)

    def test_growing_passes(self) -> None:
        self.guard_alone()
        self.project.write({"run.sealed.jsonl": GROWN})
        self.passes(self.project.commit(), hooks=1)

    def test_losses(self) -> None:
        lines = SEALED.splitlines(keepends=True)
        for name, content, text in (
            ("cut", b"".join(lines[:4]), "seal-truncated: run.sealed.jsonl: keeps index 0 to 3, lacks index 4 to 5\n"),
            ("emptied", b"", "seal-truncated: run.sealed.jsonl: keeps no link, lacks index 0 to 5\n"),
            (
                "sealed again",
                RESEALED,
                "seal-rewritten: run.sealed.jsonl: first link that differs: index 3, expected 40aa",
            ),
            ("another chain", sealed(CLEAN), "seal-rewritten: run.sealed.jsonl: first link that differs: index 2"),
            ("edited", EDITED, "seal-broken: run.sealed.jsonl: first broken link: index 3, expected 34d19a9d"),
            ("stripped", DIRTY, "seal-broken: run.sealed.jsonl: line 1: a record of a transcript"),
        ):
            with self.subTest(name):
                self.project.write({"run.sealed.jsonl": content})
                self.fails(self.project.commit(), "- hook id: toolreplay-guard", f"\n{text}")

    def test_removed(self) -> None:
        self.path.unlink()
        self.project.git("add", "--all")
        self.fails(self.project.commit(), "\nseal-removed: run.sealed.jsonl: is not in the index; it had 6 links\n")

    def test_a_removal_that_is_allowed(self) -> None:
        self.guard_alone("[--allow-removal, run.sealed.jsonl]")
        self.path.unlink()
        self.project.git("add", "--all")
        self.passes(self.project.commit(), hooks=1)

    def test_renamed(self) -> None:
        self.guard_alone()
        self.project.git("mv", "run.sealed.jsonl", "kept.jsonl")
        self.passes(self.project.commit(), hooks=1)
        self.project.git("mv", "kept.jsonl", "kept.txt")
        self.fails(self.project.commit(), "\nseal-removed: kept.jsonl: is not in the index; it had 6 links\n")

    def test_replaced_by_a_link(self) -> None:
        self.project.git("mv", "run.sealed.jsonl", "kept.jsonl")
        self.path.symlink_to("kept.jsonl")
        self.project.git("add", "--all")
        self.fails(self.project.commit(), "\nseal-removed: run.sealed.jsonl: is a symbolic link in the index")

    def test_mode_changed(self) -> None:
        self.guard_alone()
        self.path.chmod(0o755)
        self.project.git("add", "--all")
        self.passes(self.project.commit(), hooks=1)

    def test_what_is_staged_counts(self) -> None:
        self.guard_alone()
        self.project.write({"run.sealed.jsonl": SEALED.splitlines(keepends=True)[0]})
        self.path.write_bytes(SEALED)
        self.fails(self.project.commit(), "seal-truncated")
        self.assertEqual(self.path.read_bytes(), SEALED)
        self.project.git("add", "--all")
        self.path.unlink()
        self.passes(self.project.commit("--allow-empty"), hooks=1)

    def test_a_commit_of_some_paths_has_an_index_of_its_own(self) -> None:
        self.guard_alone()
        self.project.write({"run.sealed.jsonl": b"", "README": b""})
        self.passes(self.project.commit("--", "README"), hooks=1)
        self.fails(self.project.commit("--", "run.sealed.jsonl"), "seal-truncated")
        self.fails(self.project.commit("--all"), "seal-truncated")

    def test_a_merge(self) -> None:
        self.guard_alone()
        self.project.git("checkout", "--quiet", "-b", "branch")
        self.project.write({"run.sealed.jsonl": GROWN})
        self.passes(self.project.commit(), hooks=1)
        self.project.git("checkout", "--quiet", "main")
        merge = ("git", "merge", "--no-edit", "--no-ff")
        self.fails(run(*merge, "--strategy=ours", "branch", cwd=self.project.folder), "seal-truncated")
        self.project.git("reset", "--quiet", "--hard")
        self.passes(run(*merge, "branch", cwd=self.project.folder), hooks=1)


class Runners(Case):
    def test_manifest(self) -> None:
        for runner in ("pre-commit", "prek"):
            self.passes(run(runner, "validate-manifest", str(CLONE / ".pre-commit-hooks.yaml")))

    def test_try_repo(self) -> None:
        project = Project()
        project.write({"session.jsonl": DIRTY})
        ended = run("pre-commit", "try-repo", str(CLONE), "toolreplay", "--files", "session.jsonl", cwd=project.folder)
        self.fails(ended, "non-determinism")
        ended = run("pre-commit", "try-repo", str(CLONE), "toolreplay-guard", cwd=project.folder)
        self.passes(ended, hooks=1)

    def test_prek(self) -> None:
        project = Project(runner="prek")
        project.write({"session.jsonl": CLEAN, "--help.session.jsonl": CLEAN, "run.sealed.jsonl": sealed(CLEAN)})
        self.passes(project.commit(), hooks=3)
        project.write({"session.jsonl": DIRTY, "--help.session.jsonl": DIRTY, "run.sealed.jsonl": b""})
        ended = project.commit()
        self.fails(ended, "non-determinism", "permission-overreach", "file: --help.session.jsonl")
        self.fails(ended, "seal-truncated: run.sealed.jsonl: keeps no link, lacks index 0 to 3")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
