"""The HTML page, as far as it can be judged without a browser: what stands in it, and that nothing else does."""

import re
import unittest
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

from report_cases import CASES, GOLDEN, HOSTILE_NAMES, call, report, workspace
from support import run
from test_samples import DIGESTS

from toolreplay.engine.canonical import dumps
from toolreplay.engine.quoting import inert
from toolreplay.reports import content, page

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "script", "main", "section", "div", "p", "br", "span", "a"),
    *("h1", "h2", "h3", "dl", "dt", "dd", "ul", "li", "details", "summary", "b", "bdi", "mark", "code", "i", "pre"),
    *("del", "ins", "form", "input", "select", "option", "button", "output"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "type", "placeholder", "aria-label"),
    *("aria-live", "value", "hidden", "open"),
}
VOID = ("meta", "input", "br", "option")


class Reader(HTMLParser):
    """Reads a page as a browser would, as far as its elements go."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def of(self, tag: str) -> str:
        return "".join(text for where, text in self.texts if where == tag)


def page_of(lines: bytes, *options: str) -> str:
    return run("check", "--output-format=html", *options, "-", stdin=lines).out


def record(index: int, tool: str, args: object, response: object) -> bytes:
    return dumps({"index": index, "tool": tool, "args": args, "response": response}) + b"\n"


class Golden(unittest.TestCase):
    maxDiff = None

    def test_the_pages_are_those_that_are_kept(self) -> None:
        with workspace():
            for case, (code, _) in CASES.items():
                with self.subTest(case):
                    outcome = report(case, "html")
                    self.assertEqual(outcome.code, code)
                    self.assertEqual(without_parts(outcome.out), (GOLDEN / f"{case}.html").read_text(encoding="utf-8"))


def without_parts(text: str) -> str:
    """Leave out style and script, which are files of their own, and their digests."""
    text = re.sub(r"(?s)<(style|script)>.*?</\1>", r"<\1></\1>", text)
    return re.sub(r"'sha256-[^']*'", "'sha256-…'", text)


class Safety(unittest.TestCase):
    def test_no_element_and_no_attribute_but_our_own(self) -> None:
        hostile = b"".join(
            record(2 * at + more, name, {name: name}, {name: [name, more]})
            for at, name in enumerate(HOSTILE_NAMES)
            for more in (0, 1)
        )
        with workspace():
            texts = [report(case, "html").out for case in CASES] + [page_of(hostile)]
        for text in texts:
            reader = Reader(text)
            self.assertEqual(reader.open, [])
            self.assertEqual({tag for tag, _ in reader.elements} - TAGS, set())
            for tag, attributes in reader.elements:
                self.assertEqual(set(attributes) - ATTRIBUTES, set(), tag)
                if "href" in attributes:
                    self.assertRegex(attributes["href"] or "", r"\A#(c[0-9]+-[0-9]+|f[0-9]+|files)\Z")
            for line in text.removesuffix("\n").split("\n"):
                self.assertEqual(inert(line), line)
                self.assertFalse(line.strip().startswith("::"), line)

    def test_the_policy_allows_the_one_script_and_the_one_style(self) -> None:
        with workspace():
            reader = Reader(report("hostile", "html").out)
        (policy,) = [found["content"] for _, found in reader.elements if "http-equiv" in found]
        digests = [b64encode(sha256(reader.of(tag).encode()).digest()).decode() for tag in ("style", "script")]
        allowed = f"style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'"
        self.assertEqual(policy, f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'")
        tags = [tag for tag, _ in reader.elements]
        self.assertEqual((tags.count("script"), tags.count("style")), (1, 1))
        self.assertLess(tags.index("meta"), tags.index("style"))

    def test_a_checkout_with_other_line_ends_has_the_same_page(self) -> None:
        with workspace():
            wanted = report("dirty", "html").out
            crlf = {name: Path(page.__file__).with_name(name).read_bytes().replace(b"\n", b"\r\n") for name in PARTS}
            with mock.patch.object(page, "get_data", lambda _, name: crlf[name]):
                self.assertEqual(report("dirty", "html").out, wanted)


PARTS = ("page.css", "page.js")


class What(unittest.TestCase):
    def test_the_head_and_the_links(self) -> None:
        with workspace():
            reader = Reader(report("intact", "html").out)
        self.assertEqual(reader.of("code"), DIGESTS[5] + "".join(digest[:12] for digest in DIGESTS))

    def test_a_broken_chain_ends_the_calls(self) -> None:
        with workspace():
            text = report("broken", "html").out
        self.assertEqual(re.findall(r'id="c0-(\d+)"', text), ["0", "1", "2"])
        self.assertIn('<div class="b"><b>chain: broken</b><br>first broken link: index 3<br>expected: 34d19', text)
        self.assertLess(text.index("chain: broken"), text.index('id="c0-0"'))  # not behind 50,000 calls
        self.assertIn("<dt>calls before the break</dt><dd>3</dd>", text)

    def test_more_links_than_were_expected_are_not_shown(self) -> None:
        with workspace():
            text = run("verify", "--output-format=html", "--expect-links=2", "good.sealed.jsonl").out
        self.assertEqual(re.findall(r'id="c0-(\d+)"', text), ["0", "1"])
        self.assertIn(f"expected: none<br>found: {DIGESTS[2]}", text)

    def test_the_difference_is_marked(self) -> None:
        with workspace():
            text = report("dirty", "html").out
        self.assertEqual(re.findall(r"<(?:del|ins)>.*?</", text), ["<del>3</", "<ins>7</"])
        self.assertIn("<p>Its response equals that of call 1.</p>", text)

    def test_a_repeat_with_another_response(self) -> None:
        lines = record(0, "a", {}, {"n": 1}) + record(1, "a", {}, {"n": 2})
        self.assertIn("<p>Its response differs from that of call 0.</p>", page_of(lines))

    def test_without_content(self) -> None:
        lines = record(0, "a", {"secret-one": 1}, {"secret-two": 2}) + record(
            1, "a", {"secret-one": 1}, {"x": "secret"}
        )
        text = page_of(lines, "--no-content")
        self.assertNotIn("secret", text)
        self.assertNotIn("<pre>", text)
        self.assertIn("<p>Arguments and responses were left out of this page.</p>", text)
        self.assertIn("secret-two", page_of(lines))

    def test_known_and_gone(self) -> None:
        with workspace():
            text = report("many", "html").out
        self.assertIn('<mark class="k">redundant-call (known)</mark>', text)
        self.assertIn("<dt>known findings</dt><dd>1</dd></div>", text)
        self.assertIn("<dt>gone</dt><dd>1</dd></div>", text)
        self.assertIn(
            "found: 1</summary><ul>\n<li>dirty.jsonl: non-determinism: tool &#39;search&#39;</li>\n</ul>", text
        )

    def test_what_was_not_looked_for_is_not_counted(self) -> None:
        with workspace():
            for command, kinds in {
                "replay": ["non-determinism", "redundant-call"],
                "check": ["non-determinism", "redundant-call"],
                "check --scope=scope.json": ["non-determinism", "permission-overreach", "redundant-call"],
            }.items():
                with self.subTest(command):
                    text = run(*command.split(), "--output-format=html", "clean.jsonl").out
                    self.assertEqual(re.findall('<div class="tz"><dt>([a-z]+-[a-z]+)</dt><dd>0</dd>', text), kinds)

    def test_a_session_without_calls(self) -> None:
        self.assertIn("There are no calls in this file.", page_of(b""))

    def test_names_from_right_to_left_turn_nothing_around(self) -> None:
        with workspace():
            Path("متن.jsonl").write_bytes(b"{}\n")
            text = run("check", "--output-format=html", "متن.jsonl").out
        self.assertIn('<p class="b">error: <bdi>متن</bdi>.jsonl:1: missing field: &quot;index&quot;</p>', text)
        text = page_of(record(0, "متن 1 ا & 2", {}, {}) + record(1, "متن 1 ا & 2", {}, {}))
        self.assertIn("redundant-call: tool &#39;<bdi>متن 1 ا</bdi> &amp; 2&#39; repeats", text)

    def test_groups_have_the_room_of_their_calls(self) -> None:
        sizes = {1: ["g g0"], 9: ["g g0"], 10: ["g g1"], 49: ["g g4"], 50: ["g"], 73: ["g", "g g2"], 100: ["g", "g"]}
        for calls, groups in sizes.items():
            with self.subTest(calls):
                text = page_of(b"".join(record(at, f"t{at}", {}, {}) for at in range(calls)))
                self.assertEqual(re.findall(r'<div class="(g[ g0-9]*)">', text), groups)

    def test_standard_input_and_imported_records(self) -> None:
        for command in (["replay"], ["replay", "--from=toolreplay"], ["check"], ["verify"]):
            with self.subTest(command):
                lines = call(0, "a") if command != ["verify"] else run("seal", "-", stdin=call(0, "a")).out.encode()
                code, out, err = run(*command, "--output-format=html", "-", stdin=lines)
                self.assertEqual((code, err), (0, ""))
                self.assertIn("<bdi>&lt;stdin&gt;</bdi></h2>", out)
                self.assertIn('id="c0-0"', out)


class Budget(unittest.TestCase):
    LONG = record(0, "a", {"x": "y" * 3_000}, {}) + record(1, "b", {"x": "z" * 3_000}, {})

    def test_what_fits_is_shown_in_full(self) -> None:
        text = page_of(self.LONG)
        self.assertIn("z" * 3_000, text)
        self.assertIn("<p>Arguments and responses of the calls below are shown in full.</p>", text)

    def test_what_does_not_fit_is_cut_and_said(self) -> None:
        with mock.patch.object(content, "LONGEST", 1_000):
            text = page_of(self.LONG)
        self.assertEqual(text.count("… cut here"), 2)
        self.assertIn("z" * 900, text)
        self.assertNotIn("z" * 1_001, text)
        self.assertIn("2 long values are cut, each with a mark, and 0 are left out because the page is full.", text)

    def test_a_full_page_says_so(self) -> None:
        with mock.patch.object(content.Content.__init__, "__defaults__", (300,)):
            text = page_of(self.LONG)
        self.assertLess(text.count("y") + text.count("z"), 700)
        self.assertRegex(
            text, r"\d long values are cut, each with a mark, and [1-3] are left out because the page is full"
        )

    def test_calls_with_findings_have_a_share_of_their_own(self) -> None:
        lines = b"".join(record(at, f"t{at}", {"x": "y" * 500}, {}) for at in range(50))
        lines += record(50, "last", {}, {"found": 1}) + record(51, "last", {}, {"found": 2})
        with mock.patch.object(content.Content.__init__, "__defaults__", (2_000,)):
            text = page_of(lines)
        self.assertIn('"found": <ins>2</ins>', text)
        self.assertIn("left out: the page is full", text)

    def test_what_was_cut_away_may_hold_the_difference(self) -> None:
        lines = record(0, "a", {}, {"x": "y" * 3_000}) + record(1, "a", {}, {"x": "y" * 3_000 + "z"})
        with mock.patch.object(content, "LONGEST", 1_000):
            self.assertIn("<p>They differ only in what is cut here.</p>", page_of(lines))

    def test_many_files_share_a_page(self) -> None:
        with workspace() as folder:
            for at in range(3):
                (folder / f"long-{at}.jsonl").write_bytes(self.LONG)
            names = [f"long-{at}.jsonl" for at in range(3)]
            with mock.patch.object(content.Content.__init__, "__defaults__", (60_000,)):
                text = run("check", "--output-format=html", *names).out
        self.assertEqual(text.count("z" * 3_000), 3)


if __name__ == "__main__":
    unittest.main()
