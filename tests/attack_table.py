"""What is told of each kind of change to a sealed file: tried out, and written as the table of the documentation.

``PYTHONPATH=. python tests/attack_table.py`` writes ``docs/attack-table.md`` anew.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from repositories import GIT, QUIET, Files, Scratch
from support import ROOT, run

from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import read_records

DOCUMENT = ROOT / "docs" / "attack-table.md"

TEXT = """\
# What is told of which change

Each change is made to the same sealed file of six links, and the result is given to `verify`, to `verify --exact`, to
`verify --expect-head` with the head of the file as it was, and to `guard` in a git repository whose last commit has the
file as it was. A test makes this table, so it is what the program does. The number is the first broken link that is
reported; `error` is exit code 2.

"""

HEADER = ("the change", "`verify`", "`--exact`", "`--expect-head`", "`guard`")

RECORDS = """\
{"index":0,"tool":"list_dir","args":{"path":"docs"},"response":{"entries":["intro.md","café.md"]}}
{"index":1,"tool":"read_file","args":{"path":"docs/intro.md"},"response":{"bytes":214,"ratio":1.5}}
{"index":2,"tool":"search","args":{"query":"install"},"response":{"hits":3}}
{"index":3,"tool":"search","args":{"query":"uninstall"},"response":{"found":true,"hits":3}}
{"index":4,"tool":"write_file","args":{"path":"a","text":"edited"},"response":{"ok":true}}
{"index":5,"tool":"read_file","args":{"path":"a"},"response":{"text":"edited"}}
"""


def sealed(records: str) -> list[bytes]:
    """Return the lines of records when they are sealed."""
    return [link.line for link in seal(read_records(records.encode().splitlines()))]


LINES = sealed(RECORDS)
HEAD = LINES[-1].partition(b'"digest":"')[2][:64].decode()
DIGEST = LINES[3].partition(b'"digest":"')[2][:64]
OTHER = sealed(RECORDS.replace("docs", "src"))
EDITED = sealed(RECORDS.replace('true,"hits":3', 'true,"hits":4'))
GROWN = sealed(RECORDS + '{"index":6,"tool":"t","args":{},"response":{}}\n')


def in_link(index: int, old: bytes, new: bytes) -> bytes:
    """Return the file with one place of one link changed."""
    assert LINES[index].count(old) == 1, (index, old)
    return b"".join([*LINES[:index], LINES[index].replace(old, new), *LINES[index + 1 :]])


def everywhere(old: bytes, new: bytes) -> bytes:
    """Return the file with something changed wherever it stands."""
    assert old in b"".join(LINES), old
    return b"".join(LINES).replace(old, new)


def at(*positions: int) -> bytes:
    """Return the file with these links in this order."""
    return b"".join(LINES[position] for position in positions)


def reordered() -> bytes:
    """Return the file with the keys of each link in another order."""
    return b"".join(
        json.dumps(dict(reversed(json.loads(line).items())), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for line in LINES
    )


def stripped() -> bytes:
    """Return the file as a transcript."""
    return RECORDS.encode()


# What is changed decides what must be told: a value, only its spelling, the links, the end, all of it, or the form.
VALUE, SPELLING, LINKS, END, RESEALED, FORM, GROWTH = "value", "spelling", "links", "end", "resealed", "form", "growth"


class Change(NamedTuple):
    """One kind of change; `made` is `None` for a file that is removed."""

    kind: str
    text: str
    made: bytes | None


CHANGES = [
    Change(VALUE, "a number in a response", in_link(3, b'"hits":3', b'"hits":4')),
    Change(VALUE, "a text in the arguments", in_link(3, b"uninstall", b"install")),
    Change(VALUE, "the tool's name", in_link(3, b'"search"', b'"Search"')),
    Change(VALUE, "the index", in_link(3, b'"index":3', b'"index":9')),
    Change(VALUE, "a member added to a response", in_link(3, b'"found":true', b'"found":true,"g":1')),
    Change(VALUE, "a member taken out of a response", in_link(3, b'"found":true,', b"")),
    Change(VALUE, 'the type of a value: `3` to `"3"`', in_link(3, b'"hits":3', b'"hits":"3"')),
    Change(VALUE, "the type of a number: `3` to `3.0`", in_link(3, b'"hits":3', b'"hits":3.0')),
    Change(VALUE, "the type of a value: `true` to `1`", in_link(3, b"true", b"1")),
    Change(VALUE, "a digest", in_link(3, b'"digest":"', b'"digest":"0')),
    Change(VALUE, "a digest in upper case", in_link(3, DIGEST, DIGEST.upper())),
    Change(VALUE, "the `prev` of a link", in_link(3, b'"prev":"', b'"prev":"0')),
    Change(VALUE, "a value, and the digest of its link to match", b"".join([*LINES[:3], EDITED[3], *LINES[4:]])),
    Change(SPELLING, "a float, spelled otherwise: `1.5` to `1.50`", in_link(1, b"1.5", b"1.50")),
    Change(SPELLING, "a character, spelled as an escape: `d` to `\\u0064`", in_link(3, b"found", b"foun\\u0064")),
    Change(SPELLING, "a character that is not ASCII, spelled as an escape", everywhere("é".encode(), b"\\u00e9")),
    Change(SPELLING, "white space between members", in_link(3, b',"index"', b', "index"')),
    Change(SPELLING, "the order of members", reordered()),
    Change(SPELLING, "line ends of Windows", everywhere(b"\n", b"\r\n")),
    Change(SPELLING, "a blank line between links", in_link(2, b"}\n", b"}\n\n")),
    Change(SPELLING, "no line end after the last link", b"".join(LINES)[:-1]),
    Change(LINKS, "a link removed", at(0, 1, 2, 4, 5)),
    Change(LINKS, "the first link removed", at(1, 2, 3, 4, 5)),
    Change(LINKS, "a link doubled", at(0, 1, 2, 3, 3, 4, 5)),
    Change(LINKS, "the last link doubled", at(0, 1, 2, 3, 4, 5, 5)),
    Change(LINKS, "two links swapped", at(0, 1, 2, 4, 3, 5)),
    Change(LINKS, "a link of another chain put in", b"".join([*LINES[:3], OTHER[3], *LINES[4:]])),
    Change(END, "the last link cut off", at(0, 1, 2, 3, 4)),
    Change(END, "all but the first link cut off", at(0)),
    Change(RESEALED, "a value, and everything from there on sealed again", b"".join(EDITED)),
    Change(RESEALED, "the whole file replaced by another chain", b"".join(OTHER)),
    Change(RESEALED, "the whole file replaced by a shorter chain", b"".join(OTHER[:2])),
    Change(FORM, "the last line torn", b"".join(LINES)[:-20]),
    Change(FORM, "a type that links don't have: the tool's name to a number", in_link(3, b'"search"', b"1")),
    Change(FORM, "a key twice in a link", in_link(3, b'"index":3', b'"index":3,"index":3')),
    Change(FORM, "a field that links don't have", in_link(3, b'"index":3', b'"id":3,"index":3')),
    Change(FORM, "a byte order mark before the first link", b"\xef\xbb\xbf" + b"".join(LINES)),
    Change(FORM, "`prev` and `digest` of all links taken out", stripped()),
    Change(FORM, "the file emptied", b""),
    Change(FORM, "the file removed", None),
    Change(GROWTH, "*no attack:* nothing changed", b"".join(LINES)),
    Change(GROWTH, "*no attack:* grown by a link", b"".join(GROWN)),
]


def told(change: Change, *options: str) -> str:
    """Return what `verify` says of a change, in short."""
    if change.made is None:
        code, out, _ = run("verify", *options, "no-such-file.jsonl")
    else:
        code, out, _ = run("verify", *options, "-", stdin=change.made)
    if code == 2:
        return "error"
    return "intact" if code == 0 else out.splitlines()[1].replace("first broken link: index", "**broken:**")


def guards() -> Iterator[str]:
    """Return what the guard says of each change, in short, in their order."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, mock.patch.dict("os.environ", QUIET):
        scratch = Scratch(Path(name, "repository"))
        path = b"run.sealed.jsonl"
        states: list[Files] = [{path: b"".join(LINES)}, *({path: change.made, b"x": b""} for change in CHANGES)]
        before, *after = scratch.imported(states)
        for commit in after:
            scratch.at(before, commit)
            code, out, _ = scratch.guard()
            last = out.splitlines()[-1]
            yield "passes" if code == 0 else "error" if code == 2 else f"**{last.partition(':')[0]}**"


def rows(guard: Callable[[], Iterator[str]]) -> list[tuple[str, str, str, str, str]]:
    """Return the rows of the table."""
    return [
        (change.text, told(change), told(change, "--exact"), told(change, "--expect-head", HEAD), guarded)
        for change, guarded in zip(CHANGES, guard(), strict=True)
    ]


def document(found: list[tuple[str, str, str, str, str]]) -> str:
    """Return the text of the document."""
    lines = [f"| {' | '.join(row)} |" for row in (HEADER, ("---",) * 5, *found)]
    return TEXT + "\n".join(lines) + "\n"


if __name__ == "__main__":
    if GIT is None:
        sys.exit("git is not installed")
    DOCUMENT.write_text(document(rows(guards)), encoding="utf-8")
