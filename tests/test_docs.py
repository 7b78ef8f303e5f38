"""Every document says what the program does: its commands are run, its outputs compared, its links followed."""

import contextlib
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

from console import Terminal, agrees, steps
from documents import anchors, blocks, documents, links, prose, read
from support import ROOT

from toolreplay.engine.canonical import loads

DOCUMENTS = documents()
NAMES = {path: path.relative_to(ROOT).as_posix() for path in DOCUMENTS}

# How the first line of a block of commands that can't be run here begins, in the languages of the documents.
NOT_RUN = ("# not run by the tests: ", "# testlarda ishga tushirilmaydi: ", "# ٹیسٹ اسے نہیں چلاتے: ")

LANGUAGES = {"console", "python", "json", "jsonl", "yaml", "sh", "text", "toml", "html"}
"""Languages of blocks. ``text`` is for what is neither typed nor printed by a command."""

NEEDED = ("git", "node", "pre-commit", "sed", "sha256sum", "ssh-keygen")
"""Programs that some documents use and some machines lack."""

# The suite does not start itself.
THIS_RUN = "python -m unittest discover -s tests"


class Commands(unittest.TestCase):
    @unittest.skipIf(sys.platform == "win32", "the commands of the documents are for a POSIX shell")
    def test_every_command_prints_what_is_shown(self) -> None:
        ran = 0
        for path in DOCUMENTS:
            with self.subTest(NAMES[path]):
                ran += self.follow(path)
        self.assertGreater(ran, 5)

    def follow(self, path: Path) -> int:
        """Run all that a document shows, in its order, and return how many commands that were."""
        ran = 0
        typed = " ".join(
            step.command for block in blocks(read(path)) if block.language == "console" for step in steps(block.lines)
        )
        for program in NEEDED:
            if program in re.findall(r"[\w-]+", typed) and shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")
        with contextlib.ExitStack() as stack:
            terminal: Terminal | None = None
            for block in blocks(read(path)):
                if block.language not in ("console", "python"):
                    continue
                if terminal is None:
                    terminal = Terminal(Path(stack.enter_context(tempfile.TemporaryDirectory())))
                if block.language == "python":
                    terminal.python("\n" * block.line + "\n".join(block.lines))
                    continue
                for step in steps(block.lines):
                    ran += 1
                    place = f"{NAMES[path]}:{block.line + step.line}: $ {step.command}"
                    printed = [] if step.command == THIS_RUN else terminal.run(step.command)
                    if not agrees(step.shown, printed):
                        hint = "; run: python docs/make_help.py" if step.command.endswith(" --help") else ""
                        self.assertEqual(step.shown, printed, place + hint)
        return ran

    def test_blocks_say_what_they_are(self) -> None:
        for path in DOCUMENTS:
            for block in blocks(read(path)):
                place = f"{NAMES[path]}:{block.line}"
                self.assertIn(block.language, LANGUAGES, place)
                if block.language == "sh":
                    self.assertTrue(
                        block.lines[0].startswith(NOT_RUN),
                        f"{place}: make it a console block, which is run, or begin it with '{NOT_RUN[0]}REASON'",
                    )
                if block.language == "text":
                    hidden = [line for line in block.lines if line.startswith(("$ ", "error: "))]
                    self.assertEqual(hidden, [], f"{place}: make it a console block, which is run")

    def test_tables_are_whole(self) -> None:
        for path in DOCUMENTS:
            lines = ["", *prose(read(path)).split("\n"), ""]
            for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
                if line.startswith("|") and not before.startswith("|"):
                    columns = len(re.findall(r"(?<!\\)\|", line))
                    self.assertEqual(after.count("| ---"), columns - 1, f"{NAMES[path]}: no head of a table: {line}")

    def test_json_is_json(self) -> None:
        for path in DOCUMENTS:
            for block in blocks(read(path)):
                if block.language in ("json", "jsonl"):
                    texts = ["\n".join(block.lines)] if block.language == "json" else block.lines
                    with self.subTest(f"{NAMES[path]}:{block.line}"):
                        for text in texts:
                            loads(text.encode())

    def test_yaml_is_yaml(self) -> None:
        try:
            import yaml  # type: ignore[import-untyped, unused-ignore]  # stubs are not worth a dependency
        except ImportError:
            self.skipTest("PyYAML is not installed")
        for path in DOCUMENTS:
            for block in blocks(read(path)):
                if block.language == "yaml":
                    with self.subTest(f"{NAMES[path]}:{block.line}"):
                        self.assertIsInstance(yaml.safe_load("\n".join(block.lines)), dict | list)


class Links(unittest.TestCase):
    def test_every_link_inside_the_repository_resolves(self) -> None:
        followed = 0
        for path in DOCUMENTS:
            for target in links(read(path)):
                if not re.match(r"[a-z]+:", target):
                    self.follow(path, target)
                    followed += 1
        self.assertGreater(followed, 10)

    def follow(self, path: Path, target: str) -> None:
        file, _, anchor = target.partition("#")
        found = (path.parent / unquote(file)).resolve() if file else path
        self.assertTrue(found.exists(), f"{NAMES[path]}: no file: {target}")
        self.assertTrue(found.is_relative_to(ROOT), f"{NAMES[path]}: outside the repository: {target}")
        if anchor and found.suffix == ".md":
            self.assertIn(unquote(anchor), anchors(read(found)), f"{NAMES[path]}: no heading: {target}")

    def test_every_document_is_reached_from_the_readme(self) -> None:
        reached, ahead = set(), [ROOT / "README.md"]
        while ahead:
            path = ahead.pop()
            if path in reached:
                continue
            reached.add(path)
            for target in links(read(path)):
                found = (path.parent / unquote(target.partition("#")[0])).resolve()
                if found.suffix == ".md" and found.is_file():
                    ahead.append(found)
        missed = {NAMES[path] for path in DOCUMENTS if path not in reached and ".github" not in path.parts}
        self.assertEqual(missed, set(), "no document that README.md leads to links to these")

    def test_documents_name_no_place_of_this_machine(self) -> None:
        for path in DOCUMENTS:
            self.assertNotRegex(prose(read(path)), r"/(?:work|root|tmp|home/\w+)/", NAMES[path])


class Picture(unittest.TestCase):
    def test_it_is_current(self) -> None:
        sys.path.insert(0, str(ROOT / "docs"))
        try:
            import make_chain_svg  # type: ignore[import-not-found, unused-ignore]  # of the folder docs
        finally:
            sys.path.remove(str(ROOT / "docs"))
        current = (ROOT / "docs" / "chain.svg").read_text(encoding="utf-8")
        self.assertEqual(make_chain_svg.sample(), current, "run: python docs/make_chain_svg.py")

    def test_it_shows_the_published_digests(self) -> None:
        drawn = (ROOT / "docs" / "chain.svg").read_text(encoding="utf-8")
        digests = re.findall(r"^\| \d \| `([0-9a-f]{64})` \|$", read(ROOT / "docs" / "format.md"), re.MULTILINE)
        self.assertEqual(len(digests), 6)
        for digest in digests[:-1]:
            self.assertEqual(drawn.count(digest[:8]), 2, digest)  # as a digest and as the next link's prev
        self.assertEqual(drawn.count(digests[-1][:8]), 1)


if __name__ == "__main__":
    unittest.main()
