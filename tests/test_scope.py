"""Scope files, and calls outside a scope."""

import hashlib
import unittest

from support import session

from toolreplay.engine.errors import InputError
from toolreplay.engine.scope import Scope, ScopeAudit, parse_scope, scope
from toolreplay.engine.transcript import read_records

GOOD = b'{"agent": "docs-reader", "allowed_tools": ["read_file", "list_dir", "search"]}'
DOCS = Scope("docs-reader", frozenset({"read_file", "list_dir", "search"}))

READ: list[tuple[str, bytes, Scope]] = [
    ("one line", GOOD, DOCS),
    ("with its newline", GOOD + b"\n", DOCS),
    ("CRLF, blank lines around", b"\r\n\n" + GOOD + b"\r\n\r\n", DOCS),
    ("over several lines", GOOD.replace(b" ", b"\n"), DOCS),
    ("other order", b'{"allowed_tools":[],"agent":""}', Scope("", frozenset())),
    ("a tool twice", b'{"agent":"a","allowed_tools":["x","x"]}', Scope("a", frozenset("x"))),
    ("escapes", rb'{"\u0061gent":"\u0430","allowed_tools":["\ud83d"]}', Scope("а", frozenset({"\ud83d"}))),
]

MUST_BE = 'field "{}" must be {}, not {}'

# name, file, line, cause
BAD: list[tuple[str, bytes, int, str]] = [
    ("empty", b"", 1, "not JSON: the text ends too early at column 1"),
    ("blank", b"\n \t\n", 1, "not JSON: the text ends too early at column 1"),
    ("not JSON", b"agent: x", 1, "not JSON: expected a value at column 1"),
    (
        "not JSON on a later line",
        b'{\n  "agent": "a",\n  "allowed_tools": [\n    "x",\n  ]\n}',
        5,
        "not JSON: expected a value at column 3",
    ),
    (
        "a fault on the first line of several",
        b'{"agent" "a",\n"allowed_tools":[]}',
        1,
        "not JSON: expected ':' at column 10",
    ),
    ("torn", GOOD[:-1] + b"\n", 1, "not JSON: the text ends too early at column 78"),
    ("torn on a later line", b'{\n"agent":"a",\n\n', 2, "not JSON: the text ends too early at column 13"),
    ("more after it", GOOD + b"\n" + GOOD, 2, "not JSON: more text after the value at column 1"),
    ("not UTF-8", b'{"agent":\n"\xff"}', 2, "not UTF-8 at byte 2"),
    ("a byte order mark", b"\xef\xbb\xbf" + GOOD, 1, "a byte order mark; the file must be plain UTF-8"),
    ("a NUL byte", GOOD + b"\x00", 1, "not JSON: more text after the value at column 79"),
    ("an array", b"\n\n[]", 3, "not an object but an array"),
    ("null", b"null", 1, "not an object but null"),
    ("nothing in it", b"{}", 1, 'missing field: "agent"'),
    ("no agent", b'{"allowed_tools":[]}', 1, 'missing field: "agent"'),
    ("no tools", b'\n{"agent":"a"}', 2, 'missing field: "allowed_tools"'),
    ("a field too many", b'{"agent":"a","allowed_tools":[],"note":1}', 1, 'unexpected field: "note"'),
    ("a field that attacks", rb'{"a\n##[b]":1}', 1, r'unexpected field: "a\n##\u005bb]"'),
    ("agent null", b'{"agent":null,"allowed_tools":[]}', 1, MUST_BE.format("agent", "a string", "null")),
    ("agent an integer", b'{"agent":1,"allowed_tools":[]}', 1, MUST_BE.format("agent", "a string", "an integer")),
    (
        "tools a string",
        b'{"agent":"a","allowed_tools":"x"}',
        1,
        MUST_BE.format("allowed_tools", "an array", "a string"),
    ),
    (
        "tools an object",
        b'{"agent":"a","allowed_tools":{}}',
        1,
        MUST_BE.format("allowed_tools", "an array", "an object"),
    ),
    (
        "tools true",
        b'{"agent":"a","allowed_tools":true}',
        1,
        MUST_BE.format("allowed_tools", "an array", "true or false"),
    ),
    (
        "an entry null",
        b'{"agent":"a","allowed_tools":["x",null]}',
        1,
        'entry 1 of "allowed_tools" must be a string, not null',
    ),
    (
        "an entry an integer",
        b'{"agent":"a","allowed_tools":[1]}',
        1,
        'entry 0 of "allowed_tools" must be a string, not an integer',
    ),
    (
        "an entry an array",
        b'{"agent":"a","allowed_tools":[["x"]]}',
        1,
        'entry 0 of "allowed_tools" must be a string, not an array',
    ),
    ("a duplicate key", b'{"agent":"a","allowed_tools":[],"agent":"b"}', 1, 'duplicate key: "agent"'),
    ("a duplicate key on a later line", b'{\n"agent":"a",\n"agent":"b"\n}', 3, 'duplicate key: "agent"'),
    ("NaN on a later line", b'{"agent":\n NaN}', 2, "not JSON: NaN is no JSON number"),
    ("infinity on a later line", b'\n{"agent":\n[1,\n-1e999]}', 4, "a number overflows to infinity"),
    ("too deep after one newline", b"\n" + b"[" * 501, 2, "nested more than 500 levels deep"),
    ("too deep on a later line", b"[" * 300 + b"\n" + b"[" * 300, 2, "nested more than 500 levels deep"),
    ("NaN", b'{"agent":NaN,"allowed_tools":[]}', 1, "not JSON: NaN is no JSON number"),
    ("infinity", b'{"agent":1e999,"allowed_tools":[]}', 1, "a number overflows to infinity"),
    (
        "too deep",
        b'{"agent":"a","allowed_tools":' + b"[" * 500 + b"]" * 500 + b"}",
        1,
        "nested more than 500 levels deep",
    ),
    (
        "too many digits",
        b'{"agent":' + b"1" * 4301 + b',"allowed_tools":[]}',
        1,
        "an integer has more than 4300 digits",
    ),
]


