"""Baselines: known findings fail nothing, and what is no longer found is told."""

import json
import unittest
from pathlib import Path

from report_cases import call, workspace
from support import run
from test_samples import REPLAY

from toolreplay.baseline import baseline_path, parse_baseline
from toolreplay.engine.errors import InputError

KNOWN = "file: dirty.jsonl\n" + REPLAY.replace("between them", "between them (known)").replace(
    "at index 3", "at index 3 (known)"
)


class Check(unittest.TestCase):
    def setUp(self) -> None:
        context = workspace()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def test_what_is_written_is_known(self) -> None:
        wanted = (0, KNOWN + "baseline: 2 known, 0 new, 0 gone\n", "")
        self.assertEqual(run("check", "--write-baseline", "b", "dirty.jsonl"), wanted)
        for spelling in ("--baseline=b", "--baseline=./b"):
            self.assertEqual(run("check", spelling, "dirty.jsonl"), wanted)
        self.assertEqual(run("check", "--baseline=b", "./dirty.jsonl").code, 0)
        self.assertEqual(run("check", "--baseline=b", str(Path("dirty.jsonl").resolve())).code, 0)

    def test_writing_it_again_changes_nothing(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl", "sub dir/ünï & co's.jsonl")
        first = Path("b").read_bytes()
        run("check", "--baseline=b", "--write-baseline=b", "dirty.jsonl", "sub dir/ünï & co's.jsonl")
        self.assertEqual(Path("b").read_bytes(), first)

    def test_a_new_finding_fails(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl")
        code, out, err = run("check", "--baseline=b", "--scope=scope.json", "dirty.jsonl")
        self.assertEqual((code, err), (1, ""))
        self.assertTrue(out.startswith(KNOWN))
        self.assertTrue(out.endswith("'docs-reader'\nbaseline: 2 known, 1 new, 0 gone\n"))

    def test_a_finding_is_known_in_its_own_file_alone(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl")
        Path("copy.jsonl").write_bytes(Path("dirty.jsonl").read_bytes())
        self.assertEqual(run("check", "--baseline=b", "copy.jsonl").code, 1)

    def test_a_known_finding_moves_with_its_call(self) -> None:
        Path("x.jsonl").write_bytes(call(0, "a") + call(1, "a"))
        run("check", "--write-baseline", "b", "x.jsonl")
        Path("x.jsonl").write_bytes(call(0, "b") + call(1, "a") + call(2, "a"))
        self.assertEqual(run("check", "--baseline=b", "x.jsonl").code, 0)
        Path("x.jsonl").write_bytes(call(0, "a") + call(1, "a") + call(2, "a"))
        self.assertEqual(run("check", "--baseline=b", "x.jsonl").code, 1)

    def test_a_finding_is_known_whatever_the_response(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl")
        lines = Path("dirty.jsonl").read_bytes()
        for old, new in ((b": 7}", b": 8}"), (b": 7}", b': "anything"}')):
            self.assertEqual(lines.count(old), 1)
            Path("dirty.jsonl").write_bytes(lines.replace(old, new))
            self.assertEqual(
                run("check", "--baseline=b", "dirty.jsonl").out, KNOWN + "baseline: 2 known, 0 new, 0 gone\n"
            )

    def test_what_is_gone_is_told_and_fails_nothing(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl", "--scope=scope.json")
        code, out, err = run("check", "--baseline=b", "--mutator=read_file", "--scope=scope.json", "dirty.jsonl")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(
            out.endswith("baseline: 2 known, 0 new, 1 gone\ngone: dirty.jsonl: redundant-call: tool 'read_file'\n"), out
        )

    def test_what_was_not_looked_for_is_not_gone_and_is_kept(self) -> None:
        run("check", "--write-baseline", "b", "--scope=scope.json", "dirty.jsonl", "sub dir/ünï & co's.jsonl")
        all_of_it = Path("b").read_bytes()
        wanted = (0, KNOWN + "baseline: 2 known, 0 new, 0 gone\n", "")
        self.assertEqual(run("check", "--baseline=b", "--write-baseline=b", "dirty.jsonl"), wanted)
        self.assertEqual(Path("b").read_bytes(), all_of_it)

    def test_a_broken_chain_cannot_be_known(self) -> None:
        for _ in range(2):
            code, out, err = run("check", "--write-baseline=b", "broken.sealed.jsonl", "dirty.jsonl")
            self.assertEqual((code, err), (1, ""))
            self.assertIn("chain: broken\n", out)
        self.assertEqual(run("check", "--baseline=b", "broken.sealed.jsonl").code, 1)
        self.assertNotIn("sealed", Path("b").read_text(encoding="utf-8"))

    def test_half_a_baseline_is_not_written(self) -> None:
        Path("b").write_bytes(b"old")
        code, out, err = run("check", "--write-baseline=b", "torn.jsonl", "dirty.jsonl")
        self.assertEqual((code, out), (2, KNOWN + "baseline: 2 known, 0 new, 0 gone\n"))
        self.assertTrue(err.endswith("\nerror: b: not written, since not every file could be read\n"))
        self.assertEqual(Path("b").read_bytes(), b"old")

    def test_a_baseline_that_is_missing(self) -> None:
        self.assertEqual(
            run("check", "--baseline=none", "dirty.jsonl"), (2, "", "error: none: no such file or directory\n")
        )

    def test_what_it_holds(self) -> None:
        run("check", "--write-baseline", "b", "dirty.jsonl")
        document = json.loads(Path("b").read_bytes())
        self.assertEqual((document["format"], document["version"]), ("toolreplay-baseline", 1))
        self.assertEqual(
            [(one["path"], one["kind"], one["tool"]) for one in document["findings"]],
            [("dirty.jsonl", "non-determinism", "search"), ("dirty.jsonl", "redundant-call", "read_file")],
        )


ENTRY = '{"path":"a","fingerprint":"f","kind":"redundant-call","tool":"t"}'


def document(findings: str) -> str:
    return f'{{"format":"toolreplay-baseline","version":1,"findings":{findings}}}'


REFUSED = [
    ("", "b:1: not JSON: the text ends too early at column 1"),
    ("{\n\n,", "b:3: not JSON: expected a key or '}' at column 1"),
    ("[]", "b: not an object"),
    ("{}", 'b: missing field: "format"'),
    ('{"x":1}', 'b: unexpected field: "x"'),
    (document("[]").replace("1", "2"), "b: not a baseline of a version that is known here"),
    (document("[]").replace("1", "true"), "b: not a baseline of a version that is known here"),
    (document("[]").replace("1", "1.0"), "b: not a baseline of a version that is known here"),
    (document("[]").replace("-baseline", ""), "b: not a baseline of a version that is known here"),
    (document("{}"), 'b: field "findings" must be an array'),
    (document("[1]"), 'b: entry 0 of "findings": not an object'),
    (document(f"[{ENTRY},{{}}]"), 'b: entry 1 of "findings": missing field: "path"'),
    (document(f'[{ENTRY[:-1]},"x":1}}]'), 'b: entry 0 of "findings": unexpected field: "x"'),
    (document(f"[{ENTRY}]").replace('"t"', "1"), 'b: entry 0 of "findings": field "tool" must be a string'),
    (document(f"[{ENTRY}]").replace("nt-call", ""), "b: entry 0 of \"findings\": not a kind of finding: 'redunda'"),
    (document(f'[{ENTRY[:-1]},"path":"b"}}]'), 'b:1: duplicate key: "path"'),
]


class Format(unittest.TestCase):
    def test_accepted(self) -> None:
        for findings in ("[]", f"[{ENTRY}]", f"[{ENTRY},{ENTRY}]"):
            self.assertEqual(len(parse_baseline(document(findings).encode(), "b").known("./a")), findings != "[]")

    def test_refused(self) -> None:
        for text, error in REFUSED:
            with self.subTest(text), self.assertRaises(InputError) as caught:
                parse_baseline(text.encode(), "b")
            self.assertEqual(str(caught.exception), error)

    def test_paths(self) -> None:
        for path, wanted in (("./a/../b", "b"), ("a//b", "a/b"), ("\udcff", "\\udcff"), ("<stdin>", "<stdin>")):
            self.assertEqual(baseline_path(path), wanted)


if __name__ == "__main__":
    unittest.main()
