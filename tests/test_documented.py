"""Whatever a user can type or meet is documented: commands, options, inputs, outputs, hooks, findings, formats."""

import re
import unittest
from collections.abc import Iterator
from pathlib import Path

from console import steps
from documents import Block, blocks, documents, prose, read
from support import ROOT

import toolreplay
from toolreplay.cli import COMMANDS, command_named
from toolreplay.engine import growth
from toolreplay.engine.findings import KINDS
from toolreplay.exit_codes import CLEAN, COULD_NOT_RUN, FINDINGS, INTERRUPTED, READER_GONE

DOCS = ROOT / "docs"
RIGHT_TO_LEFT = '<div dir="rtl">'
TRANSLATIONS = (DOCS / "README.uz.md", DOCS / "README.ur.md")


def typed(path: Path) -> set[str]:
    """Return the commands that a document shows."""
    found = (step.command for block in blocks(read(path)) if block.language == "console" for step in steps(block.lines))
    return set(found)


def keys_of(path: Path, section: str) -> list[str]:
    """Return the keys right below a top-level section of a YAML file of ours."""
    text = re.split(rf"(?m)^{section}:$", read(path))[1]
    text = re.split(r"(?m)^\S", text)[0]
    return re.findall(r"(?m)^  ([\w-]+):", text)


def hook_ids() -> list[str]:
    return re.findall(r"(?m)^- id: ([\w-]+)$", read(ROOT / ".pre-commit-hooks.yaml"))


def yaml_blocks() -> Iterator[tuple[str, Block]]:
    for path in documents():
        for block in blocks(read(path)):
            if block.language == "yaml":
                yield f"{path.name}:{block.line}", block


class Reference(unittest.TestCase):
    def test_commands(self) -> None:
        shown = typed(DOCS / "commands.md")
        text = read(DOCS / "commands.md")
        for name in COMMANDS:
            self.assertRegex(text, rf"(?m)^## {name}$")
            self.assertTrue(any(command.startswith(f"toolreplay {name}") for command in shown), name)

    def test_options(self) -> None:
        text = read(DOCS / "commands.md")
        for name in COMMANDS:
            section = re.split(rf"(?m)^## {name}$", text)[1].partition("\n## ")[0]
            if f"$ toolreplay {name} --help" in section:
                continue  # the help is run and compared and lists them all; that of hook is an error, see below
            for option in command_named(name).options:
                self.assertIn(option.name, section, name)

    def test_options_of_the_hook(self) -> None:
        section = re.split(r"(?m)^## hook$", read(DOCS / "commands.md"))[1].partition("\n## ")[0]
        told = re.search(r"options of `check` but for (.*), and (.*), with which", " ".join(section.split()))
        assert told is not None
        check, hook = ({option.name for option in command_named(name).options} for name in ("check", "hook"))
        self.assertEqual(set(re.findall(r"`([^`]+)`", told[1])), check - hook)
        self.assertEqual(set(re.findall(r"`([^`]+)`", told[2])), hook - check)

    def test_api(self) -> None:
        text = read(DOCS / "python.md")
        for name in toolreplay.__all__:
            self.assertRegex(text, rf"(?m)^\|.*`{name}`", name)
            fields = getattr(getattr(toolreplay, name), "_fields", ())
            row = next((line for line in text.split("\n") if re.match(rf"\|[^|]*`{name}`[^|]*\|", line)), "")
            if name not in ("Counts", "Imported"):
                self.assertEqual([field for field in fields if f"`{field}`" not in row], [], name)

    def test_exit_codes(self) -> None:
        text = read(DOCS / "commands.md")
        for code in (CLEAN, FINDINGS, COULD_NOT_RUN, INTERRUPTED, READER_GONE):
            self.assertRegex(text, rf"\b{code}\b")

    def test_findings(self) -> None:
        table = read(ROOT / "README.md")
        for kind in KINDS:
            self.assertIn(f"| `{kind}` |", table)
        kinds = {
            value for value in vars(growth).values() if isinstance(value, str) and re.fullmatch(r"seal-\w+", value)
        }
        self.assertGreater(len(kinds), 3)
        for kind in kinds:
            self.assertIn(f"`{kind}`", read(DOCS / "pre-commit.md"))

    def test_formats(self) -> None:
        from toolreplay.formats.registry import NAMES

        for name in NAMES:
            self.assertIn(f"`{name}`", prose(read(DOCS / "formats.md")))

    def test_output_formats(self) -> None:
        offered = {
            name
            for command in COMMANDS
            for option in command_named(command).options
            if option.name == "--output-format"
            for name in re.findall(r"\b[a-z]+\b", option.help.partition("one of")[2].partition("(")[0])
        }
        self.assertGreater(len(offered), 4)
        for name in offered:
            self.assertIn(f"`{name}`", prose(read(DOCS / "reports.md")))

    def test_action(self) -> None:
        text = read(DOCS / "github-action.md")
        for section in ("inputs", "outputs"):
            names = keys_of(ROOT / "action.yml", section)
            self.assertGreater(len(names), 4)
            for name in names:
                self.assertIn(f"| `{name}` |", text, section)

    def test_hooks(self) -> None:
        self.assertEqual(len(hook_ids()), 3)
        for name in hook_ids():
            self.assertIn(f"`{name}`", prose(read(DOCS / "pre-commit.md")))
            for path in (ROOT / "README.md", DOCS / "pre-commit.md", *TRANSLATIONS):
                self.assertIn(f"- id: {name}\n", read(path), path.name)


