"""The published vectors: the program agrees with each, and so does a verifier that shares nothing with it."""

import json
import random
import shutil
import subprocess
import sys
import unittest
from typing import Any

from support import ROOT, run

from toolreplay.engine.canonical import dumps, loads
from toolreplay.engine.chain import verify
from toolreplay.engine.errors import InputError
from toolreplay.engine.scope import parse_scope
from toolreplay.engine.transcript import read_records

VECTORS = ROOT / "docs" / "vectors"
INDEPENDENT = ROOT / "tests" / "independent"

# How the program's own words for each published reason begin.
CAUSES = {
    "byte-order-mark": ("a byte order mark",),
    "not-utf-8": ("not UTF-8 at byte ",),
    "too-deep": ("nested more than 500 levels deep",),
    "not-json": ("not JSON: ",),
    "duplicate-key": ("duplicate key: ",),
    "number-overflow": ("a number overflows to infinity",),
    "integer-too-long": ("an integer has more than 4300 digits",),
    "not-an-object": ("not an object but ",),
    "unexpected-field": ("unexpected field: ",),
    "missing-field": ("missing field: ", "a record of a transcript, not a link"),
    "wrong-type": ("field ", "entry "),
    "index-out-of-order": ("index out of order: ",),
    "no-links": ("a sealed file with no links",),
}


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / f"{name}.jsonl").read_text(encoding="ascii").splitlines()]


def lines_of(data: bytes) -> list[bytes]:
    pieces = data.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def read(kind: str, data: bytes) -> None:
    if kind == "transcript":
        list(read_records(lines_of(data)))
    elif kind == "sealed":
        verify(lines_of(data))
    else:
        parse_scope(data)


class Program(unittest.TestCase):
    def test_canonical(self) -> None:
        for case in cases("canonical"):
            with self.subTest(case["name"]):
                self.assertEqual(dumps(loads(case["input"].encode())), case["canonical"].encode())

    def test_canonical_is_its_own_canonical(self) -> None:
        for case in cases("canonical"):
            with self.subTest(case["name"]):
                self.assertEqual(dumps(loads(case["canonical"].encode())), case["canonical"].encode())

    def test_refused(self) -> None:
        for case in cases("refused"):
            data = bytes.fromhex(case["input_hex"]) if "input_hex" in case else case["input"].encode()
            with self.subTest(case["name"]), self.assertRaises(InputError) as caught:
                read(case["kind"], data)
            self.check_refusal(caught.exception, case)

    def test_seal(self) -> None:
        for case in cases("seal"):
            with self.subTest(case["name"]):
                self.assertEqual(run("seal", "-", stdin=case["transcript"].encode()), (0, case["sealed"], ""))

    def test_verify(self) -> None:
        for case in cases("verify"):
            with self.subTest(case["name"]):
                self.check_verdict(case)

    def check_verdict(self, case: dict[str, Any]) -> None:
        lines = lines_of(case["sealed"].encode())
        if case["chain"] == "refused":
            with self.assertRaises(InputError) as caught:
                verify(lines)
            self.check_refusal(caught.exception, case)
            return
        result = verify(lines)
        if result.broken is None:
            self.assertEqual((case["chain"], case["links"], case["head"]), ("intact", result.links, result.head))
        else:
            broken = result.broken
            self.assertEqual(
                (case["chain"], case["index"], case["expected"], case["found"]),
                ("broken", broken.index, broken.expected, broken.found),
            )

    def check_refusal(self, error: InputError, case: dict[str, Any]) -> None:
        self.assertTrue(error.cause.startswith(CAUSES[case["reason"]]), (case["name"], error.cause))
        self.assertEqual(error.line, case["line"], case["name"])


class Files(unittest.TestCase):
    def test_they_are_what_the_texts_give(self) -> None:
        sys.path.insert(0, str(INDEPENDENT))
        try:
            import make_vectors  # type: ignore[import-not-found, unused-ignore]  # of the folder beside
        finally:
            sys.path.remove(str(INDEPENDENT))
        made: dict[str, bytes] = make_vectors.files()
        self.assertEqual(set(made), {path.name for path in VECTORS.glob("*.jsonl")})
        for name, content in made.items():
            self.assertEqual((VECTORS / name).read_bytes(), content, f"{name}: run tests/independent/make_vectors.py")

    def test_every_reason_has_vectors_and_stands_in_the_document(self) -> None:
        used = {case["reason"] for name in ("refused", "verify") for case in cases(name) if "reason" in case}
        self.assertEqual(used, set(CAUSES))
        document = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
        self.assertEqual([reason for reason in CAUSES if f"`{reason}`" not in document], [])

    def test_names_are_unique(self) -> None:
        for name in ("canonical", "refused", "seal", "verify"):
            names = [case["name"] for case in cases(name)]
            self.assertGreater(len(names), 5)
            self.assertEqual(len(names), len(set(names)), name)

    def test_nothing_independent_knows_the_program(self) -> None:
        scripts = [path for path in INDEPENDENT.iterdir() if path.suffix in (".py", ".mjs")]
        self.assertGreater(len(scripts), 5)
        for path in scripts:
            text = path.read_text(encoding="utf-8")
            self.assertNotRegex(text, r"(?m)^\s*(from|import)\s+\W*toolreplay|child_process|json\.dumps\((?!case)")


