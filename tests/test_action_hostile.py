"""Hostile text in every place: the runner reads just the annotations that were meant, and they decode to the text."""

import json
import os
import sys
import unittest

from action_support import ActionTest, outputs
from hostile import HOSTILE, is_hidden, shown
from repositories import Scratch
from runner import Command, summary_shown

from toolreplay.formats.registry import FORMATS

Json = dict[str, object]
ZEROS = "0" * 64
QUOTE, T = '"', "'t'"


def record(index: int, tool: str = "t", args: Json | None = None, response: Json | None = None) -> str:
    """Return a line of a transcript, with everything that is not ASCII escaped."""
    return json.dumps({"index": index, "tool": tool, "args": args or {}, "response": response or {}}) + "\n"


def scope(agent: str, *tools: str) -> str:
    return json.dumps({"agent": agent, "allowed_tools": tools})


def error(title: str, message: str, **place: str) -> Command:
    return Command("error", {"title": title, **place}, message)


def repeats(tool: str) -> str:
    return f"tool {tool} repeats the identical call at index 0 with no state change between them"


class InFiles(ActionTest):
    def expect(self, commands: list[Command], scope: str = "") -> None:
        result = self.act(files="a.jsonl", scope=scope)
        self.assertEqual(result.commands, commands)
        self.assertEqual(list(result.outputs), list(outputs("", 0, 0, 0, 0)))
        self.assertEqual(result.outputs["exit-code"], str(result.code))
        self.is_harmless(result.summary)

    def is_harmless(self, summary: str) -> None:
        self.assertIsNotNone(summary_shown((summary or "x").encode()))
        self.assertFalse(is_hidden(summary.replace("\n", "")))
        for block in summary.split("<pre>")[1:]:
            inside = block.split("</pre>")[0]
            self.assertNotRegex(inside, "[<>\"']")
            self.assertNotIn("\n\n", inside)

    def test_tool(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                self.write("a.jsonl", record(0, text) + record(1, text))
                self.write("scope.json", scope("x"))
                outside = f"tool {shown(text)} is not in the declared scope for agent 'x'"
                self.expect(
                    [
                        error("permission-overreach", outside, file="a.jsonl", line="1"),
                        error("permission-overreach", outside, file="a.jsonl", line="2"),
                        error("redundant-call", repeats(shown(text)), file="a.jsonl", line="2"),
                    ],
                    scope="scope.json",
                )

    def test_arguments_and_response(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                self.write("a.jsonl", record(0, "t", {text: text}, {text: [text]}) + record(1, "t", {text: text}))
                message = "tool 't' returned a different response than the identical call at index 0"
                self.expect(
                    [
                        error("non-determinism", message, file="a.jsonl", line="2"),
                        error("redundant-call", repeats("'t'"), file="a.jsonl", line="2"),
                    ]
                )

    def test_agent(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                self.write("a.jsonl", record(0))
                self.write("scope.json", scope(text, text))
                outside = f"tool 't' is not in the declared scope for agent {shown(text)}"
                self.expect([error("permission-overreach", outside, file="a.jsonl", line="1")], scope="scope.json")

    def test_key_of_an_argument_of_a_record_and_of_a_scope(self) -> None:
        self.write("scope.json", "{}")
        for name, text in HOSTILE.items():
            with self.subTest(name):
                key = json.dumps(text)
                self.write("a.jsonl", f'{{"index":0,"tool":"t","args":{{{key}:1,{key}:2}},"response":{{}}}}')
                cause = f"duplicate key: {shown(text, QUOTE)}"
                self.expect([error("unreadable", cause, file="a.jsonl", line="1")])
                self.write("a.jsonl", f"{{{key}:1}}")
                cause = f"unexpected field: {shown(text, QUOTE)}"
                self.expect([error("unreadable", cause, file="a.jsonl", line="1")])
                self.write("scope.json", f"\n{{{key}:1}}")
                self.expect([error("unreadable", cause, file="scope.json", line="2")], scope="scope.json")

    def test_digest(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                link = {"index": 0, "tool": "t", "args": {}, "response": {}, "prev": text, "digest": text}
                self.write("a.jsonl", json.dumps(link))
                message = f"first broken link: index 0; expected: {ZEROS}; found: {shown(text)}"
                self.expect([error("broken-chain", message, file="a.jsonl", line="1")])

    def test_whole_file(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                data = ("{" + text).encode("utf-8", "surrogatepass")
                self.write("a.jsonl", data)
                self.write("scope.json", data)
                for result in (self.act(files="a.jsonl"), self.act(files="none", scope="scope.json")):
                    self.assertEqual([command.name for command in result.commands], ["error"])
                    self.assertRegex(
                        result.commands[0].message, "^not (JSON|UTF-8)[a-z:, '}]*( at (column|byte) [0-9]+)?$"
                    )

    @unittest.skipUnless(os.name == "posix", "few of them are names of files here")
    def test_file_name(self) -> None:
        tried = 0
        names = [
            *(name for name in HOSTILE.values() if "/" not in name),
            os.fsdecode(b"a\xff"),
            os.fsdecode(b"\xff::error::x"),
        ]
        for name in names:
            try:
                with open(name, "x", encoding="utf-8") as file:
                    file.write(record(0) + record(1))
            except (OSError, ValueError):
                continue  # no name of a file here
            tried += 1
            with self.subTest(name):
                result = self.act(files="*")
                as_property = not is_hidden(name.replace("\n", "").replace("\r", "")) and name[0] != "="
                as_property = as_property and not name[-1].isspace()
                if as_property:
                    expected = error("redundant-call", repeats("'t'"), file=name, line="2")
                else:
                    expected = error("redundant-call", f"{shown(name, '')}:2: {repeats(T)}")
                self.assertEqual(result.commands, [expected])
                self.assertTrue(result.out.startswith(f"file: {shown(name, '')}\n"))
                self.is_harmless(result.summary)
            os.unlink(name)
        self.assertGreater(tried, 50)


class InInputs(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("a.jsonl", record(0))

    def each(self) -> dict[str, str]:
        """Return the hostile texts that a variable can hold, by their names."""
        texts = {name: text for name, text in HOSTILE.items() if "\0" not in text and text.strip()}
        return {name: text for name, text in texts.items() if text == text.encode("utf-8", "ignore").decode()}

    def test_files(self) -> None:
        for case, text in self.each().items():
            with self.subTest(case):
                lines = [line.strip(" \t\r") for line in text.strip().split("\n")]
                expected = [error("bad-input", f"input 'files': {shown(line)} matches no file") for line in lines]
                self.assertEqual(self.act(files=text).commands, [] if text in ("*", "**") else expected)

    def test_scope(self) -> None:
        for case, text in self.each().items():
            with self.subTest(case):
                self.write("b", text)
                commands = self.act(files="a.jsonl", scope=text).commands
                self.assertEqual(
                    [(command.name, command.properties["title"]) for command in commands], [("error", "unreadable")]
                )
                name = commands[0].properties.get("file", "") or commands[0].message.rpartition(": ")[0]
                self.assertIn(name, (os.path.normpath(text.strip()), shown(text.strip(), "")))

    def test_values_of_a_fixed_set(self) -> None:
        allowed = {
            "fail-on": "any, none, or of non-determinism, permission-overreach, redundant-call with commas between",
            "annotations": "true or false",
            "exact": "true or false",
            "html-content": "true or false",
            "output-format": "one of text, json, sarif, junit, html",
            "expect-head": "a list of PATH=DIGEST, one a line, each DIGEST of 64 lower-case hex digits",
            "from": f"a format; there are {', '.join(FORMATS)}",
            "summary": "true or false",
        }
        for name, values in allowed.items():
            for case, text in self.each().items():
                with self.subTest(name, text=case):
                    result = self.act({f"INPUT_{name.upper()}": text}, files="a.jsonl")
                    message = f"input '{name}': {shown(text.strip())} is not {values}"
                    self.assertEqual(result.commands, [error("bad-input", message)])
                    self.assertEqual(result.outputs, outputs("error", 2, 0, 0, 0))

    def test_mutators(self) -> None:
        for case, text in self.each().items():
            with self.subTest(case):
                result = self.act(files="a.jsonl", mutators=text)
                self.assertEqual((result.code, result.commands), (0, []))

    @unittest.skipUnless(os.name == "posix", "few of them are names of files here")
    def test_output_file(self) -> None:
        left = 0
        for case, text in self.each().items():
            with self.subTest(case):
                result = self.act(files="a.jsonl", output_format="text", output_file=text)
                if result.code == 0:
                    self.assertEqual((result.commands, result.outputs["report"]), ([], text.strip()))
                    os.unlink(text.strip())
                    left += 1
                else:
                    self.assertEqual((result.code, result.outputs["report"]), (2, ""))
                    self.assertTrue(result.err.startswith(f"error: {shown(text.strip(), '')}: "), result.err)
        self.assertGreater(left, 50)

    @unittest.skipUnless(os.path.exists("/usr/bin/git"), "no git where the image has it")
    def test_base_and_allowed_removals(self) -> None:
        scratch = Scratch(self.workspace)
        scratch.commit({b"a.jsonl": record(0).encode()})
        for text in (
            "::error::x",
            "a\r::error::x",
            "##[error]x",
            "a\n::error::x",
            "\x1b[2J",
            "--all",
            "HEAD:a.jsonl",
            "@{-1}",
        ):
            with self.subTest(text):
                (command,) = self.act(files="a.jsonl", base=text).commands
                self.assertEqual((command.name, command.properties["title"]), ("error", "bad-input"))
                self.assertIn(shown(text), command.message)
                result = self.act(files="a.jsonl", base="HEAD", allow_removal=text)
                self.assertEqual(result.commands, [])

    @unittest.skipIf(sys.platform == "win32", "variables have other names here")
    def test_names_of_unknown_inputs(self) -> None:
        for case, text in self.each().items():
            if "=" in text:
                continue
            with self.subTest(case):
                result = self.act({f"INPUT_{text.upper()}": "x"}, files="a.jsonl")
                self.assertEqual(result.commands, [error("bad-input", f"unknown input: {shown(text.upper().lower())}")])


if __name__ == "__main__":
    unittest.main()
