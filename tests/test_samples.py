"""The samples give the reports and digests that are published for them."""

import json
import unittest

from support import SAMPLES, run, spawn

DIRTY = str(SAMPLES / "session-dirty.jsonl")
CLEAN = str(SAMPLES / "session-clean.jsonl")
SCOPE = str(SAMPLES / "scope.json")

# Published with the format, version 0.6.0; sealed files of any 0.x version verify in all of them.
DIGESTS = [
    "c1bd7fb3e28ce29e5c9dbd0cf47cafcaa1613295be26d86fb04463fe3d8b40da",
    "b5e755345cfdb21496eb57ea16b7dfe8cb5e503d239242d1bce96eabd3afc45e",
    "fe5e31cd086662cd9829bff49ee4c05c282f12af5a994a1521bc414d9fc2b1ba",
    "40aadf3b8156217f0b5b1d95010b6b79f82a26ccf5e780aed0f5f311f865028a",
    "327da75f2d491267f1dbeaf5d31b4a61a2ed9e956a71a5c4cbb67a87b4720d6a",
    "75ccf1faad88c5ea82c68139b2ec2a02943142dd0133bb0c626ccbff28f5c711",
]

REPLAY = """\
calls: 6
divergence: index 5
findings: 2
index 2: redundant-call: tool 'read_file' repeats the identical call at index 1 with no state change between them
index 5: non-determinism: tool 'search' returned a different response than the identical call at index 3
"""

OVERREACH = """\
calls: 6
findings: 1
index 4: permission-overreach: tool 'write_file' is not in the declared scope for agent 'docs-reader'
"""

BROKEN = """\
chain: broken
first broken link: index 3
expected: 34d19a9dfb112baa07afa37994ddcbbebe2973674385f3942340653d08d205bd
found: 40aadf3b8156217f0b5b1d95010b6b79f82a26ccf5e780aed0f5f311f865028a
"""


class Samples(unittest.TestCase):
    def test_clean_session(self) -> None:
        self.assertEqual(run("replay", CLEAN), (0, "calls: 4\ndivergence: none\nfindings: 0\n", ""))
        self.assertEqual(run("scope", CLEAN, SCOPE), (0, "calls: 4\nfindings: 0\n", ""))

    def test_dirty_session(self) -> None:
        self.assertEqual(run("replay", DIRTY), (1, REPLAY, ""))
        self.assertEqual(run("scope", DIRTY, SCOPE), (1, OVERREACH, ""))

    def test_digests(self) -> None:
        code, sealed, err = run("seal", DIRTY)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([json.loads(line)["digest"] for line in sealed.splitlines()], DIGESTS)
        self.assertEqual(run("verify", "-", stdin=sealed.encode()), (0, "chain: intact\n", ""))

    def test_an_edit_breaks_the_chain(self) -> None:
        edited = run("seal", DIRTY).out.replace('"hits":3', '"hits":4')
        self.assertEqual(run("verify", "-", stdin=edited.encode()), (1, BROKEN, ""))

    def test_in_a_process_of_its_own(self) -> None:
        sealed = spawn("seal", DIRTY)
        for outcome, expected in (
            (spawn("replay", DIRTY), (1, REPLAY, "")),
            (spawn("scope", DIRTY, SCOPE), (1, OVERREACH, "")),
            (sealed, run("seal", DIRTY)),
            (spawn("verify", "-", stdin=sealed.out.encode()), (0, "chain: intact\n", "")),
            (spawn("verify", "-", stdin=sealed.out.replace('"hits":3', '"hits":4').encode()), (1, BROKEN, "")),
        ):
            self.assertEqual(outcome, expected)


if __name__ == "__main__":
    unittest.main()
