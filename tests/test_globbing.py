"""Patterns find every file that they should, and nothing that leads out."""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from toolreplay.globbing import expand

FILES = [
    "a.jsonl",
    "b.txt",
    ".hidden.jsonl",
    "d/a.jsonl",
    "d/e/f/c.jsonl",
    "d/.git/x.jsonl",
    ".git/refs/heads/x.jsonl",
    ".agent/s.jsonl",
    "[a].jsonl",
    "a b/c.jsonl",
]


class Expand(unittest.TestCase):
    def setUp(self) -> None:
        self.parent = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.addCleanup(os.chdir, os.getcwd())
        root = self.parent / "root"
        for name in FILES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(b"")
        (self.parent / "outside.jsonl").write_bytes(b"")
        os.chdir(root)

    def test_patterns_that_match_nothing(self) -> None:
        outside = str(self.parent / "outside.jsonl")
        for pattern in (
            "",
            ".",
            "..",
            "/",
            "none",
            "none/*",
            "*.json",
            "d*",
            "a.jsonl/*",
            "a.jsonl/a*",
            "a.jsonl/**/*",
            "b.txt/x",
            "../outside.jsonl",
            "../*.jsonl",
            "d/../../*.jsonl",
            outside,
            "x\0y",
            "*\0",
            "[",
            "[!]",
        ):
            with self.subTest(pattern):
                self.assertEqual(expand(pattern), [])

    def test_what_patterns_match(self) -> None:
        everything = [name for name in FILES if ".git/" not in name]
        lines = [name for name in everything if name.endswith("l")]
        cases = {
            "a.jsonl": ["a.jsonl"],
            "./a.jsonl": ["a.jsonl"],
            "d//a.jsonl": ["d/a.jsonl"],
            "d/../a.jsonl": ["a.jsonl"],
            "a b/c.jsonl": ["a b/c.jsonl"],
            "d": ["d"],
            "*.jsonl": [".hidden.jsonl", "[a].jsonl", "a.jsonl"],
            "?.jsonl": ["a.jsonl"],
            "[ab].*": ["a.jsonl", "b.txt"],
            "[!a].*": ["b.txt"],
            "[a].jsonl": ["[a].jsonl", "a.jsonl"],
            "*/*.jsonl": [".agent/s.jsonl", "a b/c.jsonl", "d/a.jsonl"],
            "d/*/f/c.jsonl": ["d/e/f/c.jsonl"],
            "**": everything,
            "**/*": everything,
            "**/**/*.jsonl": lines,
            "d/**": ["d/a.jsonl", "d/e/f/c.jsonl"],
            "d/**/c.jsonl": ["d/e/f/c.jsonl"],
            "d/**/f/*": ["d/e/f/c.jsonl"],
            "**/d/**/*.jsonl": ["d/a.jsonl", "d/e/f/c.jsonl"],
            ".git/**/*.jsonl": [".git/refs/heads/x.jsonl"],
        }
        for pattern, wanted in cases.items():
            with self.subTest(pattern):
                self.assertEqual(expand(pattern), sorted(wanted))

    @unittest.skipIf(sys.platform == "win32", "no file can be called so")
    def test_a_file_named_like_a_pattern_hides_nothing(self) -> None:
        Path("*.jsonl").write_bytes(b"")
        self.assertEqual(expand("*.jsonl"), ["*.jsonl", ".hidden.jsonl", "[a].jsonl", "a.jsonl"])

    @unittest.skipUnless(os.name == "posix", "needs symbolic links and named pipes")
    def test_links_and_pipes_are_matched_and_folders_behind_links_not_searched(self) -> None:
        os.symlink("..", "d/up")
        os.symlink("nowhere.jsonl", "d/dangling.jsonl")
        os.symlink("loop.jsonl", "d/loop.jsonl")
        os.mkfifo("d/pipe.jsonl")
        names = ["a.jsonl", "dangling.jsonl", "loop.jsonl", "pipe.jsonl"]
        self.assertEqual(expand("d/*.jsonl"), [f"d/{name}" for name in names])
        self.assertEqual(expand("d/**/*.jsonl"), sorted([*(f"d/{name}" for name in names), "d/e/f/c.jsonl"]))
        self.assertEqual(expand("d/up/*.txt"), ["d/up/b.txt"])

    def test_a_folder_that_can_not_be_listed_does_not_vanish(self) -> None:
        real = os.scandir

        def scandir(path: str) -> object:
            if path == "d":
                raise PermissionError
            return real(path)

        with mock.patch("os.scandir", scandir):
            self.assertEqual(expand("d/*.jsonl"), ["d"])

    @unittest.skipUnless(os.name == "posix", "needs to open a folder from a folder")
    def test_folders_nested_deeper_than_calls(self) -> None:
        here = os.getcwd()
        self.addCleanup(sys.setrecursionlimit, sys.getrecursionlimit())
        sys.setrecursionlimit(200)
        levels = 250
        for _ in range(levels):
            os.mkdir("n")
            os.chdir("n")
        Path("deep.jsonl").write_bytes(b"")
        os.chdir(here)
        found = expand("**/deep.jsonl")
        os.chdir("n/" * levels)  # to take it down again: shutil nests calls
        os.unlink("deep.jsonl")
        for _ in range(levels):
            os.chdir("..")
            os.rmdir("n")
        self.assertEqual(found, ["n/" * levels + "deep.jsonl"])


if __name__ == "__main__":
    unittest.main()
