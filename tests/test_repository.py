"""What the guard makes of every state that a git repository can be in, and of what an attacker can put there."""

import os
import stat
import unittest
from contextlib import chdir
from pathlib import Path
from unittest import mock

from repositories import GIT, RepositoryTest, Scratch, sealed
from support import Outcome, run, spawn

from toolreplay.engine.errors import InputError
from toolreplay.git import Git, git_of_the_image
from toolreplay.guard import guard

THREE = b"".join(sealed("a", "b", "c"))
FOUR = b"".join(sealed("a", "b", "c", "d"))
FORK = b"".join(sealed("a", "b", "c", "x"))
CUT = b"".join(sealed("a", "b"))
P = b"run.jsonl"

IMAGE_HAS_GIT = Path("/usr/bin/git").exists()
IS_CUT = "seal-truncated: run.jsonl: keeps index 0 to 1, lacks index 2\n"


def report(base: str, files: int, *findings: str) -> Outcome:
    text = f"base: {base}\nsealed files: {files}\nfindings: {len(findings)}\n{''.join(findings)}"
    return Outcome(1 if findings else 0, text, "")


def error(text: str) -> Outcome:
    return Outcome(2, "", f"error: {text}\n")


class Commits(RepositoryTest):
    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.folder / "repository")

    def test_nothing_committed_yet(self) -> None:
        self.assertEqual(self.scratch.guard(), report("none", 0))
        self.scratch.stage({P: THREE})
        self.assertEqual(self.scratch.guard(), report("none", 1))
        self.scratch.stage({P: THREE + b"[]\n"})
        broken = "seal-broken: run.jsonl: line 4: not an object but an array\n"
        self.assertEqual(self.scratch.guard(), report("none", 1, broken))

    def test_a_branch_without_a_past(self) -> None:
        self.scratch.commit({P: THREE})
        self.scratch.git("checkout", "--quiet", "--orphan", "fresh")
        self.scratch.stage({P: CUT})
        self.assertEqual(self.scratch.guard(), report("none", 1))

    def test_a_damaged_head_is_not_taken_for_none(self) -> None:
        self.scratch.commit({P: THREE})
        for damage in ("garbage", "0" * 39 + "1", ""):
            with self.subTest(damage):
                (self.scratch.folder / ".git" / "refs" / "heads" / "main").write_text(damage)
                self.assertEqual(
                    self.scratch.guard(), error("HEAD names no commit that is here; git fsck may tell why")
                )

    def test_base(self) -> None:
        first = self.scratch.commit({P: THREE})
        self.scratch.git("tag", "--annotate", "--message=x", "v1")
        second = self.scratch.commit({P: CUT})
        self.assertEqual(self.scratch.guard(), report(second, 1))
        for base in (first, first[:12], "v1", "HEAD~1", "HEAD^"):
            with self.subTest(base):
                self.assertEqual(self.scratch.guard("--base", base), report(first, 1, IS_CUT))
                self.assertEqual(self.scratch.guard(f"--base={base}"), report(first, 1, IS_CUT))

    def test_a_base_that_is_not_here(self) -> None:
        self.scratch.commit({P: THREE})
        tree = self.scratch.git("rev-parse", "HEAD^{tree}")
        for base in (
            "v2",
            "",
            "-x",
            "--all",
            "--git-dir",
            "HEAD:run.jsonl",
            tree,
            "f" * 40,
            "a\0b",
            "a b",
            "..",
        ):
            with self.subTest(base):
                shown = base.replace("\0", "\\u0000")
                self.assertEqual(
                    self.scratch.guard(f"--base={base}"), error(f"no commit '{shown}' here; fetch it first")
                )

    def test_a_base_that_stands_for_none(self) -> None:
        self.scratch.commit({P: THREE})
        zeros = "0" * 40
        new = f"no commit '{zeros}' here; a branch that is new has no commit before it"
        self.assertEqual(self.scratch.guard("--base", zeros), error(new))

    def test_a_base_that_a_shallow_clone_lacks(self) -> None:
        first = self.scratch.commit({P: THREE})
        second = self.scratch.commit({P: FOUR})
        self.scratch.git("clone", "--quiet", "--depth=1", f"file://{self.scratch.folder}", "../shallow")
        with chdir(self.folder / "shallow"):
            advice = "the clone is shallow: check out with fetch-depth: 0, or run git fetch --unshallow"
            self.assertEqual(run("guard", "--base", first), error(f"no commit '{first}' here; {advice}"))
            self.assertEqual(run("guard", "--base", second), report(second, 1))

    def test_allowed_removals(self) -> None:
        base = self.scratch.commit({P: THREE, b"a b.jsonl": FOUR, b"c.jsonl": FOUR})
        self.scratch.stage({P: None, b"a b.jsonl": None, b"c.jsonl": CUT})
        gone = "seal-removed: {}: is not in the index; it had {} links\n"
        lost = "seal-truncated: c.jsonl: keeps index 0 to 1, lacks index 2 to 3\n"
        self.assertEqual(
            self.scratch.guard("--allow-removal", "run.jsonl", "--allow-removal=c.jsonl"),
            (
                1,
                f"base: {base}\nsealed files: 3\nremoval allowed: run.jsonl\nfindings: 2\n"
                + gone.format("a b.jsonl", 4)
                + lost,
                "",
            ),
        )
        both = ("--allow-removal", "run.jsonl", "--allow-removal", "a b.jsonl")
        self.scratch.stage({b"c.jsonl": FOUR})
        self.assertEqual(
            self.scratch.guard(*both),
            (
                0,
                f"base: {base}\nsealed files: 3\nremoval allowed: a b.jsonl\nremoval allowed: run.jsonl\nfindings: 0\n",
                "",
            ),
        )
        for near in ("RUN.jsonl", "./run.jsonl", "*.jsonl", "run.jsonl/", ""):
            with self.subTest(near):
                found = report(base, 3, gone.format("a b.jsonl", 4), gone.format("run.jsonl", 3))
                self.assertEqual(self.scratch.guard(f"--allow-removal={near}"), found)

    def test_a_removal_is_allowed_only_of_what_is_gone(self) -> None:
        base = self.scratch.commit({P: THREE})
        self.scratch.stage({P: b"elsewhere"}, "120000")
        link = "seal-removed: run.jsonl: is a symbolic link in the index; it had 3 links\n"
        self.assertEqual(self.scratch.guard("--allow-removal=run.jsonl"), report(base, 1, link))