class ParseScope(unittest.TestCase):
    def test_read(self) -> None:
        for name, data, expected in READ:
            with self.subTest(name):
                self.assertEqual(parse_scope(data), expected)

    def test_bad(self) -> None:
        for name, data, line, cause in BAD:
            with self.subTest(name):
                with self.assertRaises(InputError) as caught:
                    parse_scope(data, "scope.json")
                error = caught.exception
                self.assertEqual((error.cause, error.name, error.line), (cause, "scope.json", line))


def outside(allowed: set[str], *tools: str) -> list[tuple[int, str]]:
    calls: list[tuple[str, object, object]] = [(tool, {}, {}) for tool in tools]
    result = scope(read_records(session(*calls).split(b"\n")), Scope("a", frozenset(allowed)))
    assert result.calls == len(tools)
    return [(finding.index, finding.tool) for finding in result.findings]


class Audit(unittest.TestCase):
    def test_nothing(self) -> None:
        self.assertEqual(outside(set()), [])
        self.assertEqual(outside({"x", "y", "never called"}, "x", "y", "x"), [])
        self.assertEqual(outside({"", "\ud83d", "ў"}, "", "\ud83d", "ў"), [])

    def test_found(self) -> None:
        for name, allowed, tools, found in (
            ("every call, repeats too", set(), ["x", "x"], [(0, "x"), (1, "x")]),
            ("some", {"x"}, ["x", "y", "x", "z"], [(1, "y"), (3, "z")]),
            ("case counts", {"read_file"}, ["Read_File"], [(0, "Read_File")]),
            ("no patterns", {"*", "read_*"}, ["read_file"], [(0, "read_file")]),
            ("no prefixes", {"read"}, ["read_file", "rea"], [(0, "read_file"), (1, "rea")]),
            ("white space counts", {"x"}, ["x ", "\tx"], [(0, "x "), (1, "\tx")]),
            ("no normal forms", {"é"}, ["e\u0301"], [(0, "e\u0301")]),
        ):
            with self.subTest(name):
                self.assertEqual(outside(allowed, *tools), found)

    def test_what_a_finding_holds(self) -> None:
        audit = ScopeAudit(Scope("docs-reader", frozenset()))
        for record in read_records([b"\n", *session(("x", {}, {})).split(b"\n")]):
            list(audit.passed([record]))
        (finding,) = audit.result().findings
        self.assertEqual(finding[:6], (0, "permission-overreach", 2, "x", None, "docs-reader"))
        self.assertEqual(finding.call, hashlib.sha256(b'{"args":{},"tool":"x"}').digest())


if __name__ == "__main__":
    unittest.main()