@unittest.skipIf(shutil.which("node") is None, "node is not installed")
class Independent(unittest.TestCase):
    """The verifier in JavaScript, written from docs/format.md alone."""

    def node(self, *words: str, given: str = "") -> tuple[int, str]:
        finished = subprocess.run(
            ["node", str(INDEPENDENT / "verify.mjs"), *words],
            input=given.encode(),
            capture_output=True,
            check=False,
        )
        self.assertEqual(finished.stderr, b"")
        return finished.returncode, finished.stdout.decode()

    def test_it_agrees_with_every_vector(self) -> None:
        code, out = self.node("--vectors", str(VECTORS))
        expected = [
            f"{name}.jsonl: {len(cases(name))} of {len(cases(name))} agree" for name in ("canonical", "refused")
        ]
        expected += [f"{name}.jsonl: {len(cases(name))} of {len(cases(name))} agree" for name in ("seal", "verify")]
        self.assertEqual((code, out.splitlines()), (0, expected))

    def test_random_values(self) -> None:
        chance = random.Random(8)
        texts = [json.dumps(value(chance, 3), ensure_ascii=chance.random() < 0.5) for _ in range(400)]
        texts = [text for text in texts if not any("\ud800" <= character <= "\udfff" for character in text)]
        self.assertGreater(len(texts), 200)
        code, out = self.node("--canonical", given="\n".join(texts))
        expected = "".join(dumps(loads(text.encode())).decode() + "\n" for text in texts)
        self.assertEqual((code, out), (0, expected))

    def test_random_edits(self) -> None:
        chance = random.Random(88)
        sealed = [
            case["sealed"] for case in cases("verify") if case["chain"] == "intact" and len(case["sealed"]) < 4000
        ]
        files = [edited(chance, chance.choice(sealed)) for _ in range(300)]
        code, out = self.node("--verdicts", given="\n".join(json.dumps(file) for file in files))
        verdicts = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, len(verdicts)), (0, len(files)))
        self.assertEqual({verdict["chain"] for verdict in verdicts}, {"intact", "broken", "refused"})
        for file, verdict in zip(files, verdicts, strict=True):
            Program().check_verdict({"name": file, "sealed": file, **verdict})


CHARACTERS = 'aZ09 "\\/\b\f\n\r\t\0\x1f\x7f\x85\u2028\ufeff\ufb00\ufffféʻاے\u200c😀𐐷\ud83d\ude00'


def value(chance: random.Random, depth: int) -> object:
    """Return a random value of JSON; keys and strings hold all that is hard about text."""
    text = "".join(chance.choice(CHARACTERS) for _ in range(chance.randrange(6)))
    double = chance.choice([chance.uniform(-2, 2), float(chance.randrange(10**17))]) * 10.0 ** chance.randrange(
        -320, 290
    )
    kinds: list[object] = [text, double, chance.getrandbits(chance.randrange(1, 200)) - 2**60, None, True, False]
    kinds.append(chance.randrange(10**6) / 10 ** chance.randrange(12))
    if depth:
        kinds += [[value(chance, depth - 1) for _ in range(chance.randrange(4))]] * 2
        kinds += [{str(value(chance, 0)): value(chance, depth - 1) for _ in range(chance.randrange(5))}] * 3
    return chance.choice(kinds)


def edited(chance: random.Random, file: str) -> str:
    """Return a sealed file with one small, random change."""
    lines = file.splitlines(keepends=True) if "\u2028" not in file and "\x85" not in file else [file]
    kind = chance.randrange(4)
    if kind == 0 and len(lines) > 1:
        chance.shuffle(lines)
        return "".join(lines)
    if kind == 1:
        del lines[chance.randrange(len(lines))]
        return "".join(lines)
    place = chance.randrange(len(file))
    return file[:place] + chance.choice('0a7"{}[],:\\ \n\ufb00😀') * (kind == 2) + file[place + 1 :]


if __name__ == "__main__":
    unittest.main()