class Merges(RepositoryTest):
    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.folder / "repository")
        self.root = self.scratch.commit({P: THREE})

    def branch(self, content: bytes) -> str:
        """Make a commit on the first one and go back to main."""
        self.scratch.git("checkout", "--quiet", "--force", "--detach", self.root)
        made = self.scratch.commit({P: content, b"other": content})
        self.scratch.git("checkout", "--quiet", "--force", "main")
        return made

    def test_each_parent_counts(self) -> None:
        head = self.scratch.commit({b"own": b""})
        merged = self.branch(FOUR)
        self.scratch.git("merge", "--quiet", "--no-commit", "--no-ff", merged)
        both = f"{head}\nbase: {merged}"
        self.assertEqual(self.scratch.guard(), report(both, 1))
        self.scratch.stage({P: THREE})
        lost = "seal-truncated: run.jsonl: keeps index 0 to 2, lacks index 3\n"
        self.assertEqual(self.scratch.guard(), report(both, 1, lost))
        self.assertEqual(self.scratch.guard("--base", "HEAD"), report(head, 1))

    def test_both_have_grown(self) -> None:
        head = self.scratch.commit({P: FOUR})
        merged = self.branch(FORK)
        self.scratch.git("merge", "--quiet", "--no-commit", "--strategy=ours", merged)
        outcome = self.scratch.guard()
        self.assertEqual(outcome.code, 1)
        self.assertIn("\nfindings: 1\nseal-rewritten: run.jsonl: first link that differs: index 3, ", outcome.out)
        self.scratch.stage({b"run-of-the-branch.jsonl": FORK})
        self.assertEqual(self.scratch.guard(), report(f"{head}\nbase: {merged}", 2))

    def test_what_is_not_merged_yet(self) -> None:
        self.scratch.commit({P: FOUR})
        merged = self.branch(FORK)
        with self.assertRaises(AssertionError):
            self.scratch.git("merge", "--quiet", merged)
        self.assertEqual(self.scratch.guard(), error("run.jsonl: is not merged; resolve the conflict first"))

    def test_several_are_merged(self) -> None:
        head = self.scratch.commit({b"own": b""})
        merged = [self.branch(FOUR), self.branch(FORK)]
        (self.scratch.folder / ".git" / "MERGE_HEAD").write_text("".join(f"{name}\n" for name in merged))
        outcome = self.scratch.guard()
        self.assertEqual(outcome.code, 1)
        self.assertEqual(outcome.out.splitlines()[:3], [f"base: {name}" for name in (head, *merged)])

    def test_what_git_tells_the_hook_of_a_merge(self) -> None:
        head = self.scratch.commit({b"own": b""})
        merged = self.branch(FOUR)
        with mock.patch.dict(os.environ, {f"GITHEAD_{merged}": "branch"}):
            lost = "seal-truncated: run.jsonl: keeps index 0 to 2, lacks index 3\n"
            self.assertEqual(self.scratch.guard(), report(f"{head}\nbase: {merged}", 1, lost))

    def test_a_hook_of_git_merge_sees_what_is_merged(self) -> None:
        head = self.scratch.commit({b"own": b""})
        merged = self.branch(FOUR)
        hook = self.scratch.folder / ".git" / "hooks" / "pre-merge-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nenv > seen\n")
        hook.chmod(0o755)
        self.scratch.git("merge", "--quiet", "--no-edit", merged)
        self.assertIn(f"GITHEAD_{merged}=", (self.scratch.folder / "seen").read_text())
        self.assertNotIn(head, (self.scratch.folder / "seen").read_text())

    def test_a_list_of_merged_commits_that_is_no_file(self) -> None:
        (self.scratch.folder / ".git" / "MERGE_HEAD").mkdir()
        self.assertEqual(self.scratch.guard(), error("MERGE_HEAD can't be read"))

    def test_a_merge_of_what_is_not_here(self) -> None:
        (self.scratch.folder / ".git" / "MERGE_HEAD").write_text("--all\n")
        self.assertEqual(self.scratch.guard(), error("no commit '--all' here; fetch it first"))


