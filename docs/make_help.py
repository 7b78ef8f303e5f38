"""Bring the help shown in docs/commands.md up to date.

python docs/make_help.py
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # a checkout that is not installed

from toolreplay.arguments import usage  # noqa: E402
from toolreplay.cli import command_named  # noqa: E402

PAGE = ROOT / "docs" / "commands.md"
_SHOWN = re.compile(r"^\$ toolreplay (?!hook)(\w+) --help\n.*?^```$", re.MULTILINE | re.DOTALL)


def _current(match: re.Match[str]) -> str:
    return "\n".join([f"$ toolreplay {match[1]} --help", *usage(command_named(match[1])), "```"])


if __name__ == "__main__":
    PAGE.write_text(_SHOWN.sub(_current, PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
