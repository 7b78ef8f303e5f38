"""Annotations: which there are, how severe, and what is told of those that GitHub would not show."""

import os
import unittest

from runner import Command, commands_in

from toolreplay.engine.errors import InputError
from toolreplay.engine.findings import KINDS, Finding
from toolreplay.engine.links import BrokenLink, VerifyResult
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import FileResult, Outcome
from toolreplay.reports.annotations import Annotation, annotation_lines, annotations, path_in_repository

ANY = frozenset(KINDS)


def file(path: str, *findings: Finding) -> FileResult:
    return FileResult(path, None, ReplayResult(9, findings), None)


def read(*given: Annotation) -> list[Command]:
    return commands_in("\n".join(annotation_lines(given)).encode())


class Which(unittest.TestCase):
    def test_none(self) -> None:
        self.assertEqual(list(annotations([], ANY)), [])
        self.assertEqual(list(annotations([file("a")], ANY)), [])
        self.assertEqual(annotation_lines([]), [])

    def test_each_thing_has_one(self) -> None:
        broken = VerifyResult(1, "0" * 64, BrokenLink(1, 4, "1" * 64, None, "missing"))
        outcomes: list[Outcome] = [
            file("a", Finding(2, "redundant-call", 7, "t", 1)),
            FileResult("b", broken, None, None),
            InputError("no such file", "c"),
            InputError("a bad input"),
        ]
        found = list(annotations(outcomes, frozenset()))
        repeats = "tool 't' repeats the identical call at index 1 with no state change between them"
        missing = f"first broken link: index 1; expected: {'1' * 64}; found: none"
        self.assertEqual(
            found,
            [
                Annotation("warning", "redundant-call", repeats, "a", 7),
                Annotation("error", "broken-chain", missing, "b", 4),
                Annotation("error", "unreadable", "no such file", "c", None),
                Annotation("error", "bad-input", "a bad input"),
            ],
        )
        titles = [command.properties["title"] for command in read(*found)]
        self.assertEqual(titles, ["bad-input", "unreadable", "broken-chain", "redundant-call"])


class Ten(unittest.TestCase):
    def test_ten_are_shown(self) -> None:
        given = [Annotation("error", "k", "x", "a", line) for line in range(1, 11)]
        self.assertEqual([command.message for command in read(*given)], ["x"] * 10)

    def test_of_eleven_the_last_says_where_two_are(self) -> None:
        given = [Annotation("warning", "k", "x", f"f{line}", line) for line in range(1, 12)]
        commands = read(*given)
        self.assertEqual(len(commands), 10)
        more = "2 more in the report in the log of this step: f10 (1), f11 (1)"
        self.assertEqual(commands[9], Command("warning", {"title": "2 more"}, more))

    def test_each_level_has_ten_of_its_own(self) -> None:
        given = [Annotation(level, "k", "x", "a", 1) for level in ("warning", "error") for _ in range(10)]
        self.assertEqual([command.name for command in read(*given)], ["error"] * 10 + ["warning"] * 10)

    def test_what_is_severe_is_not_left_out(self) -> None:
        kinds = ["redundant-call"] * 10 + ["non-determinism", "permission-overreach", "broken-chain", "unreadable"]
        titles = [command.properties["title"] for command in read(*(Annotation("error", kind, "x") for kind in kinds))]
        severe = ["unreadable", "broken-chain", "permission-overreach", "non-determinism"]
        self.assertEqual(titles, [*severe, *["redundant-call"] * 5, "5 more"])

    def test_many_files_are_counted(self) -> None:
        given = [Annotation("error", "k", "x", f"{line:03}", line) for line in range(100)]
        named = ", ".join(f"{number:03} (1)" for number in range(9, 19))
        self.assertTrue(read(*given)[9].message.endswith(f": {named}, 81 other files"))

    def test_without_files(self) -> None:
        given = [Annotation("error", "k", "x")] * 11
        self.assertEqual(read(*given)[9].message, "2 more in the report in the log of this step")


class Paths(unittest.TestCase):
    def test_in_the_repository(self) -> None:
        cases = {"a": "a", "./a": "a", "a/./b": "a/b", "a//b": "a/b", "a/../b": "b", ".a": ".a", "..a": "..a", "-": "-"}
        for path, wanted in cases.items():
            self.assertEqual(path_in_repository(path), wanted)
        self.assertEqual(path_in_repository(os.path.join("a", "b")), "a/b")
        self.assertEqual(path_in_repository(os.path.abspath(os.path.join("a", "b"))), "a/b")

    def test_outside(self) -> None:
        for path in (".", "..", "../a", "a/../../b", "/a", os.path.abspath("."), os.path.abspath("../a")):
            self.assertIsNone(path_in_repository(path), path)
            self.assertNotIn("file", read(Annotation("error", "k", "x", path, 3))[0].properties)

    def test_a_path_that_no_property_can_hold_goes_into_the_message(self) -> None:
        cases = {
            ("=a", 3): "=a:3: x",
            ("=a", None): "=a: x",
            ("\x1b", 3): "\\u001b:3: x",
            ("../a", 3): "../a:3: x",
        }
        for (path, line), message in cases.items():
            commands = read(Annotation("error", "k", "x", path, line))
            self.assertEqual(commands, [Command("error", {"title": "k"}, message)])


if __name__ == "__main__":
    unittest.main()