class Entries(RepositoryTest):
    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.folder / "repository")
        self.base = self.scratch.commit({P: THREE})

    def test_its_mode_may_change(self) -> None:
        self.scratch.stage({P: THREE}, "100755")
        self.assertEqual(self.scratch.guard(), report(self.base, 1))

    def test_a_symbolic_link_in_its_place(self) -> None:
        self.scratch.stage({P: b"copy.jsonl"}, "120000")
        link = "seal-removed: run.jsonl: is a symbolic link in the index; it had 3 links\n"
        self.assertEqual(self.scratch.guard(), report(self.base, 1, link))
        self.scratch.stage({b"copy.jsonl": THREE})
        self.assertEqual(self.scratch.guard(), report(self.base, 2, link))

    def test_a_symbolic_link_whose_target_reads_like_a_chain(self) -> None:
        self.scratch.stage({P: THREE}, "120000")
        link = "seal-removed: run.jsonl: is a symbolic link in the index; it had 3 links\n"
        self.assertEqual(self.scratch.guard(), report(self.base, 1, link))
        self.assertEqual(
            self.scratch.guard("--base", self.scratch.commit()), report(self.scratch.git("rev-parse", "HEAD"), 0)
        )

    def test_a_submodule_in_its_place(self) -> None:
        self.scratch.git("update-index", "--cacheinfo", f"160000,{self.base},run.jsonl")
        found = "seal-removed: run.jsonl: is a submodule in the index; it had 3 links\n"
        self.assertEqual(self.scratch.guard(), report(self.base, 1, found))

    def test_submodules_are_left_alone(self) -> None:
        self.scratch.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub.jsonl")
        self.assertEqual(self.scratch.guard(), report(self.base, 1))
        base = self.scratch.commit()
        self.scratch.git("config", "submodule.recurse", "true")
        self.assertEqual(self.scratch.guard(), report(base, 1))

    def test_a_path_that_git_was_only_told_of(self) -> None:
        (self.scratch.folder / "new.jsonl").write_bytes(THREE)
        self.scratch.stage({P: None})
        self.scratch.git("add", "--intent-to-add", "new.jsonl")
        gone = "seal-removed: run.jsonl: is not in the index; it had 3 links\n"
        self.assertEqual(self.scratch.guard(), report(self.base, 1, gone))

    def test_names(self) -> None:
        names = (
            b"--help.jsonl",
            b"a b\n.jsonl",
            b"\xff\xfe.jsonl",
            b"\xed\xb3\xbf.jsonl",
            "ü/ж.jsonl".encode(),
            b'"q\\t.jsonl',
            b"\t.jsonl",
        )
        base = self.scratch.commit(dict.fromkeys(names, THREE))
        self.assertEqual(self.scratch.guard(), report(base, 8))
        self.scratch.stage(dict.fromkeys(names, CUT))
        shown = (
            '"q\\\\t.jsonl',
            "--help.jsonl",
            "\\t.jsonl",
            "a b\\n.jsonl",
            "ü/ж.jsonl",
            "\\udced\\udcb3\\udcbf.jsonl",
            "\\udcff\\udcfe.jsonl",
        )
        lost = [f"seal-truncated: {name}: keeps index 0 to 1, lacks index 2\n" for name in shown]
        outcome = self.scratch.guard()
        self.assertEqual(sorted(outcome.out.splitlines()[3:]), sorted(line.strip() for line in lost))

    @unittest.skipIf(os.name == "nt", "a command line of Windows is text")
    def test_an_allowed_removal_of_a_name_that_is_no_text(self) -> None:
        base = self.scratch.commit({b"\xff.jsonl": THREE})
        self.scratch.stage({b"\xff.jsonl": None})
        outcome = self.scratch.guard("--allow-removal", os.fsdecode(b"\xff.jsonl"))
        allowed = f"base: {base}\nsealed files: 2\nremoval allowed: \\udcff.jsonl\nfindings: 0\n"
        self.assertEqual(outcome, (0, allowed, ""))

    @unittest.skipIf(os.name == "nt", "Windows has one encoding")
    def test_the_locale_changes_nothing(self) -> None:
        base = self.scratch.commit({"ж.jsonl".encode(): THREE, "ü.jsonl".encode(): THREE})
        self.scratch.stage({"ж.jsonl".encode(): None, "ü.jsonl".encode(): CUT})
        words = ("guard", "--allow-removal", "ж.jsonl")
        expected = (
            f"base: {base}\nsealed files: 3\nremoval allowed: ж.jsonl\nfindings: 1\n"
            "seal-truncated: ü.jsonl: keeps index 0 to 1, lacks index 2\n"
        )
        self.assertEqual(self.scratch.guard(*words[1:]), (1, expected, ""))
        outcome = spawn(*words, cwd=self.scratch.folder, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
        self.assertEqual(outcome, (1, expected, ""))

    def test_much_other_data(self) -> None:
        noise = b"x" * 3_000_000
        base = self.scratch.commit({b"a.jsonl": noise, b"b.jsonl": b'{"a":1}\n' + noise, b"s.jsonl": FOUR})
        self.scratch.stage({b"a.jsonl": noise + b"y", b"s.jsonl": THREE})
        lost = "seal-truncated: s.jsonl: keeps index 0 to 2, lacks index 3\n"
        self.assertEqual(self.scratch.guard(), report(base, 2, lost))


class Layouts(RepositoryTest):
    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.folder / "repository")
        self.base = self.scratch.commit({P: THREE, b"sub/b.jsonl": FOUR})
        self.found = report(self.base, 2, IS_CUT)

    def test_the_work_tree_is_not_read(self) -> None:
        (self.scratch.folder / "run.jsonl").write_bytes(CUT)
        self.assertEqual(self.scratch.guard(), report(self.base, 2))
        self.scratch.git("add", "run.jsonl")
        (self.scratch.folder / "run.jsonl").write_bytes(THREE)
        self.assertEqual(self.scratch.guard(), self.found)

    def test_a_subfolder(self) -> None:
        self.scratch.stage({P: CUT})
        (self.scratch.folder / "sub").mkdir()
        with chdir(self.scratch.folder / "sub"):
            self.assertEqual(run("guard"), self.found)

    def test_a_worktree_has_its_own_index(self) -> None:
        self.scratch.git("worktree", "add", "--quiet", "../tree")
        self.scratch.stage({P: CUT})
        with chdir(self.folder / "tree"):
            self.assertEqual(run("guard"), report(self.base, 2))
        self.assertEqual(self.scratch.guard(), self.found)

    def test_another_index(self) -> None:
        index = str(self.folder / "index")
        self.scratch.git("read-tree", "HEAD", GIT_INDEX_FILE=index)
        self.scratch.stage({P: CUT})
        with mock.patch.dict(os.environ, {"GIT_INDEX_FILE": index}):
            self.assertEqual(self.scratch.guard(), report(self.base, 2))

    def test_another_repository_by_the_environment(self) -> None:
        self.scratch.stage({P: CUT})
        place = {"GIT_DIR": str(self.scratch.folder / ".git"), "GIT_WORK_TREE": str(self.scratch.folder)}
        with mock.patch.dict(os.environ, place), chdir(self.folder):
            self.assertEqual(run("guard"), self.found)

    def test_a_split_index(self) -> None:
        self.scratch.git("update-index", "--split-index")
        self.scratch.stage({P: CUT})
        self.assertEqual(self.scratch.guard(), self.found)

    def test_a_sparse_index(self) -> None:
        self.scratch.git("sparse-checkout", "set", "--cone", "--sparse-index", "none")
        self.scratch.stage({P: CUT})
        self.assertEqual(self.scratch.guard(), self.found)

    def test_objects_with_longer_ids(self) -> None:
        scratch = Scratch(self.folder / "long", "--object-format=sha256")
        (scratch.folder / "run.jsonl").write_bytes(THREE)
        scratch.git("add", ".")
        base = scratch.commit()
        (scratch.folder / "run.jsonl").write_bytes(CUT)
        scratch.git("add", ".")
        self.assertEqual((len(base), scratch.guard()), (64, report(base, 1, IS_CUT)))

    def test_packed_objects(self) -> None:
        self.scratch.stage({P: CUT})
        self.scratch.git("gc", "--quiet")
        self.assertEqual(self.scratch.guard(), self.found)

    def test_a_bare_repository(self) -> None:
        self.scratch.git("clone", "--quiet", "--bare", ".", "../bare")
        with chdir(self.folder / "bare"):
            self.assertEqual(run("guard"), error("a bare repository has no index to compare with a commit"))

    def test_no_repository(self) -> None:
        with chdir(self.folder), mock.patch.dict(os.environ, {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}):
            self.assertEqual(run("guard"), error("not in a git repository, or in one that git can't read"))

    @unittest.skipUnless(IMAGE_HAS_GIT, "no git where the image has it")
    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "only root can give a folder away")
    def test_a_repository_of_another_user(self) -> None:
        self.scratch.stage({P: CUT})
        os.chown(self.scratch.folder, 65534, 65534)
        refused = (
            "git does not read this repository, since it belongs to another user; "
            "git config --global --add safe.directory FOLDER allows it"
        )
        self.assertEqual(self.scratch.guard(), error(refused))
        with chdir(self.scratch.folder):
            result = guard(git_of_the_image(str(self.scratch.folder.resolve())))
        self.assertEqual([finding.kind for finding in result.findings], ["seal-truncated"])


