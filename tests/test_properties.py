"""What holds for every value, every chain, every edit: tried on random ones."""

import json
import random
import re
import unittest
from typing import Any

import reference
from support import run

from toolreplay.engine.canonical import dumps, loads
from toolreplay.engine.chain import verify
from toolreplay.engine.errors import InputError, JsonError
from toolreplay.engine.quoting import bare, inert, key, quoted
from toolreplay.engine.replay import MUTATORS, replay
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import read_records

try:
    from hypothesis import HealthCheck, assume, given, settings
    from hypothesis import strategies as st
except ImportError:
    raise unittest.SkipTest("hypothesis is not installed") from None

# The same examples at each run: a check that fails now and then helps nobody.
few = settings(max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))

Link = dict[str, Any]


def combined(text: str) -> str:
    """Put surrogate pairs together, as reading JSON does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


any_text = st.text(st.characters(exclude_categories=()), max_size=8)
hard_text = st.text("a'\"\\\n\r\t\x00\x1b\x7f\x85\u2028\u202e\ufeff[#:é😀\ud83d\ude00ی\u200c", max_size=8)
texts = (any_text | hard_text).map(combined)
numbers = st.integers() | st.integers(-(10**400), 10**400) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, values, max_size=3)
sessions = st.lists(st.tuples(texts, objects, objects), min_size=1, max_size=5)


def spelled(value: object, *, plain: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=plain, separators=(", ", " :\t"))
    return text.encode("utf-8", "backslashreplace")


def records(calls: list[tuple[str, Any, Any]]) -> list[Link]:
    return [
        {"index": index, "tool": tool, "args": args, "response": response}
        for index, (tool, args, response) in enumerate(calls)
    ]


def sealed(calls: list[tuple[str, Any, Any]]) -> list[bytes]:
    lines = [spelled(record, plain=False) for record in records(calls)]
    return [link.line for link in seal(read_records(lines))]


class Canonical(unittest.TestCase):
    @few
    @given(values, st.randoms(use_true_random=False))
    def test_reading_and_writing(self, value: object, chance: random.Random) -> None:
        expected = reference.canonical(value)
        self.assertEqual(dumps(value).decode(), expected)
        read = loads(spelled(value, plain=chance.random() < 0.5))
        self.assertEqual(reference.canonical(read), expected)
        self.assertEqual(dumps(loads(dumps(value))), dumps(value))

    @few
    @given(any_text | hard_text)
    def test_strings_made_in_python(self, text: str) -> None:
        self.assertEqual(dumps(text).decode(), reference.canonical(text))
        self.assertEqual(loads(dumps(text)), combined(text))

    @few
    @given(values, st.data())
    def test_damaged_text(self, value: object, data: st.DataObject) -> None:
        text = bytearray(spelled(value, plain=data.draw(st.booleans())))
        place = data.draw(st.integers(0, len(text)))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from(
                [b"", b'"', b"\\", b"{", b"]", b",", b":", b"0", b"-", b"e9", b"NaN", b"\xff", b"\x00", b" "]
            )
        )
        try:
            read = loads(bytes(text))
        except JsonError as error:
            self.assertTrue(refused(bytes(text)), text)
            self.assertEqual(inert(error.cause), error.cause)
        else:
            self.assertFalse(refused(bytes(text)), text)
            self.assertEqual(reference.canonical(read), reference.canonical(json.loads(text)))


def refused(data: bytes) -> bool:
    """Tell by the standard library alone whether a text is refused."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def finite(text: str) -> float:
        if text.strip("-") in ("NaN", "Infinity") or float(text) in (float("inf"), float("-inf")):
            raise ValueError
        return float(text)

    try:
        json.loads(data.decode(), object_pairs_hook=unique, parse_float=finite, parse_constant=finite)
    except ValueError:
        return True
    return False


