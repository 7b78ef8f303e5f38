"""The public Python API: what it offers, that its results are frozen, and that its documentation runs."""

import inspect
import io
import os
import pickle
import tempfile
import tomllib
import unittest
from pathlib import Path

from support import ROOT, SAMPLES

import toolreplay

DIRTY = SAMPLES / "session-dirty.jsonl"


class Names(unittest.TestCase):
    def test_all(self) -> None:
        for name in toolreplay.__all__:
            self.assertTrue(hasattr(toolreplay, name), name)

    def test_everything_public_is_documented_and_typed(self) -> None:
        for name in toolreplay.__all__:
            thing = getattr(toolreplay, name)
            with self.subTest(name):
                if inspect.isfunction(thing):
                    self.assertGreater(len(inspect.getdoc(thing) or ""), 30)
                    self.assertEqual(set(thing.__annotations__), {*inspect.signature(thing).parameters, "return"})
                elif inspect.isclass(thing):
                    self.assertNotIn("Alias for field", thing.__doc__ or "Alias for field")
                    self.assertFalse((thing.__doc__ or "").startswith(name + "("))
        self.assertTrue((ROOT / "toolreplay" / "py.typed").exists())

    def test_the_version_stands_in_one_place(self) -> None:
        self.assertEqual(toolreplay.__version__, "0.6.0")
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        self.assertEqual((project["dynamic"], "version" in project), (["version"], False))


class Results(unittest.TestCase):
    def results(self) -> list[tuple[object, ...]]:
        records = list(toolreplay.read_transcript(DIRTY))
        declared = toolreplay.read_scope(SAMPLES / "scope.json")
        links = list(toolreplay.seal(records))
        lines = [link.line for link in links]
        replayed, overreach = toolreplay.replay(records), toolreplay.scope(records, declared)
        intact, broken = toolreplay.verify(lines), toolreplay.verify(lines[1:])
        assert broken.broken is not None
        return [
            records[0],
            declared,
            toolreplay.Expectation(),
            links[0],
            replayed,
            replayed.findings[0],
            overreach,
            intact,
            broken,
            broken.broken,
            toolreplay.read_session(DIRTY).counts,
        ]

    def test_they_are_frozen(self) -> None:
        for result in self.results():
            with self.subTest(type(result).__name__):
                for field in type(result)._fields:  # type: ignore[attr-defined]
                    with self.assertRaises(AttributeError):
                        setattr(result, field, None)
                with self.assertRaises(AttributeError):
                    result.other = None  # type: ignore[attr-defined]

    def test_they_are_the_public_classes(self) -> None:
        classes = {type(result).__name__ for result in self.results()}
        offered = {name for name in toolreplay.__all__ if inspect.isclass(getattr(toolreplay, name))}
        self.assertEqual(classes, offered - {"InputError", "Imported"})  # the latter holds a store
        for result in self.results():
            self.assertIs(getattr(toolreplay, type(result).__name__), type(result))

    def test_they_survive_pickling(self) -> None:
        for result in self.results():
            self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        error = pickle.loads(pickle.dumps(toolreplay.InputError("cause", "name", 3)))
        self.assertEqual((error.cause, error.name, error.line, str(error)), ("cause", "name", 3, "name:3: cause"))

    def test_truth(self) -> None:
        *_, intact, broken, _, _ = self.results()
        self.assertTrue(intact)
        self.assertFalse(broken)


class Use(unittest.TestCase):
    def test_lines_from_anywhere(self) -> None:
        data = DIRTY.read_bytes()
        for name, lines in (
            ("a list", data.split(b"\n")),
            ("a file", io.BytesIO(data)),
            ("a generator", (line for line in data.splitlines())),
        ):
            with self.subTest(name):
                result = toolreplay.replay(toolreplay.read_records(lines, "x"))
                self.assertEqual((result.calls, result.divergence, len(result.findings)), (6, 5, 2))

    def test_other_mutators(self) -> None:
        result = toolreplay.replay(toolreplay.read_transcript(DIRTY), toolreplay.MUTATORS | {"read_file"})
        self.assertEqual([finding.kind for finding in result.findings], ["non-determinism"])

    def test_a_scope_made_by_hand(self) -> None:
        result = toolreplay.scope(toolreplay.read_transcript(DIRTY), toolreplay.Scope("me", frozenset({"search"})))
        self.assertEqual([finding.index for finding in result.findings], [0, 1, 2, 4])

    def test_the_documented_example_runs(self) -> None:
        doc = inspect.getdoc(toolreplay) or ""
        example = inspect.cleandoc(doc.split("::\n", 1)[1].split("\n\n`read_transcript`")[0])
        self.assertIn("toolreplay.verify_file", example)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("session.jsonl").write_bytes(DIRTY.read_bytes())
            Path("scope.json").write_bytes((SAMPLES / "scope.json").read_bytes())
            printed: list[object] = []
            exec(example, {"print": lambda *words: printed.append(words)})
            os.chdir(before)
        self.assertEqual(printed, [(6, 5), (3, "redundant-call", "read_file"), (6, "non-determinism", "search")])


if __name__ == "__main__":
    unittest.main()