@unittest.skipIf(os.name == "nt", "the programs are shell scripts")
class Failing(RepositoryTest):
    """A git that does not do what it should: never a pass, always one line."""

    def guarded_by(self, script: str) -> str:
        """Return what goes wrong with a git that runs a script in place of `cat-file`."""
        scratch = Scratch(self.folder / "repository")
        scratch.commit({P: THREE, b"s.jsonl": FOUR})
        program = self.folder / "git"
        program.write_text(f'#!/bin/sh\ncase "$*" in\n*cat-file*) {script};;\n*) exec "{GIT}" "$@";;\nesac\n')
        program.chmod(0o755)
        with chdir(scratch.folder), self.assertRaises(InputError) as caught:
            guard(Git(str(program), os.environ))
        return str(caught.exception)

    def test_it_can_not_be_started(self) -> None:
        with self.assertRaises(InputError) as caught:
            guard(Git(str(self.folder / "git"), os.environ))
        self.assertEqual(str(caught.exception), "git could not be started")

    def test_it_ends(self) -> None:
        failed = "git cat-file failed; git fsck may tell why"
        for script in (
            "exit 0",
            "exec false",
            "read name; exit 0",
            "read name; echo; exec sleep 9",
            'read name; printf "%s blob 90\\n" "$name"; exit 0',
            'read name; printf "%s blob 90\\nab\\n" "$name"; exit 0',
            'read name; printf "%s blob 90\\nab" "$name"; exit 0',
        ):
            with self.subTest(script):
                self.assertEqual(self.guarded_by(script), failed)

    def test_it_has_something_else(self) -> None:
        for script in ('printf "%s tree 9\\n" "$name"', 'echo "$name missing"', "echo fatal: x"):
            with self.subTest(script):
                said = self.guarded_by(f"read name; {script}")
                self.assertRegex(said, "^git can't read the object [0-9a-f]{40}: the clone is partial or damaged; ")


