"""Replay: calls that gave another answer, calls that were redundant."""

import hashlib
import unittest

from support import run, session

from toolreplay.engine.replay import MUTATORS, ReplayAudit, replay
from toolreplay.engine.transcript import Record, read_records

N, R = "non-determinism", "redundant-call"
Call = tuple[str, object, object]
Found = tuple[int, str, int]

X: Call = ("search", {"q": "x"}, {"hits": 1})
X_AGAIN: Call = ("search", {"q": "x"}, {"hits": 2})
Y: Call = ("search", {"q": "y"}, {"hits": 1})
WRITE: Call = ("write_file", {"path": "a"}, {"ok": True})
WRITE_AGAIN: Call = ("write_file", {"path": "a"}, {"ok": False})


def with_args(args: object) -> Call:
    return ("search", args, {"hits": 1})


def with_response(response: object) -> Call:
    return ("search", {"q": "x"}, response)


NOTHING: list[tuple[str, list[Call]]] = [
    ("no call", []),
    ("one call", [X]),
    ("different calls", [X, Y]),
    ("the same tool with other args", [with_args({"n": 1}), with_args({"n": 2})]),
    ("another tool with the same args", [X, ("find", {"q": "x"}, {"hits": 1})]),
    ("names differ in case", [X, ("Search", {"q": "x"}, {"hits": 1})]),
    ("a different call between", [X, Y, X]),
    ("a mutator between", [X, WRITE, X]),
    ("a mutator repeated", [WRITE, WRITE]),
    ("a mutator three times", [WRITE, WRITE, WRITE]),
    ("1 is not 1.0", [with_args({"n": 1}), with_args({"n": 1.0})]),
    ("true is not 1", [with_args({"n": True}), with_args({"n": 1})]),
    ("false is not 0", [with_args({"n": False}), with_args({"n": 0})]),
    ("0.0 is not -0.0", [with_args({"n": 0.0}), with_args({"n": -0.0})]),
    ("null is not a missing field", [with_args({"n": None}), with_args({})]),
    ("the order of an array counts", [with_args({"n": [1, 2]}), with_args({"n": [2, 1]})]),
    ("a composed letter is not its parts", [with_args({"n": "é"}), with_args({"n": "e\u0301"})]),
    ("a tool's name is not its args", [("a", {"b": 1}, {}), ("b", {"a": 1}, {})]),
    (
        "far apart, the same response with other key order",
        [with_response({"a": 1, "b": 2}), Y, with_response({"b": 2, "a": 1})],
    ),
]

FOUND: list[tuple[str, list[Call], list[Found]]] = [
    ("a direct repeat", [X, X], [(1, R, 0)]),
    ("a run of three: each names the one before", [X, X, X], [(1, R, 0), (2, R, 1)]),
    ("a run of four after others", [Y, WRITE, X, X, X, X], [(3, R, 2), (4, R, 3), (5, R, 4)]),
    ("a repeat with another response is both", [X, X_AGAIN], [(1, N, 0), (1, R, 0)]),
    ("far apart with a changed response", [X, Y, WRITE, Y, X_AGAIN], [(4, N, 0)]),
    ("a change of state does not excuse it", [X, WRITE, X_AGAIN], [(2, N, 0)]),
    (
        "the first response is the one that counts",
        [X, X_AGAIN, X, X_AGAIN],
        [(1, N, 0), (1, R, 0), (2, R, 1), (3, N, 0), (3, R, 2)],
    ),
    ("a third response", [X, Y, X_AGAIN, Y, with_response({"hits": 3})], [(2, N, 0), (4, N, 0)]),
    ("a mutator that answers differently", [WRITE, WRITE_AGAIN], [(1, N, 0)]),
    (
        "key order does not count",
        [with_args({"a": 1, "b": [{"c": 2, "d": 3}]}), with_args({"b": [{"d": 3, "c": 2}], "a": 1})],
        [(1, R, 0)],
    ),
    ("spelling does not count", [with_args({"n": 1e2}), with_args({"n": 100.0})], [(1, R, 0)]),
    ("response: 1 is not 1.0", [with_response({"n": 1}), Y, with_response({"n": 1.0})], [(2, N, 0)]),
    ("response: true is not 1", [with_response({"n": True}), Y, with_response({"n": 1})], [(2, N, 0)]),
    ("response: empty or not", [with_response({}), Y, with_response({"n": None})], [(2, N, 0)]),
    (
        "lone surrogates are values like others",
        [with_args({"n": "\ud83d"}), with_args({"n": "\ud83d"}), with_args({"n": "\ude00"})],
        [(1, R, 0)],
    ),
    ("two calls in turn", [X, Y, X_AGAIN, Y], [(2, N, 0)]),
]

