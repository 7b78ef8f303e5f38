"""Cases for the action, for its image and for GitHub itself: what is in the workspace and what must come out.

python .ci/action_cases.py list                       the names of the cases
python .ci/action_cases.py make CASE FOLDER           makes the files of a case, to be checked as FOLDER/*
python .ci/action_cases.py judge CASE CODE OUT FILES  judges what the runner would read of a run in the image
python .ci/action_cases.py outcome CASE               judges what GitHub made of a step, told by variables

The project's root and `tests` must be on the path of modules.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from action_metadata import section
from hostile import HOSTILE
from runner import commands_in, lines_of, outputs_in, summary_shown

SAMPLES = Path(__file__).parent.parent / "samples"
ZEROS = "0" * 64


class Case(NamedTuple):
    """The files by name, the exit code, the outputs but for that code, and the titles of the annotations.

    `heads` are the heads of sealed files that are intact; the files lie in a folder called case.
    """

    files: dict[str, bytes]
    code: int
    verdict: str
    calls: int
    findings: int
    titles: list[str]
    heads: dict[str, str] = {}  # noqa: RUF012 (never changed)

    def outputs(self) -> dict[str, str]:
        return {
            "verdict": self.verdict,
            "exit-code": str(self.code),
            "files": str(len(self.files)),
            "calls": str(self.calls),
            "findings": str(self.findings),
            "report": "",
            "heads": json.dumps(self.heads),
        }


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def sealed(transcript: bytes) -> bytes:
    """Seal a transcript by the published rule."""
    prev, lines = ZEROS, []
    for line in transcript.splitlines():
        link = {**json.loads(line), "prev": prev}
        prev = hashlib.sha256(canonical(link)).hexdigest()
        lines.append(canonical({**link, "digest": prev}) + b"\n")
    return b"".join(lines)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def clean() -> Case:
    chain = sealed(sample("session-clean.jsonl"))
    files = {"a.jsonl": sample("session-clean.jsonl"), "a.sealed.jsonl": chain}
    heads = {"case/a.sealed.jsonl": json.loads(chain.splitlines()[-1])["digest"]}
    return Case(files, 0, "clean", 8, 0, [], heads)


def findings() -> Case:
    titles = ["non-determinism", "redundant-call"]
    return Case({"a.jsonl": sample("session-dirty.jsonl")}, 1, "findings", 6, 2, titles)


def broken() -> Case:
    edited = sealed(sample("session-dirty.jsonl")).replace(b'"hits":3', b'"hits":4')
    return Case({"a.jsonl": edited}, 1, "findings", 3, 1, ["broken-chain"])


def unreadable() -> Case:
    files = {"a.jsonl": sample("session-clean.jsonl"), "b.jsonl": b"[]\n", "c.sealed.jsonl": b""}
    return Case(files, 2, "error", 4, 0, ["unreadable", "unreadable"])


def hostile() -> Case:
    """Return files with every hostile name that Linux takes, and a hostile tool in each."""
    names = [name for name in HOSTILE.values() if is_file_name(name)]
    names += [os.fsdecode(b"\xff::error::x"), os.fsdecode(b"a\xc3")]  # no UTF-8
    files = {}
    for name in names:
        call = {"tool": name, "args": {name: name}, "response": {name: name}}
        files[name] = b"".join(json.dumps({"index": index, **call}).encode() + b"\n" for index in range(2))
    shown = ["redundant-call"] * 9 + [f"{len(names) - 9} more"]
    return Case(files, 1, "findings", 2 * len(names), len(names), shown)


def is_file_name(name: str) -> bool:
    encoded = name.encode("utf-8", "ignore")
    return 0 < len(encoded) < 256 and encoded.decode() == name and "/" not in name and "\0" not in name


CASES: dict[str, Callable[[], Case]] = {
    "clean": clean,
    "findings": findings,
    "broken": broken,
    "unreadable": unreadable,
    "hostile": hostile,
}


def make(case: Case, folder: str) -> None:
    os.makedirs(folder)
    for name, data in case.files.items():
        with open(os.path.join(folder, name), "xb") as file:
            file.write(data)


def judge(case: Case, code: str, out: str, files: str) -> list[str]:
    """Return what is wrong with a run in the image."""
    printed, complained = (Path(out, name).read_bytes() for name in ("stdout", "stderr"))
    commands = commands_in(printed)
    reports = [line for line in lines_of(printed) if line.startswith("file: ")]
    errors = [line for line in lines_of(complained) if line.startswith("error: ")]
    written = Path(files, "step_summary").read_bytes()
    checks: dict[str, tuple[object, object]] = {
        "exit code": (int(code), case.code),
        **of_outputs(case, outputs_in(Path(files, "output").read_text(encoding="utf-8"))),
        "commands": ({command.name for command in commands} - {"error"}, set()),
        "titles": ([command.properties["title"] for command in commands], case.titles),
        "commands on stderr": (commands_in(complained), []),
        "reports and errors": (len(reports) + len(errors), len(case.files)),
        "other files of commands": ([Path(files, name).read_bytes() for name in ("env", "path", "state")], [b""] * 3),
        "summary": (summary_shown(written) is not None and case.verdict in written.decode(), True),
    }
    return [f"{what}: {found!r} instead of {wanted!r}" for what, (found, wanted) in checks.items() if found != wanted]


def of_outputs(case: Case, found: dict[str, str]) -> dict[str, tuple[object, object]]:
    """Return checks of the outputs: each that is declared is there, and those that a case tells are as it tells."""
    told = case.outputs()
    return {
        "names of outputs": (sorted(found), sorted(entry.name for entry in section("outputs"))),
        "outputs": ({name: found.get(name) for name in told}, told),
    }


def outcome(case: Case) -> list[str]:
    """Return what is wrong with a step on GitHub."""
    checks: dict[str, tuple[object, object]] = {
        "outcome": (os.environ["OUTCOME"], "success" if case.code == 0 else "failure"),
        **of_outputs(case, json.loads(os.environ["OUTPUTS"])),
    }
    return [f"{what}: {found!r} instead of {wanted!r}" for what, (found, wanted) in checks.items() if found != wanted]


def main(words: list[str]) -> int:
    if words == ["list"]:
        print(*CASES, sep="\n")
        return 0
    action, name, *rest = words
    case = CASES[name]()
    if action == "make":
        make(case, *rest)
        return 0
    wrong = judge(case, *rest) if action == "judge" else outcome(case)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
