"""Random sessions, hostile in every place, in every format: well-formed, inert, and of one mind about the exit code."""

import json
import random
import unittest
from typing import Any
from xml.etree import ElementTree

from support import run
from test_page import ATTRIBUTES, TAGS, Reader

from toolreplay.engine.quoting import inert

PIECES = [
    *"ab<>&\"'\\\n\r\t\x00\x1b\x7f\x85\u2028\u202e\ud800\udfff\ufffe\uffffمت😀[](){}0:#-!/;= ",
    *("</script>", "</pre>", "<!--", "]]>", "##[", "::", "&#x3c;", "\n::error::x"),
]
SESSIONS = 40


class Sessions:
    """Makes sessions, the same ones each time."""

    def __init__(self) -> None:
        self._choose = random.Random(6)

    def text(self, longest: int = 6) -> str:
        return "".join(self._choose.choices(PIECES, k=self._choose.randrange(longest)))

    def value(self, depth: int = 0) -> Any:
        kind = self._choose.randrange(7 if depth < 3 else 3)
        if kind == 0:
            return self._choose.choice([0, -1, 1.5, -0.0, 1e300, 10**30, True, False, None])
        if kind < 3:
            return self.text(20)
        if kind < 5:
            return [self.value(depth + 1) for _ in range(self._choose.randrange(4))]
        return self.members(depth + 1)

    def members(self, depth: int = 0) -> dict[str, Any]:
        return {self.text(): self.value(depth) for _ in range(self._choose.randrange(3))}

    def session(self) -> bytes:
        calls = [(self.text(), self.members()) for _ in range(3)]
        lines = []
        for index in range(self._choose.randrange(9)):
            tool, args = self._choose.choice(calls)
            record = {"index": index, "tool": tool, "args": args, "response": self.members()}
            lines.append(json.dumps(record) + "\n")
        return "".join(lines).encode()


class Reports(unittest.TestCase):
    def test_all_formats(self) -> None:
        sessions = Sessions()
        found = 0
        for number in range(SESSIONS):
            lines = sessions.session()
            if number % 3 == 0 and lines:
                lines = run("seal", "-", stdin=lines).out.encode()
            with self.subTest(number):
                outcomes = {
                    name: run("check", "--output-format", name, "-", stdin=lines)
                    for name in ("text", "json", "sarif", "junit", "html", "github")
                }
                self.assertEqual(len({(outcome.code, outcome.err) for outcome in outcomes.values()}), 1)
                for name, outcome in outcomes.items():
                    self.check_lines(outcome.out, is_text=name in ("text", "github"))
                found += self.check_documents({name: outcome.out for name, outcome in outcomes.items()})
        self.assertGreater(found, SESSIONS)

    def check_lines(self, out: str, *, is_text: bool) -> None:
        for line in out.split("\n"):
            self.assertEqual(inert(line), line)
            self.assertFalse(not is_text and line.strip().startswith("::"), line)

    def check_documents(self, outs: dict[str, str]) -> int:
        """Read each document with a reader that is not ours; all must have the same findings. Return how many."""
        (file,) = json.loads(outs["json"])["files"]
        lines = sorted(finding["line"] for finding in file["findings"])
        (sarif,) = json.loads(outs["sarif"])["runs"]
        places = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in sarif["results"]]
        self.assertEqual(sorted(places), lines)
        texts = " ".join(failure.text or "" for failure in ElementTree.fromstring(outs["junit"]).iter("failure"))
        self.assertEqual(texts.count("line "), len(lines), texts)
        page = Reader(outs["html"])
        self.assertEqual(page.open, [])
        self.assertEqual({tag for tag, _ in page.elements} - TAGS, set())
        self.assertEqual({name for _, attributes in page.elements for name in attributes} - ATTRIBUTES, set())
        classes = " ".join(attributes.get("class") or "" for tag, attributes in page.elements if tag == "details")
        self.assertEqual(sum(name in ("n", "r") for name in classes.split()), len(lines))
        return len(lines)


if __name__ == "__main__":
    unittest.main()
