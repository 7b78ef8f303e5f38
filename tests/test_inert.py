"""What the commands print means nothing to GitHub's runner and a terminal, whatever names and values say."""

import re
import unittest
from collections.abc import Iterator

from hostile import ACTING, OTHER, is_hidden, shown
from runner import commands_in
from support import SAMPLES, Outcome, call, run, session

DIRTY = str(SAMPLES / "session-dirty.jsonl")
LINK = run("seal", "-", stdin=call(0)).out
DIGEST = re.findall("[0-9a-f]{64}", LINK)[0]

# Every line begins with a fixed text of ours.
LABEL = re.compile(r"(calls|divergence|findings|chain|first broken link|expected|found|index \d+|error): .")


def in_json(text: str) -> bytes:
    """Write a string of JSON as an attacker would: as raw as JSON allows."""
    return call(0, text).split(b'"tool": ')[1].split(b', "args"')[0]


def outcomes(text: str) -> Iterator[tuple[str, Outcome, int]]:
    """Give a text to every place that takes one; yield the place, the outcome and how many lines it has to have."""
    spelled = in_json(text)
    wanted = b'{"agent":%b,"allowed_tools":[]}' % spelled
    yield "tool", run("replay", "-", stdin=session((text, {}, {}), (text, {}, {"x": 1}))), 5
    yield "tool in scope", run("scope", "-", str(SAMPLES / "scope.json"), stdin=session((text, {}, {}))), 3
    yield "agent", run("scope", DIRTY, "-", stdin=wanted), 8
    yield "field of a record", run("replay", "-", stdin=b"{%b:1}" % spelled), 1
    yield "field of a scope", run("scope", DIRTY, "-", stdin=b"{%b:1}" % spelled), 1
    yield "field of a link", run("verify", "-", stdin=b"{%b:1}" % spelled), 1
    yield "key twice", run("seal", "-", stdin=b"{%b:1,%b:1}" % (spelled, spelled)), 1
    yield "prev", run("verify", "-", stdin=LINK.encode().replace(b'"%b"' % (b"0" * 64), spelled)), 4
    yield "digest", run("verify", "-", stdin=LINK.encode().replace(b'"%b"' % DIGEST.encode(), spelled)), 4
    yield "raw line", run("replay", "-", stdin=text.encode("utf-8", "replace") + b"{"), 1
    yield "command", run("x" + text), 1
    yield "option", run("verify", f"--{text}"), 1
    yield "operand", run("verify", DIRTY, f"x{text}"), 1
    for command in ("replay", "verify", "seal"):
        yield f"path of {command}", run(command, f"nowhere/{text}"), 1
    yield "path to write", run("seal", DIRTY, "-o", f"nowhere/{text}"), 1


class Inert(unittest.TestCase):
    def test_every_place_and_every_text(self) -> None:
        for name, text in {**ACTING, **OTHER}.items():
            for place, outcome, count in outcomes(text):
                with self.subTest(name, place=place):
                    printed = outcome.out + outcome.err
                    self.assertEqual(commands_in(printed.encode()), [])
                    self.assertFalse(is_hidden(printed.replace("\n", "")), printed)
                    lines = printed.split("\n")
                    self.assertEqual((len(lines) - 1, lines[-1]), (count, ""), printed)
                    for line in lines[:-1]:
                        self.assertRegex(line, LABEL)

    def test_names_are_shown_in_full(self) -> None:
        for name, text in {**ACTING, **OTHER}.items():
            with self.subTest(name):
                report = run("replay", "-", stdin=session((text, {}, {}), (text, {}, {}))).out
                repeats = "repeats the identical call at index 0 with no state change between them"
                self.assertIn(f"\nindex 1: redundant-call: tool {shown(text)} {repeats}\n", report)


if __name__ == "__main__":
    unittest.main()
