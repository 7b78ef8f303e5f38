"""What the guard says of the index beside a commit."""

import unittest
from collections.abc import Iterator
from hashlib import sha256

from repositories import Files, RepositoryTest, Scratch, sealed
from support import Outcome

SIX = sealed("a", "b", "c", "d", "e", "f")
OTHER = sealed("a", "b", "x", "d", "e", "f", "g")
LONGER = sealed("a", "b", "c", "d", "e", "f", "g", "h")
RECORD = b'{"index":0,"tool":"a","args":{},"response":{}}\n'
DATA = b'{"digest":"sha256:00","name":"image"}\n{"digest":"sha256:01","name":"image"}\n'

P, Q = b"run.sealed.jsonl", b"agents/moved.jsonl"


def whole(lines: list[bytes]) -> bytes:
    return b"".join(lines)


def digest(line: bytes) -> str:
    return line.split(b'"digest":"')[1][:64].decode()


def edited(lines: list[bytes], index: int) -> bytes:
    """Return the file with the response of one link changed and nothing else."""
    changed = lines[index].replace(b'"response":{}', b'"response":{"ok":1}')
    return whole([*lines[:index], changed, *lines[index + 1 :]])


def broken(lines: list[bytes], index: int) -> str:
    """Say, for a link edited like that, what the published way to check it by hand gives: hash all but its digest."""
    stored = digest(lines[index])
    line = edited(lines, index).splitlines()[index].replace(b'"digest":"%b",' % stored.encode(), b"")
    return f"first broken link: index {index}, expected {sha256(line).hexdigest()}, found {stored}"


# Each case: what the commit has, what is staged upon it, how many sealed files there are.
PASSES: dict[str, tuple[Files, Files, int]] = {
    "nothing at all": ({}, {}, 0),
    "no sealed file": ({b"data.jsonl": DATA, b"t.jsonl": RECORD}, {}, 0),
    "unchanged": ({P: whole(SIX)}, {}, 1),
    "another file changed": ({P: whole(SIX), b"README": b"a"}, {b"README": b"b"}, 1),
    "grown": ({P: whole(SIX)}, {P: whole(LONGER)}, 1),
    "grown, with no line end before": ({P: whole(SIX)[:-1]}, {P: whole(LONGER)}, 1),
    "grown, with blank lines before": ({P: b"\n \n" + whole(SIX)}, {P: b"\n \n" + whole(LONGER)}, 1),
    "grown and renamed, with another chain at its path that has the same links": (
        {P: whole(SIX[:3])},
        {P: whole(OTHER), Q: whole(SIX)},
        2,
    ),
    "other data grown": ({b"data.jsonl": DATA}, {b"data.jsonl": DATA + DATA}, 0),
    "a transcript grown": ({P: RECORD}, {P: RECORD * 2}, 0),
    "one link, grown": ({P: SIX[0]}, {P: whole(SIX)}, 1),
    "new": ({}, {P: whole(SIX)}, 1),
    "no line end after the last link": ({P: whole(SIX)}, {P: whole(SIX)[:-1]}, 1),
    "line ends of Windows": ({P: whole(SIX)}, {P: whole(SIX).replace(b"\n", b"\r\n")}, 1),
    "renamed": ({P: whole(SIX)}, {P: None, Q: whole(SIX)}, 2),
    "renamed and grown": ({P: whole(SIX)}, {P: None, Q: whole(LONGER)}, 2),
    "renamed onto a file that was no sealed file": ({P: whole(SIX), Q: DATA}, {P: None, Q: whole(SIX)}, 2),
    "two were renamed": (
        {P: whole(SIX), b"o.jsonl": whole(OTHER)},
        {P: None, b"o.jsonl": None, Q: whole(OTHER), b"q.jsonl": whole(SIX)},
        4,
    ),
    "moved away, with another chain at its path": ({P: whole(SIX)}, {P: whole(OTHER), Q: whole(SIX)}, 2),
    "copied": ({P: whole(SIX)}, {Q: whole(SIX)}, 2),
    "a transcript was sealed": ({P: RECORD}, {P: whole(SIX)}, 1),
    "other data removed": ({b"data.jsonl": DATA, b"t.jsonl": RECORD}, {b"data.jsonl": None, b"t.jsonl": None}, 0),
    "other data changed": ({b"data.jsonl": DATA}, {b"data.jsonl": DATA[:9]}, 0),
    "a broken one restored": ({P: edited(SIX, 3)}, {P: whole(SIX)}, 1),
    "a broken one repaired behind the break": ({P: edited(SIX, 3)}, {P: whole(SIX[:3])}, 1),
    "one broken at its first link repaired": ({P: edited(SIX, 0)}, {P: whole(OTHER)}, 1),
    "not called .jsonl": ({b"sealed.txt": whole(SIX)}, {b"sealed.txt": None}, 0),
}