class Examples(unittest.TestCase):
    """The YAML that documents tell users to copy asks for what there is."""

    def test_inputs_exist(self) -> None:
        known, used = set(keys_of(ROOT / "action.yml", "inputs")), set()
        for place, block in yaml_blocks():
            for step in re.split(r"(?m)^(?= *- )", "\n".join(block.lines)):
                if "uses: org/toolreplay@" in step and "with:" in step:
                    indent, given = re.split(r"(?m)^( *)with:$", step)[1:3]
                    names = re.findall(rf"(?m)^{indent}  ([\w-]+):", given)
                    self.assertEqual([name for name in names if name not in known], [], place)
                    used |= set(names)
        self.assertIn("files", used)

    def test_outputs_exist(self) -> None:
        known = set(keys_of(ROOT / "action.yml", "outputs"))
        for place, block in yaml_blocks():
            text = "\n".join(block.lines)
            for step in re.split(r"(?m)^(?= *- )", text):
                match = re.search(r"(?m)^[ -]*id: (\w+)$", step)
                if match and "uses: org/toolreplay@" in step:
                    asked = set(re.findall(rf"steps\.{match[1]}\.outputs\.([\w-]+)", text))
                    self.assertEqual(asked - known, set(), place)

    def test_versions_and_hooks_exist(self) -> None:
        from toolreplay import __version__

        for place, block in yaml_blocks():
            text = "\n".join(block.lines)
            self.assertEqual(set(re.findall(r"org/toolreplay@(\S+)", text)) - {"v0", f"v{__version__}"}, set(), place)
            for repository in re.split(r"(?m)^(?= *- repo:)", text):
                if "org/toolreplay" in repository and "hooks:" in repository:
                    self.assertIn(f"rev: v{__version__}\n", repository, place)
                    self.assertEqual(set(re.findall(r"- id: (\S+)", repository)) - set(hook_ids()), set(), place)


class Translations(unittest.TestCase):
    def test_they_show_the_commands_that_matter(self) -> None:
        for path in TRANSLATIONS:
            words = {command.split()[1] for command in typed(path) if command.startswith("toolreplay ")}
            self.assertEqual(words, {"version", "replay", "scope", "seal", "verify", "head", "check", "convert"}, path)
            text = read(path)
            self.assertEqual(
                [kind for kind in KINDS if f"**`{kind}`**" not in text and f">{kind}<" not in text], [], path
            )

    def test_they_say_the_same_as_each_other(self) -> None:
        uzbek, urdu = (
            [(block.language, block.lines[1:]) for block in blocks(read(path)) if block.language != "json"]
            for path in TRANSLATIONS
        )
        self.assertEqual(uzbek, urdu)

    def test_uzbek_is_spelt_with_one_letter(self) -> None:
        text = prose(read(TRANSLATIONS[0]))
        self.assertGreater(len(re.findall("[oOgG]ʻ", text)), 50)
        self.assertEqual(re.findall("[oOgG]['’‘`ʼ´]\\w", re.sub("`[^`]*`", "", text)), [])

    def test_urdu_runs_right_to_left(self) -> None:
        inside, paragraph = False, ""
        for line in prose(read(TRANSLATIONS[1])).split("\n"):
            if line in (RIGHT_TO_LEFT, "</div>"):
                self.assertEqual(inside, line == "</div>")
                inside = not inside
            elif line:
                self.assertTrue(inside, line)
                # Code needs a direction of its own, or commas and dashes beside it take that of its letters.
                self.assertNotIn("`", line, 'needs <code dir="ltr">')
                paragraph = f"{paragraph} {line}" if paragraph and not line.startswith(("- ", "|")) else line
                if not line.startswith("|"):
                    self.assertRegex(first_letter(paragraph), "[\u0600-\u06ff]", f"laid out left to right: {line}")
            else:
                paragraph = ""
        self.assertFalse(inside)

    def test_code_in_urdu_does_not_run_right_to_left(self) -> None:
        inside = False
        for number, line in enumerate(read(TRANSLATIONS[1]).split("\n"), 1):
            inside = line == RIGHT_TO_LEFT or (inside and line != "</div>")
            self.assertFalse(inside and line.startswith("```"), number)


def first_letter(paragraph: str) -> str:
    """Return the letter by which a browser tells the direction of a paragraph: the first outside code of its own."""
    text = re.sub(r'<code dir="ltr">.*?</code>|\]\([^)]*\)', "", paragraph)
    return next((character for character in text if character.isalpha()), "\u0600")


if __name__ == "__main__":
    unittest.main()
