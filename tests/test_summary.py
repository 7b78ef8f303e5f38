"""The summary of a step: what it shows, that it fits, and that names in it do nothing."""

import unittest
from html.parser import HTMLParser

from hostile import HOSTILE, shown

from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import Finding
from toolreplay.engine.links import BrokenLink, VerifyResult
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import FileResult, Outcome
from toolreplay.reports.summary import LIMIT, summary

NO_MARK = ""
CLEAN = FileResult("clean.jsonl", None, ReplayResult(4, ()), None)
FOUND = FileResult("<found>", None, ReplayResult(3, (Finding(2, "redundant-call", 3, "t", 1),)), None)
BROKEN = FileResult("b", VerifyResult(1, "0" * 64, BrokenLink(1, 2, "1" * 64, "'", "prev")), None, None)

ALL = """\
### ToolReplay: error

Files: 4, calls: 8, findings: 2.

<table>
<tr><th>file</th><th>what it is</th><th>calls</th><th>findings</th></tr>
<tr><td><pre>clean.jsonl</pre></td><td>transcript</td><td>4</td><td>0</td></tr>
<tr><td><pre>&lt;found&gt;</pre></td><td>transcript</td><td>3</td><td>1</td></tr>
<tr><td><pre>b</pre></td><td>sealed, chain broken</td><td>1</td><td>0</td></tr>
<tr><td><pre>c</pre></td><td>unreadable</td><td></td><td></td></tr>
</table>

<pre>
file: &lt;found&gt;
calls: 3
divergence: none
findings: 1
index 2: redundant-call: tool &#39;t&#39; repeats the identical call at index 1 with no state change between them
</pre>

<pre>
file: b
chain: broken
first broken link: index 1
expected: 1111111111111111111111111111111111111111111111111111111111111111
found: &#39;\\&#39;&#39;
</pre>

<pre>
error: c:1: bad
</pre>

<pre>
error: input
</pre>

"""


class Reader(HTMLParser):
    """Collects the tags, and the text inside ``<pre>``."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.inside = False
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag if not attrs else f"{tag} with attributes")
        self.inside = self.inside or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


class Summary(unittest.TestCase):
    def test_clean(self) -> None:
        text = summary([CLEAN])
        self.assertTrue(text.startswith("### ToolReplay: clean\n\nFiles: 1, calls: 4, findings: 0.\n\n<table>\n"))
        self.assertTrue(text.endswith("<td>0</td></tr>\n</table>\n\n"))

    def test_a_sealed_file(self) -> None:
        self.assertIn("<td>sealed, chain intact</td>", summary([CLEAN._replace(chain=VerifyResult(1, "0" * 64))]))

    def test_everything(self) -> None:
        self.assertEqual(summary([CLEAN, FOUND, BROKEN, InputError("bad", "c", 1), InputError("input")]), ALL)

    def test_nothing_in_a_name_acts(self) -> None:
        for name, text in HOSTILE.items():
            with self.subTest(name):
                finding = Finding(1, "redundant-call", 1, text, 0)
                written = summary([FileResult(text, None, ReplayResult(2, (finding,)), None)])
                reader = Reader()
                reader.feed(written)
                self.assertEqual(reader.tags, {"table", "tr", "th", "td", "pre"})
                self.assertIn(f"file: {shown(text, NO_MARK)}\n", reader.text)
                self.assertIn(f"tool {shown(text)} repeats", reader.text)

    def test_it_fits_and_counts_what_it_leaves_out(self) -> None:
        findings = tuple(Finding(index, "redundant-call", index, "\U0001f600" * 200, 0) for index in range(1, 900))
        many: list[Outcome] = [
            FileResult(f"{number:05}" + "é" * 195, None, ReplayResult(2, ()), None) for number in range(3000)
        ]
        many.append(FileResult("big", None, ReplayResult(900, findings), None))
        written = summary(many)
        size = len(written.encode())
        self.assertLessEqual(size, LIMIT)
        self.assertGreater(size, LIMIT * 0.9)
        rows = written.count("<tr>") - 1
        self.assertIn(f"\n\nFiles that are not in this table: {3001 - rows}.\n\n", written)
        lines = written.count("\nindex ") + 4
        self.assertIn(f"\nLines of the report that are not shown here: {903 - lines}. The log ", written)
        self.assertEqual(written.count("<pre>"), written.count("</pre>"))

    def test_a_small_limit(self) -> None:
        written = summary([FOUND] * 100, 3000)
        self.assertLessEqual(len(written.encode()), 3000)
        self.assertIn("Files that are not in this table: ", written)


if __name__ == "__main__":
    unittest.main()