GONE = "is not in the index; it had 6 links"
DIFFERS = f"first link that differs: index 2, expected {digest(SIX[2])}, found {digest(OTHER[2])}"

# Each case: what the commit has, what is staged upon it, the findings.
FINDS: dict[str, tuple[Files, Files, list[str]]] = {
    "removed": ({P: whole(SIX)}, {P: None}, [f"seal-removed: run.sealed.jsonl: {GONE}"]),
    "removed, of one link": (
        {P: SIX[0]},
        {P: None},
        ["seal-removed: run.sealed.jsonl: is not in the index; it had 1 link"],
    ),
    "renamed to a name that is not looked at": (
        {P: whole(SIX)},
        {P: None, b"run.sealed.txt": whole(SIX)},
        [f"seal-removed: run.sealed.jsonl: {GONE}"],
    ),
    "renamed and cut": (
        {P: whole(SIX)},
        {P: None, Q: whole(SIX[:5])},
        [f"seal-removed: run.sealed.jsonl: {GONE}"],
    ),
    "renamed and sealed again": (
        {P: whole(SIX)},
        {P: None, Q: whole(OTHER)},
        [f"seal-removed: run.sealed.jsonl: {GONE}"],
    ),
    "removed, but another old file begins with its links": (
        {P: whole(SIX), Q: whole(LONGER)},
        {P: None},
        [f"seal-removed: run.sealed.jsonl: {GONE}"],
    ),
    "replaced by a folder": (
        {P: whole(SIX)},
        {P: None, P + b"/x.txt": b""},
        [f"seal-removed: run.sealed.jsonl: {GONE}"],
    ),
    "cut": (
        {P: whole(SIX)},
        {P: whole(SIX[:3])},
        ["seal-truncated: run.sealed.jsonl: keeps index 0 to 2, lacks index 3 to 5"],
    ),
    "cut by one link": (
        {P: whole(SIX)},
        {P: whole(SIX[:5])},
        ["seal-truncated: run.sealed.jsonl: keeps index 0 to 4, lacks index 5"],
    ),
    "cut to one link": (
        {P: whole(SIX)},
        {P: SIX[0]},
        ["seal-truncated: run.sealed.jsonl: keeps index 0, lacks index 1 to 5"],
    ),
    "emptied": (
        {P: whole(SIX)},
        {P: b""},
        ["seal-truncated: run.sealed.jsonl: keeps no link, lacks index 0 to 5"],
    ),
    "only blank lines left": (
        {P: whole(SIX)},
        {P: b"\n \n"},
        ["seal-truncated: run.sealed.jsonl: keeps no link, lacks index 0 to 5"],
    ),
    "cut, with a copy of the whole elsewhere that is old": (
        {P: whole(SIX), Q: whole(SIX)},
        {P: whole(SIX[:5])},
        ["seal-truncated: run.sealed.jsonl: keeps index 0 to 4, lacks index 5"],
    ),
    "sealed again from a link on": (
        {P: whole(SIX)},
        {P: whole(OTHER)},
        [f"seal-rewritten: run.sealed.jsonl: {DIFFERS}"],
    ),
    "sealed again and cut": (
        {P: whole(SIX)},
        {P: whole(OTHER[:3])},
        [f"seal-rewritten: run.sealed.jsonl: {DIFFERS}"],
    ),
    "another chain from the first link on": (
        {P: whole(SIX)},
        {P: whole(sealed("z"))},
        [
            "seal-rewritten: run.sealed.jsonl: first link that differs: index 0, "
            f"expected {digest(SIX[0])}, found {digest(sealed('z')[0])}"
        ],
    ),
    "sealed again, and broken behind that": (
        {P: whole(SIX)},
        {P: edited(OTHER, 4)},
        [f"seal-rewritten: run.sealed.jsonl: {DIFFERS}"],
    ),
    "only its last link differs": (
        {P: whole(SIX[:3])},
        {P: whole(OTHER[:3])},
        [f"seal-rewritten: run.sealed.jsonl: {DIFFERS}"],
    ),
    "a link taken out of the middle": (
        {P: whole(SIX)},
        {P: whole([*SIX[:3], *SIX[4:]])},
        [
            "seal-broken: run.sealed.jsonl: first broken link: index 3, "
            f"expected {digest(SIX[2])}, found {digest(SIX[3])}"
        ],
    ),
    "digests stripped": (
        {P: whole(SIX)},
        {P: RECORD},
        [
            "seal-broken: run.sealed.jsonl: line 1: a record of a transcript, not a link of a sealed file: "
            "use 'replay' to audit it or 'seal' to seal it"
        ],
    ),
    "cut in the middle of a line": (
        {P: whole(SIX)},
        {P: whole(SIX)[:-9]},
        [f"seal-broken: run.sealed.jsonl: line 6: not JSON: the text ends inside a string at column {len(SIX[5]) - 8}"],
    ),
    "a line that is no link behind the old ones": (
        {P: whole(SIX)},
        {P: b"".join([*SIX, b"\n", b"[]\n"])},
        ["seal-broken: run.sealed.jsonl: line 8: not an object but an array"],
    ),
    "other content in its place": (
        {P: whole(SIX)},
        {P: DATA},
        ['seal-broken: run.sealed.jsonl: line 1: unexpected field: "name"'],
    ),
    "a link edited": ({P: whole(SIX)}, {P: edited(SIX, 3)}, [f"seal-broken: run.sealed.jsonl: {broken(SIX, 3)}"]),
    "broken in both": (
        {P: edited(SIX, 3)},
        {},
        [f"seal-broken: run.sealed.jsonl: {broken(SIX, 3)}"],
    ),
    "broken in the commit, and a link that holds was lost": (
        {P: edited(SIX, 3)},
        {P: whole(SIX[:2])},
        ["seal-truncated: run.sealed.jsonl: keeps index 0 to 1, lacks index 2"],
    ),
    "broken at the first link, and removed": (
        {P: edited(SIX, 0)},
        {P: None},
        ["seal-removed: run.sealed.jsonl: is not in the index; it had 0 links"],
    ),
    "new and broken": (
        {},
        {P: edited(SIX, 3)},
        [f"seal-broken: run.sealed.jsonl: {broken(SIX, 3)}"],
    ),
    "new, with a line that is no link": (
        {},
        {P: SIX[0] + RECORD},
        [
            "seal-broken: run.sealed.jsonl: line 2: a record of a transcript, not a link of a sealed file: "
            "use 'replay' to audit it or 'seal' to seal it"
        ],
    ),
    "grown, and broken behind the old links": (
        {P: whole(SIX)},
        {P: edited(LONGER, 7)},
        [f"seal-broken: run.sealed.jsonl: {broken(LONGER, 7)}"],
    ),
    "broken in the commit, and grown": (
        {P: edited(SIX, 3)},
        {P: edited(LONGER, 3)},
        [f"seal-broken: run.sealed.jsonl: {broken(SIX, 3)}"],
    ),
    "renamed, and broken behind the old links": (
        {P: whole(SIX)},
        {P: None, Q: edited(LONGER, 7)},
        [f"seal-broken: agents/moved.jsonl: {broken(LONGER, 7)}"],
    ),
    "several, sorted by path": (
        {b"c.jsonl": whole(SIX), b"B.jsonl": whole(SIX), b"a.jsonl": whole(OTHER)},
        {b"c.jsonl": None, b"B.jsonl": b"", b"a.jsonl": whole(OTHER[:6])},
        [
            "seal-truncated: B.jsonl: keeps no link, lacks index 0 to 5",
            "seal-truncated: a.jsonl: keeps index 0 to 5, lacks index 6",
            f"seal-removed: c.jsonl: {GONE}",
        ],
    ),
}


