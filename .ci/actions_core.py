"""Compares our annotations with those of @actions/core, wherever both can say the same.

python .ci/actions_core.py NODE_MODULES, with the project's root and `tests` on the path of modules.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from hostile import HOSTILE

from toolreplay.reports.workflow_commands import MESSAGE_LIMIT, can_be_property, command

SCRIPT = Path(__file__).with_name("actions_core.mjs")
THEIR_NAMES = {"title": "title", "file": "file", "line": "startLine"}


class Case(NamedTuple):
    level: str
    properties: dict[str, str]
    message: str


def cases() -> list[Case]:
    """Return annotations with hostile text in the message and in the file's name; core can't print a lone surrogate."""
    found = []
    for text in HOSTILE.values():
        if text != text.encode("utf-8", "ignore").decode():
            continue
        message = text[:MESSAGE_LIMIT]
        for level in ("error", "warning"):
            found.append(Case(level, {"title": "t"}, message))
            if can_be_property(text):
                found.append(Case(level, {"title": "t", "file": text}, "m"))
                found.append(Case(level, {"title": "t", "file": text, "line": "7"}, message))
    return found


def as_core_takes_it(case: Case) -> dict[str, object]:
    properties = {THEIR_NAMES[name]: value for name, value in case.properties.items()}
    return {"level": case.level, "message": case.message, "properties": properties}


def main() -> int:
    ours = [command(*case) for case in cases()]
    finished = subprocess.run(
        ["node", str(SCRIPT), sys.argv[1]],
        input=json.dumps([as_core_takes_it(case) for case in cases()]).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    theirs = json.loads(finished.stdout)
    different = [(mine, other) for mine, other in zip(ours, theirs, strict=True) if mine != other]
    for mine, other in different:
        print(f"ours:   {mine!r}\ncore's: {other!r}")
    print(f"{len(ours)} annotations compared, {len(different)} different")
    return 1 if different or len(ours) < 100 else 0


if __name__ == "__main__":
    raise SystemExit(main())
