"""Reports for machines: the golden files, and what must be in them, worked out another way."""

import json
import os
import re
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from report_cases import CASES, ERRORS, GOLDEN, HOSTILE_NAMES, SUFFIXES, call, report, workspace
from support import ROOT, run
from test_samples import BROKEN, DIGESTS, DIRTY, OVERREACH, REPLAY, SCOPE

from toolreplay.engine.quoting import inert, quoted
from toolreplay.reports import junit, sarif

REDUNDANT = "tool 'read_file' repeats the identical call at index 1 with no state change between them"
DIVERGED = "tool 'search' returned a different response than the identical call at index 3"
BEYOND = "tool 'write_file' is not in the declared scope for agent 'docs-reader'"

# For each case and file: its type, calls, head and findings as (kind, index, line, related, message).
SESSION = [
    ("redundant-call", 2, 3, 1, REDUNDANT),
    ("permission-overreach", 4, 5, None, BEYOND),
    ("non-determinism", 5, 6, 3, DIVERGED),
]
FACTS: dict[str, list[tuple[str, str | None, int | None, str | None, list[Any]]]] = {
    "clean": [("clean.jsonl", "transcript", 4, None, [])],
    "dirty": [("dirty.jsonl", "transcript", 6, None, [SESSION[0], SESSION[2]])],
    "scope": [("dirty.jsonl", "transcript", 6, None, [SESSION[1]])],
    "intact": [("good.sealed.jsonl", "sealed", 6, DIGESTS[5], [])],
    "broken": [("broken.sealed.jsonl", "sealed", 3, DIGESTS[2], [])],
    "unreadable": [("missing.jsonl", None, None, None, []), ("torn.jsonl", None, None, None, [])],
    "many": [
        ("broken.sealed.jsonl", "sealed", 3, DIGESTS[2], []),
        ("clean.jsonl", "transcript", 4, None, []),
        ("dirty.jsonl", "transcript", 6, None, SESSION),
        ("good.sealed.jsonl", "sealed", 6, DIGESTS[5], SESSION),
        (
            "sub dir/ünï & co's.jsonl",
            "transcript",
            2,
            None,
            [
                ("permission-overreach", 0, 1, None, BEYOND.replace("write_file", "a")),
                ("permission-overreach", 1, 2, None, BEYOND.replace("write_file", "a")),
                ("redundant-call", 1, 2, 0, REDUNDANT.replace("read_file", "a").replace("index 1", "index 0")),
            ],
        ),
        ("torn.jsonl", None, None, None, []),
    ],
}


def reports(format_: str) -> Iterator[tuple[str, str]]:
    with workspace():
        for case in CASES:
            yield case, report(case, format_).out


class Golden(unittest.TestCase):
    maxDiff = None

    def test_the_reports_are_those_that_are_kept(self) -> None:
        with workspace():
            for case, (code, _) in CASES.items():
                for format_, suffix in SUFFIXES.items():
                    with self.subTest(case, format=format_):
                        kept = (GOLDEN / f"{case}.{suffix}").read_text(encoding="utf-8")
                        self.assertEqual(report(case, format_), (code, kept, ERRORS.get(case, "")))

    def test_none_is_left_over(self) -> None:
        made = {f"{case}.{suffix}" for case in CASES for suffix in (*SUFFIXES.values(), "html")}
        self.assertEqual({path.name for path in GOLDEN.iterdir()}, made)

    def test_every_line_is_inert(self) -> None:
        for format_ in SUFFIXES:
            for case, out in reports(format_):
                with self.subTest(case, format=format_):
                    for line in out.removesuffix("\n").split("\n"):
                        self.assertEqual(inert(line), line)
                        self.assertFalse(line.strip().startswith("::"), line)
                    if format_ != "junit":
                        self.assertTrue(out.isascii())

    def test_no_path_of_the_machine(self) -> None:
        with workspace() as folder:
            for format_ in SUFFIXES:
                self.assertNotIn(folder.name, report("many", format_).out)