class Chain(unittest.TestCase):
    @few
    @given(sessions)
    def test_what_is_sealed_verifies(self, calls: list[tuple[str, Any, Any]]) -> None:
        lines = sealed(calls)
        expected = reference.seal(records(calls))
        self.assertEqual([line.decode() for line in lines], [reference.canonical(link) + "\n" for link in expected])
        self.assertEqual(verify(lines), (len(calls), expected[-1]["digest"], None))

    @few
    @given(sessions, st.randoms(use_true_random=False))
    def test_white_space_and_key_order_are_no_changes(
        self, calls: list[tuple[str, Any, Any]], chance: random.Random
    ) -> None:
        lines = []
        for link in reference.seal(records(calls)):
            lines.append(
                spelled(shuffled(link, chance), plain=chance.random() < 0.5) + chance.choice([b"\n", b" \t\r\n"])
            )
            lines.extend([b"\n"] * chance.randrange(2))
        self.assertTrue(verify(lines))

    @few
    @given(sessions, st.data())
    def test_random_edits(self, calls: list[tuple[str, Any, Any]], data: st.DataObject) -> None:
        links = reference.read(b"".join(sealed(calls)))
        before = [reference.canonical(link) for link in links]
        cut = data.draw(edits(links))
        assume([reference.canonical(link) for link in links] != before)
        lines = [spelled(link, plain=True) for link in links]
        expected = reference.first_broken(links)
        broken = verify(lines).broken
        if cut:
            self.assertIsNone(broken)
        else:
            assert broken is not None
        self.assertEqual(None if broken is None else (broken.index, broken.expected, broken.found), expected)

    @few
    @given(sessions, st.data())
    def test_random_bytes(self, calls: list[tuple[str, Any, Any]], data: st.DataObject) -> None:
        sealed_file = bytearray(b"".join(sealed(calls)))
        place = data.draw(st.integers(0, len(sealed_file) - 1))
        sealed_file[place] ^= data.draw(st.integers(1, 255))
        code, out, err = run("verify", "-", stdin=bytes(sealed_file))
        if code == 0:  # what was changed is white space or how something is spelled
            links = reference.read(bytes(sealed_file))
            self.assertIsNone(reference.first_broken(links))
        elif code == 1:
            self.assertRegex(
                out, r"\Achain: broken\nfirst broken link: index \d+\nexpected: [0-9a-f]{64}\nfound: .+\n\Z"
            )
        else:
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, r"\Aerror: <stdin>:\d+: .+\n\Z")


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if isinstance(value, dict):
        names = list(value)
        chance.shuffle(names)
        return {name: shuffled(value[name], chance) for name in names}
    return value


@st.composite
def edits(draw: st.DrawFn, links: list[Link]) -> bool:
    """Change links in place, each value keeping its type; return whether the end was cut off and nothing else."""
    position = draw(st.integers(0, len(links) - 1))
    kind = draw(st.sampled_from(["value", "args", "response", "remove", "double", "swap", "cut"]))
    if kind == "value":
        field = draw(st.sampled_from(["index", "tool", "prev", "digest"]))
        links[position][field] = draw(st.integers() if field == "index" else texts)
    elif kind in ("args", "response"):
        links[position][kind] = draw(objects)
    elif kind == "remove":
        del links[position]
        assume(position < len(links))
    elif kind == "double":
        links.insert(position, links[position])
    elif kind == "swap":
        other = draw(st.integers(0, len(links) - 1))
        links[position], links[other] = links[other], links[position]
    else:
        del links[max(position, 1) :]
        return True
    return False


class Replay(unittest.TestCase):
    @few
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["search", "write_file"]),
                st.sampled_from([{}, {"n": 1}, {"n": 1.0}, {"n": True}]),
                st.sampled_from([{}, {"ok": 1}, {"ok": True}]),
            ),
            max_size=12,
        )
    )
    def test_against_every_pair_of_calls(self, calls: list[tuple[str, Any, Any]]) -> None:
        same = [reference.canonical([tool, args]) for tool, args, _ in calls]
        responses = [reference.canonical(response) for _, _, response in calls]
        expected = []
        for index, (tool, _, _) in enumerate(calls):
            first = same.index(same[index])
            if responses[index] != responses[first]:
                expected.append((index, "non-determinism", first))
            if index and same[index - 1] == same[index] and tool not in MUTATORS:
                expected.append((index, "redundant-call", index - 1))
        lines = [spelled(record, plain=True) for record in records(calls)]
        found = replay(read_records(lines)).findings
        self.assertEqual([(finding.index, finding.kind, finding.related) for finding in found], expected)


ESCAPES = {"\\": "\\", "'": "'", "n": "\n", "r": "\r", "t": "\t"}
ACTS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]|##\\[")


def decoded(shown: str) -> str:
    """Read a shown text back."""

    def character(match: re.Match[str]) -> str:
        return chr(int(match[1][1:], 16)) if match[1][0] == "u" else ESCAPES[match[1]]

    return re.sub(r"\\(u[0-9a-f]{4}|.)", character, shown)


class Shown(unittest.TestCase):
    @few
    @given(st.text(st.characters(exclude_categories=())) | hard_text | st.text("#[\\\n'", max_size=300))
    def test_one_line_inert_and_whole(self, text: str) -> None:
        for shown in (bare(text), quoted(text), key(text)):
            self.assertIsNone(ACTS.search(shown))
            self.assertEqual(inert(shown), shown)
        self.assertIsNone(ACTS.search(inert(text)))
        shown = quoted(text)
        if len(text) <= 200:
            self.assertEqual(decoded(shown[1:-1]), text)
            self.assertEqual((shown[0], shown[-1]), ("'", "'"))
        else:
            body, length = shown[1:].rsplit("…' ", 1)
            self.assertEqual((decoded(body), length), (text[:200], f"({len(text)} characters)"))

    @few
    @given(st.text(st.characters(exclude_categories=())) | hard_text)
    def test_errors_are_one_line(self, text: str) -> None:
        for error in (InputError("cause", text, 3), InputError("cause", text)):
            self.assertIsNone(ACTS.search(str(error)))


if __name__ == "__main__":
    unittest.main()