class Hostile(RepositoryTest):
    """What a repository or an environment can bring along, and what must not come of it."""

    def setUp(self) -> None:
        super().setUp()
        self.scratch = Scratch(self.folder / "repository")
        self.base = self.scratch.commit({P: THREE})
        self.ran = self.folder / "ran"
        self.program = self.folder / "program"
        self.program.write_text(f"#!/bin/sh\necho ran >> '{self.ran}'\n")
        self.program.chmod(0o755)

    def config(self, **values: str) -> None:
        for name, value in values.items():
            self.scratch.git("config", name.replace("_", "."), value)

    def test_nothing_that_the_repository_names_is_run(self) -> None:
        program = str(self.program)
        self.config(
            core_fsmonitor=program,
            core_hooksPath=str(self.folder),
            core_pager=program,
            core_sshCommand=program,
            core_editor=program,
            diff_external=program,
            diff_x_textconv=program,
            filter_x_clean=program,
            filter_x_smudge=program,
            filter_x_process=program,
            gpg_program=program,
        )
        for command in ("rev-parse", "ls-tree", "ls-files", "cat-file", "symbolic-ref"):
            self.scratch.git("config", f"alias.{command}", f"!{program}")
        for hook in ("post-index-change", "post-checkout", "reference-transaction"):
            (self.folder / hook).write_text(self.program.read_text())
            (self.folder / hook).chmod(0o755)
        (self.scratch.folder / ".gitattributes").write_text("*.jsonl diff=x filter=x\n")
        (self.scratch.folder / ".git" / "info").mkdir()
        (self.scratch.folder / ".git" / "info" / "attributes").write_text("*.jsonl diff=x filter=x\n")
        self.assertEqual(self.scratch.guard(), report(self.base, 1))
        self.assertFalse(self.ran.exists())

    def test_a_missing_object_is_not_fetched_and_does_not_pass(self) -> None:
        self.config(
            core_repositoryformatversion="1",
            extensions_partialClone="origin",
            remote_origin_url=str(self.scratch.folder),
            remote_origin_promisor="true",
            remote_origin_uploadpack=str(self.program),
            protocol_file_allow="always",
        )
        name = self.scratch.git("rev-parse", "HEAD:run.jsonl")
        (self.scratch.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
        missing = f"git can't read the object {name}: the clone is partial or damaged; fetch it first"
        self.assertEqual(self.scratch.guard(), error(missing))
        self.assertFalse(self.ran.exists())

    def test_a_damaged_object_does_not_pass(self) -> None:
        self.scratch.stage({b"long.jsonl": b"".join(sealed(*(f"{number}" for number in range(2000))))})
        name = self.scratch.git("rev-parse", ":long.jsonl")
        path = self.scratch.folder / ".git" / "objects" / name[:2] / name[2:]
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        path.write_bytes(path.read_bytes()[:50_000])
        self.assertEqual(self.scratch.guard(), error("git cat-file failed; git fsck may tell why"))

    def test_a_damaged_index_or_tree_does_not_pass(self) -> None:
        tree = self.scratch.git("rev-parse", "HEAD^{tree}")
        (self.scratch.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
        self.assertEqual(self.scratch.guard(), error("git ls-tree failed; git fsck may tell why"))
        self.scratch = Scratch(self.folder / "second")
        self.scratch.commit({P: THREE})
        (self.scratch.folder / ".git" / "index").write_bytes(b"DIRC")
        self.assertEqual(self.scratch.guard(), error("git ls-files failed; git fsck may tell why"))

    def test_replaced_objects(self) -> None:
        old, new = (self.scratch.git("hash-object", "-w", "--stdin", stdin=content) for content in (THREE, CUT))
        self.scratch.stage({P: CUT})
        self.scratch.git("replace", old, new)
        self.assertEqual(self.scratch.guard(), report(self.base, 1, IS_CUT))
        self.scratch.git("replace", "--delete", old)
        self.scratch.git("replace", new, old)
        self.assertEqual(self.scratch.guard(), report(self.base, 1, IS_CUT))

    def test_replaced_commits(self) -> None:
        cut = self.scratch.commit({P: CUT})
        self.scratch.git("replace", self.base, cut)
        self.assertEqual(self.scratch.guard("--base", self.base), report(self.base, 1, IS_CUT))

    def test_a_repository_that_insists_on_what_it_replaced(self) -> None:
        cut = self.scratch.commit({P: CUT})
        self.scratch.git("replace", self.base, cut)
        old, new = (self.scratch.git("hash-object", "-w", "--stdin", stdin=content) for content in (THREE, CUT))
        self.scratch.git("replace", old, new)
        self.config(core_useReplaceRefs="true")
        self.assertEqual(self.scratch.guard("--base", self.base), report(self.base, 1, IS_CUT))

    def test_a_work_tree_that_is_elsewhere(self) -> None:
        self.config(core_worktree=str(self.folder))
        self.scratch.stage({P: CUT})
        self.assertEqual(self.scratch.guard(), report(self.base, 1, IS_CUT))

    def test_variables_of_git(self) -> None:
        self.scratch.stage({P: CUT})
        program = str(self.program)
        hostile = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.fsmonitor",
            "GIT_CONFIG_VALUE_0": program,
            "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{program}'",
            "GIT_EXTERNAL_DIFF": program,
            "GIT_PAGER": program,
            "GIT_SSH_COMMAND": program,
            "GIT_EXEC_PATH": str(self.folder),
            "GIT_REPLACE_REF_BASE": "refs/heads/",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_NAMESPACE": "other",
            "GIT_PREFIX": "sub/",
            "GIT_TRACE": "1",
            "GIT_TRACE2_EVENT": str(self.ran),
            "GIT_DEFAULT_HASH": "sha256",
        }
        with mock.patch.dict(os.environ, hostile):
            self.assertEqual(self.scratch.guard(), report(self.base, 1, IS_CUT))
        self.assertFalse(self.ran.exists())

    def test_a_git_in_the_current_folder_is_not_run(self) -> None:
        fake = self.scratch.folder / "git"
        fake.write_text(self.program.read_text())
        fake.chmod(0o755)
        search = os.environ["PATH"]
        for path in (f".{os.pathsep}{search}", f"{os.pathsep}{search}", f"./{os.pathsep}{search}"):
            with self.subTest(path), mock.patch.dict(os.environ, {"PATH": path}):
                self.assertEqual(self.scratch.guard(), report(self.base, 1))
        with mock.patch.dict(os.environ, {"PATH": "."}):
            missing = "git is not installed, or not in an absolute folder of the search path"
            self.assertEqual(self.scratch.guard(), error(missing))
        self.assertFalse(self.ran.exists())

    @unittest.skipUnless(IMAGE_HAS_GIT, "no git where the image has it")
    def test_the_image_takes_nothing_from_its_environment(self) -> None:
        self.scratch.stage({P: CUT})
        fake = self.folder / "git"
        fake.write_text(self.program.read_text())
        fake.chmod(0o755)
        home = self.folder / ".gitconfig"
        home.write_text(f"[core]\n\tfsmonitor = {self.program}\n")
        hostile = {
            "PATH": str(self.folder),
            "HOME": str(self.folder),
            "GIT_CONFIG_GLOBAL": str(home),
            "GIT_INDEX_FILE": str(self.folder / "nothing"),
            "GIT_DIR": str(self.folder),
        }
        with mock.patch.dict(os.environ, hostile), chdir(self.scratch.folder):
            result = guard(git_of_the_image(str(Path.cwd())))
        self.assertEqual([finding.kind for finding in result.findings], ["seal-truncated"])
        self.assertFalse(self.ran.exists())


if __name__ == "__main__":
    unittest.main()
