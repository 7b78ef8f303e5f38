"""Inputs of the action beyond the first ones: mutators, expected heads, exact bytes, and the report that it leaves."""

import json
import os
import sys
import unittest
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from action_support import ActionTest, outputs
from support import SAMPLES, run
from test_expectations import broken
from test_samples import DIGESTS, DIRTY

from toolreplay.command_files import write_outputs

SEALED = run("seal", DIRTY).out
HEAD = DIGESTS[-1]


class Audits(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("a.sealed.jsonl", SEALED)
        self.write("dirty.jsonl", Path(DIRTY).read_bytes())
        self.write("clean.jsonl", (SAMPLES / "session-clean.jsonl").read_bytes())

    def test_heads_of_what_is_intact(self) -> None:
        self.write("b.sealed.jsonl", SEALED.replace('"hits":3', '"hits":4'))
        self.write("c.jsonl", SEALED.splitlines(keepends=True)[0])
        result = self.act(files="*.jsonl", fail_on="none")
        heads = {"a.sealed.jsonl": HEAD, "c.jsonl": DIGESTS[0]}
        self.assertEqual(json.loads(result.outputs["heads"]), heads)

    def test_mutators(self) -> None:
        self.assertEqual(self.act(files="dirty.jsonl").outputs["findings"], "2")
        self.assertEqual(self.act(files="dirty.jsonl", mutators=" read_file \n\nx").outputs["findings"], "1")

    def test_an_expected_head(self) -> None:
        given: dict[str, Any] = {"files": "clean.jsonl", "fail_on": "none", "expect_head": f"a.sealed.jsonl={HEAD}\n"}
        self.assertEqual(self.act(**given).outputs, outputs("findings", 0, 2, 10, 2, heads={"a.sealed.jsonl": HEAD}))
        self.write("a.sealed.jsonl", "".join(SEALED.splitlines(keepends=True)[:5]))
        result = self.act(**given)
        self.assertEqual((result.code, result.outputs["verdict"], result.outputs["heads"]), (1, "findings", "{}"))
        self.assertTrue(result.out.startswith("file: a.sealed.jsonl\n" + broken(5, HEAD, "none")), result.out)
        os.unlink("a.sealed.jsonl")
        result = self.act(**given)
        self.assertEqual((result.code, result.err), (2, "error: a.sealed.jsonl: no such file or directory\n"))

    def test_exact(self) -> None:
        self.write("a.sealed.jsonl", SEALED.replace(":", ": "))
        self.assertEqual(self.act(files="a.sealed.jsonl", fail_on="none").code, 0)
        self.assertEqual(self.act(files="a.sealed.jsonl", fail_on="none", exact="true").code, 1)

    def test_values_that_are_refused(self) -> None:
        cases = {
            "expect_head": ("x=1", "a list of PATH=DIGEST, one a line, each DIGEST of 64 lower-case hex digits"),
            "output_format": ("pdf", "one of text, json, sarif, junit, html"),
            "exact": ("yes", "true or false"),
            "html_content": ("1", "true or false"),
        }
        for name, (value, what) in cases.items():
            with self.subTest(name):
                given: dict[str, Any] = {name: value}
                result = self.act(files="clean.jsonl", **given)
                error = f"error: input '{name.replace('_', '-')}': '{value}' is not {what}\n"
                self.assertEqual((result.code, result.err), (2, error))
                self.assertEqual(result.outputs, outputs("error", 2, 0, 0, 0))


class Report(ActionTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("dirty.jsonl", Path(DIRTY).read_bytes())
        self.write("bad.jsonl", "[]\n")

    def test_what_is_left_is_what_check_writes(self) -> None:
        names = {"json": "json", "sarif": "sarif", "junit": "xml", "text": "txt"}
        for format_, suffix in names.items():
            with self.subTest(format_):
                result = self.act(files="*.jsonl", output_format=format_)
                name = f"toolreplay-report.{suffix}"
                self.assertEqual((result.code, result.outputs["report"]), (2, name))
                wanted = run("check", "--output-format", format_, "bad.jsonl", "dirty.jsonl").out
                self.assertEqual(Path(name).read_text(encoding="utf-8"), wanted)

    def test_log_and_annotations_stay(self) -> None:
        plain = self.act(files="*.jsonl")
        result = self.act(files="*.jsonl", output_format="sarif", output_file="sub/../out.sarif")
        self.assertEqual((result.out, result.err, result.summary), (plain.out, plain.err, plain.summary))
        self.assertEqual(result.outputs["report"], "sub/../out.sarif")

    def test_a_page_holds_content_only_when_asked(self) -> None:
        for content, there in (("", False), ("false", False), ("true", True)):
            result = self.act(files="*.jsonl", output_format="html", output_file="page.html", html_content=content)
            text = Path("page.html").read_text(encoding="utf-8")
            self.assertEqual((result.code, "install" in text, "[]" in text), (2, there, False))
            self.assertLess(text.index('id="f0"'), text.index('id="f1"'))
            self.assertIn("index 2</a>: redundant-call", text)

    def test_errors_about_no_file(self) -> None:
        for format_ in ("json", "sarif", "junit", "html", "text"):
            result = self.act(files="none\ndirty.jsonl", output_format=format_, output_file="out")
            self.assertEqual((result.code, result.outputs["report"]), (2, "out"))
            text = Path("out").read_text(encoding="utf-8")
            if format_ == "json":
                self.assertEqual([file["path"] for file in json.loads(text)["files"]], ["", "dirty.jsonl"])
            elif format_ == "sarif":
                (notification,) = json.loads(text)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
                self.assertNotIn("locations", notification)
            elif format_ == "junit":
                self.assertEqual(
                    [suite.get("name") for suite in ElementTree.fromstring(text)], ["input", "dirty.jsonl"]
                )

    def test_where_a_report_must_not_lie(self) -> None:
        self.write("sub/x", "")
        cases = {
            "../out": "../out: leads out of the workspace",
            "/out": "/out: leads out of the workspace",
            "dirty.jsonl": "dirty.jsonl: is a file that is read; the report would replace it",
            "./dirty.jsonl": "./dirty.jsonl: is a file that is read; the report would replace it",
            "sub": "sub: is no regular file",
        }
        if os.name == "posix":
            os.symlink("dirty.jsonl", "link")
            os.symlink("x", "sub/other")
            cases["link"] = "link: is a file that is read; the report would replace it"
            cases["sub/other"] = "sub/other: is a link or lies behind one"
        for path, error in cases.items():
            with self.subTest(path):
                before = Path("dirty.jsonl").read_bytes()
                result = self.act(files="dirty.jsonl", output_format="json", output_file=path)
                self.assertEqual((result.code, result.outputs["verdict"], result.outputs["report"]), (2, "error", ""))
                self.assertEqual(result.err, f"error: {error}\n")
                self.assertEqual(Path("dirty.jsonl").read_bytes(), before)

    def test_a_report_never_replaces_a_scope_or_what_a_head_is_expected_of(self) -> None:
        self.write("scope.json", '{"agent": "a", "allowed_tools": []}')
        for path, inputs in {
            "scope.json": {"scope": "scope.json"},
            "kept.jsonl": {"expect_head": f"kept.jsonl={'0' * 64}"},
        }.items():
            with self.subTest(path):
                self.write("kept.jsonl", "kept")
                before = Path(path).read_bytes()
                result = self.act(files="dirty.jsonl", output_format="json", output_file=path, **inputs)
                error = f"error: {path}: is a file that is read; the report would replace it\n"
                self.assertEqual((result.code, result.err), (2, error))
                self.assertEqual(Path(path).read_bytes(), before)

    @unittest.skipUnless(sys.platform == "linux", "file names are bytes on Linux")
    def test_a_name_that_is_no_utf_8(self) -> None:
        path = self.parent / "outputs"
        write_outputs(str(path), {"report": os.fsdecode(b"r\xff.json")})
        self.assertEqual(path.read_bytes().split(b"\n")[1:-2], [b"r\xff.json"])

    def test_a_file_without_a_format(self) -> None:
        result = self.act(files="dirty.jsonl", output_file="out")
        self.assertEqual((result.code, result.err), (2, "error: input 'output-file' needs 'output-format'\n"))
        self.assertFalse(Path("out").exists())


if __name__ == "__main__":
    unittest.main()