class Json(unittest.TestCase):
    def test_what_must_be_in_it(self) -> None:
        made = dict(reports("json"))
        for case, files in FACTS.items():
            document = json.loads(made[case])
            with self.subTest(case):
                self.assertEqual((document["format"], document["version"]), ("toolreplay-report", 1))
                self.assertEqual(document["exit_code"], CASES[case][0])
                found = [
                    (
                        file["path"],
                        file["type"],
                        file["calls"],
                        file["chain"] and file["chain"]["head"],
                        [
                            (one["kind"], one["index"], one["line"], one["related"], one["message"])
                            for one in file["findings"]
                        ],
                    )
                    for file in document["files"]
                ]
                self.assertEqual(found, files)

    def test_totals_and_marks(self) -> None:
        document = json.loads(dict(reports("json"))["many"])
        totals = {"files": 6, "unreadable": 1, "broken": 1, "calls": 21, "findings": 9, "known": 1, "failing": 4}
        self.assertEqual(document["totals"], totals)
        found = [finding for file in document["files"] for finding in file["findings"]]
        self.assertEqual([one["message"] for one in found if one["known"]], [REDUNDANT])
        self.assertEqual({one["kind"] for one in found if one["fails"]}, {"permission-overreach"})
        self.assertEqual([gone["path"] for gone in document["gone"]], ["dirty.jsonl"])

    def test_verdicts(self) -> None:
        verdicts = {case: json.loads(text)["verdict"] for case, text in reports("json")}
        self.assertEqual(
            verdicts,
            {"clean": "clean", "dirty": "findings", "scope": "findings", "intact": "clean", "broken": "findings"}
            | {"unreadable": "error", "many": "error", "hostile": "findings"},
        )

    def test_the_broken_link(self) -> None:
        chain = json.loads(dict(reports("json"))["broken"])["files"][0]["chain"]
        lines = BROKEN.splitlines()
        self.assertEqual(chain["state"], "broken")
        self.assertEqual(chain["broken"]["index"], 3)
        self.assertEqual(chain["broken"]["line"], 4)
        self.assertEqual(chain["broken"]["reason"], "digest")
        self.assertEqual([f"expected: {chain['broken']['expected']}", f"found: {chain['broken']['found']}"], lines[2:])

    def test_the_schema_names_every_field_as_required(self) -> None:
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
        for case, text in reports("json"):
            with self.subTest(case):
                self.fields(json.loads(text), schema, schema)

    def fields(self, value: Any, schema: Any, whole: Any) -> None:
        while "$ref" in schema or "oneOf" in schema:
            if "$ref" in schema:
                schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
            else:
                schema = schema["oneOf"][0 if value is None else 1]
        if isinstance(value, dict):
            self.assertEqual(list(value), schema["required"])
            self.assertEqual(list(value), list(schema["properties"]))
            for name, member in value.items():
                self.fields(member, schema["properties"][name], whole)
        elif isinstance(value, list):
            for item in value:
                self.fields(item, schema["items"], whole)


class Fingerprints(unittest.TestCase):
    def of(self, *tools: str) -> list[tuple[int, str]]:
        lines = b"".join(call(index, tool) for index, tool in enumerate(tools))
        document = json.loads(run("check", "--output-format=json", "-", stdin=lines).out)
        return [(one["index"], one["fingerprint"]) for one in document["files"][0]["findings"]]

    def test_they_stay_when_calls_are_added(self) -> None:
        ((index, fingerprint),) = self.of("a", "a")
        self.assertEqual(index, 1)
        for tools, moved_to in ((("b", "a", "a"), 2), (("a", "a", "b"), 1), (("b", "c", "a", "a", "d"), 3)):
            self.assertEqual(self.of(*tools), [(moved_to, fingerprint)])

    def test_equal_findings_are_counted(self) -> None:
        once, twice = self.of("a", "a"), self.of("a", "a", "a")
        self.assertEqual(once[0][1], twice[0][1])
        self.assertNotEqual(twice[0][1], twice[1][1])

    def test_another_call_or_kind_has_another(self) -> None:
        with workspace():
            found = [one["fingerprint"] for _, text in reports("json") for one in fingerprinted(text)]
        self.assertEqual(len(set(found)), 5 + len(HOSTILE_NAMES) + 1)

    def test_how_they_are_made(self) -> None:
        """As the documentation has it, by hand."""
        from hashlib import sha256

        call_digest = sha256(b'{"args":{},"tool":"a"}').hexdigest()
        parts = f'{{"agent":null,"call":"{call_digest}","kind":"redundant-call","occurrence":0}}'
        self.assertEqual(self.of("a", "a"), [(1, sha256(parts.encode()).hexdigest())])


def fingerprinted(text: str) -> list[Any]:
    return [finding for file in json.loads(text)["files"] for finding in file["findings"]]


