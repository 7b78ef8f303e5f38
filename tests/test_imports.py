"""Imports go one way: cli, action -> check -> formats, reports -> engine."""

import ast
import unittest
from pathlib import Path

from support import ROOT

PACKAGE = ROOT / "toolreplay"
EDGES = ("cli", "action", "commands", "__main__")


def imported(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, as ``engine.chain``, or ``__init__`` for the package."""
    inside = ("toolreplay", *path.relative_to(PACKAGE).parent.parts)
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = inside[: len(inside) - node.level + 1] if node.level else ()
            base = ".".join((*parents, node.module or "")).strip(".")
            names |= {f"{base}.{alias.name}" if is_module(f"{base}.{alias.name}") else base for alias in node.names}
    ours = {name for name in names if name.split(".")[0] == "toolreplay"}
    return {name.partition(".")[2] or "__init__" for name in ours}


def is_module(name: str) -> bool:
    """Tell whether a name of the package is a module, and not something in one."""
    file = ROOT.joinpath(*name.split("."))
    return file.is_dir() or file.with_suffix(".py").is_file()


class Direction(unittest.TestCase):
    def setUp(self) -> None:
        self.modules = {path: imported(path) for path in sorted(PACKAGE.rglob("*.py"))}

    def test_there_are_modules(self) -> None:
        self.assertGreater(len(self.modules), 10)
        self.assertIn("engine.canonical", set().union(*self.modules.values()))

    def test_the_engine_imports_nothing_of_ours_outside_itself(self) -> None:
        self.check("engine", "engine")

    def test_formats_and_reports_know_the_engine_alone(self) -> None:
        for room in ("formats", "reports"):
            self.check(room, "engine", room)

    def test_nothing_imports_an_edge(self) -> None:
        for path, names in self.modules.items():
            if path.name not in ("__main__.py", "cli.py"):
                own = path.relative_to(PACKAGE).parts[0]  # one command may build on another
                edges = {name for name in names if name.split(".")[0] in EDGES and name.split(".")[0] != own}
                self.assertEqual(edges, set(), path)

    def check(self, room: str, *allowed: str) -> None:
        for path, names in self.modules.items():
            if path.relative_to(PACKAGE).parts[0] == room:
                self.assertEqual({name for name in names if name.split(".")[0] not in allowed}, set(), path)


if __name__ == "__main__":
    unittest.main()