class Index(RepositoryTest):
    def test_passes(self) -> None:
        cases = {name: (before, staged) for name, (before, staged, _) in PASSES.items()}
        for name, base, outcome in self.guarded(cases):
            with self.subTest(name):
                files = PASSES[name][2]
                self.assertEqual(outcome, (0, f"base: {base}\nsealed files: {files}\nfindings: 0\n", ""))

    def test_finds(self) -> None:
        cases = {name: (before, staged) for name, (before, staged, _) in FINDS.items()}
        for name, base, outcome in self.guarded(cases):
            with self.subTest(name):
                findings = FINDS[name][2]
                self.assertEqual((outcome.code, outcome.err), (1, ""))
                head, _, count, *found = outcome.out.splitlines()
                self.assertEqual((head, count), (f"base: {base}", f"findings: {len(findings)}"))
                self.assertEqual(found, findings)

    def guarded(self, cases: dict[str, tuple[Files, Files]]) -> Iterator[tuple[str, str, Outcome]]:
        """Yield each case's name, the commit's id and what the guard says."""
        scratch = Scratch(self.folder / "repository")
        made = scratch.imported([state for before, staged in cases.values() for state in (before, before | staged)])
        for name, base, staged in zip(cases, made[::2], made[1::2], strict=True):
            scratch.at(base, staged)
            yield name, base, scratch.guard()


if __name__ == "__main__":
    unittest.main()