class Sarif(unittest.TestCase):
    def test_what_must_be_in_it(self) -> None:
        made = dict(reports("sarif"))
        for case, files in FACTS.items():
            (document,) = json.loads(made[case])["runs"]
            with self.subTest(case):
                wanted = {(kind, line) for _, _, _, _, found in files for kind, _, line, _, _ in found}
                results = [one for one in document["results"] if one["ruleId"] != "broken-chain"]
                self.assertEqual({(one["ruleId"], self.place(one)[1]) for one in results}, wanted)
                self.assertEqual(len(results), sum(len(found) for *_, found in files))
                self.assertEqual(document["invocations"][0]["exitCode"], CASES[case][0])
                self.assertEqual(document["invocations"][0]["executionSuccessful"], CASES[case][0] != 2)
                for one in document["results"]:
                    rule = document["tool"]["driver"]["rules"][one["ruleIndex"]]
                    self.assertEqual(rule["id"], one["ruleId"])

    def place(self, result: Any) -> tuple[str, int]:
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        self.assertEqual(physical["artifactLocation"]["uriBaseId"], "%SRCROOT%")
        return physical["artifactLocation"]["uri"], physical["region"]["startLine"]

    def test_levels_and_places(self) -> None:
        (document,) = json.loads(dict(reports("sarif"))["many"])["runs"]
        results = document["results"]
        self.assertEqual([one["level"] for one in results], ["error"] * 5 + ["warning"] * 4 + ["note"])
        self.assertEqual([one["baselineState"] for one in results], ["new"] * 9 + ["unchanged"])
        self.assertEqual((results[0]["ruleId"], self.place(results[0])), ("broken-chain", ("broken.sealed.jsonl", 4)))
        self.assertIn(("sub%20dir/%C3%BCn%C3%AF%20%26%20co%27s.jsonl", 2), [self.place(one) for one in results])
        notifications = document["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual([one["level"] for one in notifications], ["error", "note"])

    def test_fingerprints_are_those_of_json(self) -> None:
        (document,) = json.loads(dict(reports("sarif"))["dirty"])["runs"]
        wanted = {one["kind"]: one["fingerprint"] for one in fingerprinted(dict(reports("json"))["dirty"])}
        self.assertEqual(len(wanted), 2)
        for name in ("primaryLocationLineHash", "toolreplayFinding/v1"):
            found = {one["ruleId"]: one["partialFingerprints"][name] for one in document["results"]}
            self.assertEqual(found, wanted)

    def test_no_placeholder_and_no_link(self) -> None:
        (document,) = json.loads(dict(reports("sarif"))["hostile"])["runs"]
        for result in document["results"]:
            self.assertIsNone(re.search(r"\]\(|\{\d", result["message"]["text"]))

    def test_more_than_github_accepts(self) -> None:
        with workspace(), mock.patch.object(sarif, "MOST_RESULTS", 4):
            (document,) = json.loads(report("many", "sarif").out)["runs"]
        self.assertEqual([one["level"] for one in document["results"]], ["error"] * 4)
        texts = [one["message"]["text"] for one in document["invocations"][0]["toolExecutionNotifications"]]
        self.assertIn("6 more results are left out: 4 are the most that GitHub accepts.", texts)

    def test_a_flood_of_small_findings_hides_no_grave_one(self) -> None:
        with workspace() as folder, mock.patch.object(sarif, "MOST_RESULTS", 3):
            (folder / "a.jsonl").write_bytes(b"".join(call(at, "read_file") for at in range(9)))
            arguments = ("--scope=scope.json", "a.jsonl", "broken.sealed.jsonl", "dirty.jsonl")
            (document,) = json.loads(run("check", "--output-format=sarif", *arguments).out)["runs"]
        kinds = ["broken-chain", "permission-overreach", "non-determinism"]
        self.assertEqual([one["ruleId"] for one in document["results"]], kinds)

    def test_uris(self) -> None:
        cases = [
            ("a.jsonl", "a.jsonl", True),
            ("./a:b.jsonl", "a%3Ab.jsonl", True),
            ("../x y", "../x%20y", True),
            ("/abs/é", "file:///abs/%C3%A9", False),
            (os.path.abspath("sub/é"), "sub/%C3%A9", True),
            ("\udcff", "%FF", True),
            ("\ud800", "%5Cud800", True),
        ]
        for path, uri, relative in cases:
            with self.subTest(path):
                made = sarif.artifact_location(path)
                self.assertEqual((made["uri"], "uriBaseId" in made), (uri, relative))


# For each case and file, its cases and what stands in them.
STATES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "clean": [("clean.jsonl", {"non-determinism": "", "redundant-call": ""})],
    "dirty": [("dirty.jsonl", {"non-determinism": "failure", "redundant-call": "failure"})],
    "scope": [("dirty.jsonl", {"permission-overreach": "failure"})],
    "intact": [("good.sealed.jsonl", {"chain": ""})],
    "broken": [("broken.sealed.jsonl", {"chain": "failure"})],
    "unreadable": [("missing.jsonl", {"input": "error"}), ("torn.jsonl", {"input": "error"})],
    "hostile": [("hostile.jsonl", {"non-determinism": "", "redundant-call": "failure"})],
    "many": [
        ("broken.sealed.jsonl", {"chain": "failure", "non-determinism": "skipped", "redundant-call": "skipped"}),
        ("clean.jsonl", {"non-determinism": "", "redundant-call": "", "permission-overreach": ""}),
        (
            "dirty.jsonl",
            {"non-determinism": "system-out", "redundant-call": "system-out", "permission-overreach": "failure"},
        ),
        (
            "good.sealed.jsonl",
            {"chain": "", "non-determinism": "system-out", "redundant-call": "system-out"}
            | {"permission-overreach": "failure"},
        ),
        (
            "sub dir/ünï & co's.jsonl",
            {"non-determinism": "", "redundant-call": "system-out", "permission-overreach": "failure"},
        ),
        ("torn.jsonl", {"input": "error"}),
    ],
}


