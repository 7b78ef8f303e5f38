"""Two states of a sealed file: what is lost, differs or fails between them."""

import unittest
from itertools import product

import reference
from repositories import sealed
from support import SAMPLES, call

from toolreplay.engine.growth import (
    SEAL_BROKEN,
    SEAL_REWRITTEN,
    SEAL_TRUNCATED,
    SealFinding,
    first_loss,
    read_chain,
)
from toolreplay.engine.sealing import seal
from toolreplay.engine.transcript import read_records

SAMPLE = (SAMPLES / "session-dirty.jsonl").read_bytes().splitlines(keepends=True)
OLD = [link.line for link in seal(read_records(SAMPLE))]
DIGESTS = [link["digest"] for link in reference.read(b"".join(OLD))]
RESEALED = [link.line for link in seal(read_records([*SAMPLE[:2], call(2, "other"), *SAMPLE[3:]]))]
NEW_DIGESTS = [link["digest"] for link in reference.read(b"".join(RESEALED))]
EDITED = [*OLD[:3], OLD[3].replace(b'"hits":3', b'"hits":4'), *OLD[4:]]

# name, older state, how many of its links hold, newer state, the finding's kind, index, line, expected, found, cause
LOSSES: list[tuple[str, list[bytes], int, list[bytes], SealFinding]] = [
    ("cut off", OLD, 6, OLD[:4], SealFinding("f", SEAL_TRUNCATED, 6, 4)),
    ("emptied", OLD, 6, [], SealFinding("f", SEAL_TRUNCATED, 6, 0)),
    ("emptied but for blank lines", OLD, 6, [b"\n", b" \n"], SealFinding("f", SEAL_TRUNCATED, 6, 0)),
    ("sealed again", OLD, 6, RESEALED, SealFinding("f", SEAL_REWRITTEN, 6, 2, 3, DIGESTS[2], NEW_DIGESTS[2])),
    (
        "sealed again after blank lines",
        OLD,
        3,
        [b"\n", *RESEALED],
        SealFinding("f", SEAL_REWRITTEN, 3, 2, 4, DIGESTS[2], NEW_DIGESTS[2]),
    ),
    (
        "edited",
        OLD,
        6,
        EDITED,
        SealFinding("f", SEAL_BROKEN, 6, 3, 4, reference.digest(reference.read(EDITED[3])[0]), DIGESTS[3]),
    ),
    (
        "no link any more",
        OLD,
        6,
        [*OLD[:2], b"[]\n"],
        SealFinding("f", SEAL_BROKEN, 6, 2, 3, cause="not an object but an array"),
    ),
]


class FirstLoss(unittest.TestCase):
    def test_losses(self) -> None:
        for name, older, links, newer, finding in LOSSES:
            with self.subTest(name):
                self.assertEqual(first_loss("f", links, older, newer), finding)

    def test_no_loss_is_a_mistake_of_the_caller(self) -> None:
        for newer in (OLD, OLD[:4]):
            with self.assertRaises(AssertionError):
                first_loss("f", 4, OLD, newer)


class ReadChain(unittest.TestCase):
    def test_intact(self) -> None:
        state = read_chain(OLD, frozenset({DIGESTS[2], "0" * 64}))
        self.assertEqual(state, (6, DIGESTS[5], None, None, {DIGESTS[2]}))
        self.assertEqual((state.is_sealed, state.is_intact, state.fault("f", 6)), (True, True, None))

    def test_broken(self) -> None:
        state = read_chain(EDITED)
        self.assertEqual((state.links, state.head, state.is_sealed, state.is_intact), (3, DIGESTS[2], True, False))
        expected = reference.digest(reference.read(EDITED[3])[0])
        self.assertEqual(state.fault("f", 3), SealFinding("f", SEAL_BROKEN, 3, 3, 4, expected, DIGESTS[3]))

    def test_no_longer_a_sealed_file(self) -> None:
        state = read_chain([*OLD[:2], b"{}\n"])
        self.assertEqual((state.links, state.is_sealed, state.is_intact), (2, True, False))
        finding = SealFinding("f", SEAL_BROKEN, 2, 2, 3, cause='missing field: "index"')
        self.assertEqual(state.fault("f", 2), finding)

    def test_never_a_sealed_file(self) -> None:
        for lines in ([], [b"\n"], [b"nope"], SAMPLE):
            with self.subTest(len(lines)):
                state = read_chain(lines)
                self.assertEqual((state.links, state.is_sealed, state.is_intact), (0, False, False))


LENGTHS = range(1, 6)


def chain(length: int, fork: int | None = None) -> list[bytes]:
    """Return a sealed file; from the link `fork` on, its calls are others."""
    return sealed(*(f"{index}" if fork is None or index < fork else f"other {index}" for index in range(length)))


def compared(older: list[bytes], newer: list[bytes]) -> SealFinding | None:
    """Compare as the guard does: a loss, or else what is wrong with the newer state in itself."""
    before = read_chain(older)
    assert before.head is not None
    after = read_chain(newer, frozenset([before.head]))
    if before.head in after.passed:
        return after.fault("f", before.links)
    return first_loss("f", before.links, older, newer)


class EveryChange(unittest.TestCase):
    def test_growing_is_no_loss(self) -> None:
        for length, more in product(LENGTHS, range(4)):
            self.assertIsNone(compared(chain(length), chain(length + more)))

    def test_cutting(self) -> None:
        for length in LENGTHS:
            for kept in range(length):
                found = compared(chain(length), chain(length)[:kept])
                self.assertEqual(found, SealFinding("f", SEAL_TRUNCATED, length, kept))

    def test_sealing_other_calls(self) -> None:
        for length, other in product(LENGTHS, LENGTHS):
            for fork in range(min(length, other)):
                found = compared(chain(length), chain(other, fork))
                assert found is not None
                self.assertEqual((found.kind, found.index, found.line), (SEAL_REWRITTEN, fork, fork + 1))

    def test_edits_without_sealing_again(self) -> None:
        for length, more in product(LENGTHS, range(3)):
            for place in range(length + more):
                newer = chain(length + more)
                newer[place] = newer[place].replace(b'"args":{}', b'"args":{"a":1}')
                found = compared(chain(length), newer)
                assert found is not None
                self.assertEqual((found.kind, found.index, found.line), (SEAL_BROKEN, place, place + 1))

    def test_links_taken_out(self) -> None:
        for length in LENGTHS:
            for place in range(length - 1):
                newer = chain(length)
                del newer[place]
                found = compared(chain(length), newer)
                assert found is not None
                self.assertEqual((found.kind, found.index), (SEAL_BROKEN, place))

    def test_lines_that_are_no_links(self) -> None:
        for length in LENGTHS:
            for place in range(length + 1):
                newer = chain(length)
                newer.insert(place, b"[]\n")
                cause = "not an object but an array"
                expected = SealFinding("f", SEAL_BROKEN, length, place, place + 1, cause=cause)
                self.assertEqual(compared(chain(length), newer), expected)


if __name__ == "__main__":
    unittest.main()