BOTH = """\
calls: 4
divergence: index 1
findings: 3
index 1: non-determinism: tool 'search' returned a different response than the identical call at index 0
index 1: redundant-call: tool 'search' repeats the identical call at index 0 with no state change between them
index 2: redundant-call: tool 'search' repeats the identical call at index 1 with no state change between them
"""


def audited(calls: list[Call], mutators: frozenset[str] = MUTATORS) -> list[Found]:
    result = replay(read_records(session(*calls).split(b"\n")), mutators)
    assert result.calls == len(calls)
    return [(finding.index, finding.kind, finding.related or 0) for finding in result.findings]


class Replay(unittest.TestCase):
    def test_nothing(self) -> None:
        for name, calls in NOTHING:
            with self.subTest(name):
                self.assertEqual(audited(calls), [])

    def test_found(self) -> None:
        for name, calls, found in FOUND:
            with self.subTest(name):
                self.assertEqual(audited(calls), found)

    def test_divergence(self) -> None:
        for calls, expected in (([], None), ([X, X], None), ([X, X, X_AGAIN], 2), ([X, X_AGAIN, Y, X_AGAIN], 1)):
            with self.subTest(len(calls)):
                result = replay(read_records(session(*calls).split(b"\n")))
                self.assertEqual(result.divergence, expected)

    def test_each_default_mutator(self) -> None:
        self.assertEqual(MUTATORS, {"write_file", "delete_file", "create_file", "move_file", "run_command"})
        for tool in sorted(MUTATORS):
            with self.subTest(tool):
                self.assertEqual(audited([(tool, {}, {}), (tool, {}, {})]), [])

    def test_names_near_a_mutator_are_no_mutators(self) -> None:
        for tool in ("Write_file", "write_file ", "write", "append_file"):
            with self.subTest(tool):
                self.assertEqual(audited([(tool, {}, {}), (tool, {}, {})]), [(1, R, 0)])

    def test_other_mutators(self) -> None:
        self.assertEqual(audited([X, X], frozenset({"search"})), [])
        self.assertEqual(audited([WRITE, WRITE], frozenset({"search"})), [(1, R, 0)])
        self.assertEqual(audited([X, X, WRITE, WRITE], frozenset()), [(1, R, 0), (3, R, 2)])

    def test_records_made_in_python(self) -> None:
        made = [
            Record(0, "a\ud83d\ude00", {"x": ("\ud83d\ude00", 1)}, {"\ud83d\ude00": (1.0,)}, 1),
            Record(1, "a😀", {"x": ["😀", 1]}, {"😀": [1.0]}, 2),
            Record(2, "a😀", {"x": ["😀", 1]}, {"😀": [1]}, 3),
        ]
        found = [(finding.index, finding.kind, finding.related) for finding in replay(made).findings]
        self.assertEqual(found, [(1, R, 0), (2, N, 0), (2, R, 1)])

    def test_what_a_finding_holds(self) -> None:
        result = replay(read_records([b"\n", *session(X, Y, X_AGAIN).split(b"\n")]))
        (finding,) = result.findings
        self.assertEqual((finding.line, finding.tool, finding.agent), (4, "search", None))
        self.assertEqual(finding.call, hashlib.sha256(b'{"args":{"q":"x"},"tool":"search"}').digest())

    def test_an_audit_can_be_asked_midway(self) -> None:
        audit = ReplayAudit()
        self.assertEqual(audit.result(), (0, ()))
        results = []
        for record in read_records(session(X, X, Y).split(b"\n")):
            audit.add([record])
            results.append((audit.result().calls, len(audit.result().findings)))
        self.assertEqual(results, [(1, 0), (2, 1), (3, 1)])


class Report(unittest.TestCase):
    def test_empty(self) -> None:
        self.assertEqual(run("replay", "-"), (0, "calls: 0\ndivergence: none\nfindings: 0\n", ""))

    def test_both_findings_at_one_index(self) -> None:
        self.assertEqual(run("replay", "-", stdin=session(X, X_AGAIN, X, Y)), (1, BOTH, ""))

    def test_redundant_alone_is_no_divergence(self) -> None:
        code, out, _ = run("replay", "-", stdin=session(X, X))
        self.assertEqual((code, out.splitlines()[:3]), (1, ["calls: 2", "divergence: none", "findings: 1"]))


if __name__ == "__main__":
    unittest.main()