class Junit(unittest.TestCase):
    def test_an_independent_reader(self) -> None:
        for case, text in reports("junit"):
            with self.subTest(case):
                root = ElementTree.fromstring(text.encode())
                found = [
                    (suite.get("name"), {one.get("name"): one[0].tag if len(one) else "" for one in suite})
                    for suite in root
                ]
                self.assertEqual(found, STATES[case])
                for element in (root, *root):
                    inside = list(element.iter("testcase"))
                    self.assertEqual(element.get("tests"), str(len(inside)))
                    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                        self.assertEqual(element.get(name), str(sum(one.find(tag) is not None for one in inside)))

    def test_hostile_names_read_back(self) -> None:
        root = ElementTree.fromstring(dict(reports("junit"))["hostile"].encode())
        text = root.find(".//failure").text or ""  # type: ignore[union-attr]  # it is there
        lines = [line.strip(" ") for line in text.strip().split("\n")]
        self.assertEqual(len(lines), len(HOSTILE_NAMES))
        for line, name in zip(lines, HOSTILE_NAMES, strict=True):
            shown = quoted(name).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
            self.assertIn(f": tool {shown} repeats ", line)

    def test_more_than_a_case_lists(self) -> None:
        with workspace(), mock.patch.object(junit, "SHOWN_OF_A_CASE", 2):
            root = ElementTree.fromstring(report("hostile", "junit").out.encode())
        text = root.find(".//failure").text or ""  # type: ignore[union-attr]  # it is there
        self.assertEqual(text.strip().split("\n")[-1].strip(), f"{len(HOSTILE_NAMES) - 2} more")


class Github(unittest.TestCase):
    """The commands themselves are tested with the Action; here, that they are the right ones."""

    def test_errors_warnings_and_places(self) -> None:
        with workspace():
            lines = report("many", "github").out.splitlines()
        found = sorted(re.match(r"::(error|warning) .*title=([^,:]*)", line)[0] for line in lines)  # type: ignore[index]
        levels = ["error"] * 6 + ["warning"] * 4
        self.assertEqual([line[2:].split(" ")[0] for line in found], levels)
        self.assertEqual(sum("broken-chain" in line for line in found), 1)

    def test_known_findings_are_left_out(self) -> None:
        with workspace():
            for command in (["check"], ["check", "--scope=scope.json"]):
                run(*command, "--write-baseline=all", "dirty.jsonl")
                self.assertEqual(run(*command, "--output-format=github", "--baseline=all", "dirty.jsonl"), (0, "", ""))
                self.assertEqual(run(*command, "--output-format=github", "dirty.jsonl").code, 1)
            code, out, err = run("check", "--output-format=github", "--baseline=baseline.json", "dirty.jsonl")
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(len(out.splitlines()), 1)
        self.assertIn(DIVERGED, out)

    def test_each_command(self) -> None:
        for case, count in {"clean": 0, "dirty": 2, "scope": 1, "intact": 0, "broken": 1}.items():
            with workspace():
                code, out, err = report(case, "github")
            self.assertEqual((code, len(out.splitlines()), err), (CASES[case][0], count, ""))


class Delivery(unittest.TestCase):
    def test_without_these_options_nothing_changes(self) -> None:
        self.assertEqual(run("replay", DIRTY), (1, REPLAY, ""))
        self.assertEqual(run("replay", "--output-format", "text", DIRTY), (1, REPLAY, ""))
        self.assertEqual(run("scope", "--output-format=text", DIRTY, SCOPE), (1, OVERREACH, ""))

    def test_into_a_file(self) -> None:
        for format_ in ("text", "json", "sarif", "junit"):
            with self.subTest(format_), workspace():
                words = ("check", "--output-format", format_, "dirty.jsonl", "clean.jsonl")
                code, wanted, _ = run(*words)
                self.assertEqual(run(*words, "-o", "out"), (code, "", ""))
                self.assertEqual(Path("out").read_bytes().decode(), wanted)
                self.assertEqual(os.listdir().count("out"), 1)

    def test_text_of_each_command_into_a_file(self) -> None:
        cases = {"clean": "", "dirty": REPLAY, "scope": OVERREACH, "intact": "chain: intact\n", "broken": BROKEN}
        with workspace():
            for case, text in cases.items():
                code, words = CASES[case]
                self.assertEqual(run(*words, "-o", "out"), (code, "", ""))
                self.assertEqual(Path("out").read_bytes().decode(), text or run(*words).out)

    def test_an_old_report_stays_when_there_is_no_new_one(self) -> None:
        with workspace():
            Path("out").write_bytes(b"old")
            code, out, err = run("replay", "--output-format=json", "-o", "out", "torn.jsonl")
            self.assertEqual((code, out, err), (2, "", ERRORS["many"]))
            self.assertEqual(Path("out").read_bytes(), b"old")

    def test_an_input_is_never_replaced(self) -> None:
        with workspace():
            targets = ["dirty.jsonl", "./dirty.jsonl"]
            if os.name == "posix":
                os.symlink("dirty.jsonl", "link")
                targets.append("link")
            for option in ("-o", "--write-baseline"):
                for target in targets:
                    result = run("check", option, target, "clean.jsonl", "dirty.jsonl")
                    error = f"error: option {option}: {target} is an input, which would be replaced\n"
                    self.assertEqual(result, (2, "", error))

    def test_nor_is_what_an_option_names_to_be_read(self) -> None:
        head = f"good.sealed.jsonl={DIGESTS[5]}"
        cases = {
            "a scope": ("-o", "scope.json", "--scope=scope.json"),
            "a baseline": ("-o", "known.json", "--baseline=known.json"),
            "a sealed file that only its head names": ("-o", "good.sealed.jsonl", f"--expect-head={head}"),
            "a scope, by a baseline": ("--write-baseline", "scope.json", "--scope=scope.json"),
            "a sealed file, by a baseline": ("--write-baseline", "./good.sealed.jsonl", f"--expect-head={head}"),
        }
        with workspace():
            run("check", "--write-baseline=known.json", "dirty.jsonl")
            for case, (option, target, other) in cases.items():
                with self.subTest(case):
                    before = Path(target).read_bytes()
                    error = f"error: option {option}: {target} is an input, which would be replaced\n"
                    self.assertEqual(run("check", option, target, other, "dirty.jsonl"), (2, "", error))
                    self.assertEqual(Path(target).read_bytes(), before)

    def test_a_report_and_a_baseline_are_two_files(self) -> None:
        with workspace():
            error = "error: options -o and --write-baseline: out can't be both\n"
            self.assertEqual(run("check", "-o", "out", "--write-baseline", "./out", "dirty.jsonl"), (2, "", error))
            self.assertFalse(Path("out").exists())

    def test_a_dash_is_standard_output(self) -> None:
        with workspace():
            for command in ("replay", "check"):
                plain = run(command, "--output-format=json", "dirty.jsonl")
                self.assertEqual(run(command, "--output-format=json", "-o", "-", "dirty.jsonl"), plain)
            self.assertFalse(Path("-").exists())

    def test_an_unknown_format(self) -> None:
        error = "error: option --output-format: 'xml' is not one of text, json, sarif, junit, html, github\n"
        self.assertEqual(run("replay", "--output-format", "xml", DIRTY), (2, "", error))

    def test_standard_input(self) -> None:
        document = json.loads(run("replay", "--output-format=json", "-", stdin=call(0, "a")).out)
        self.assertEqual(document["files"][0]["path"], "<stdin>")


if __name__ == "__main__":
    unittest.main()
