"""A sealed file is checked with nothing of ours: the shell's tools, Perl, JavaScript."""

import json
import re
import shutil
import subprocess
import unittest

from support import SAMPLES, run, session

NAMED = f'"digest":"{"ab" * 32}",'  # what a careless reader takes for the link's own member

PLAIN = session(
    ("қидириш", {"матн": "o‘zbek tili, ўзбек тили"}, {"натижа": "ҳа"}),
    ("تلاش", {"متن": "می\u200cروم، اردو"}, {"جواب": "ہاں"}),
    ("👩\u200d👩\u200d👧", {"😀": "🇺🇿"}, {"line": "a\u2028b\x85c"}),
    ("floats", {"x": [1.0, 1e16, -0.0, 5e-324, 0.1, 1e22]}, {"y": [1e-07, 100.0]}),
    ("integers", {"x": [2**64, -(10**999)]}, {"y": 0}),
    ("lone \ud83d", {"\ude00": "a\ud83d"}, {"\ud83d\ud83d": ["\udfff"]}),
    ("controls\x00\x1f\x7f", {"\n": "\r\t\b\f"}, {"\\": '"'}),
)
NESTED = session(
    ("digest", {"digest": "ab" * 32, "prev": 1}, {"digest": "cd" * 32}),
    ("in text", {"a": NAMED, "b": "}" + NAMED, "c": '\\"}' + NAMED}, {"d": NAMED}),
    ("deep", {"a": {"z": [{"args": {}, "digest": "ab" * 32, "index": 1}]}}, {"digest": {"digest": "ef" * 32}}),
)

SHELL = r"""
prev=$(printf '%064d' 0)
while IFS= read -r line; do
    printf '%s\n' "$line" | grep -qF "\"prev\":\"$prev\"" || { echo "prev"; exit 1; }
    prev=$(printf '%s' "$line" | sed 's/"digest":"[0-9a-f]\{64\}",//' | sha256sum | cut -d ' ' -f 1)
    printf '%s\n' "$line" | grep -qF "\"digest\":\"$prev\"" || { echo "digest"; exit 1; }
done
echo "$prev"
"""

# A link begins {"args":{…},"digest":"…","index":…; its own digest stands where the object of the arguments has ended.
PERL = r"""
use strict;
use Digest::SHA qw(sha256_hex);
my $prev = "0" x 64;
while (my $line = <STDIN>) {
    chomp $line;
    my $object = qr/(\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|(?1))*\})/;
    $line =~ s/^\{"args":$object,\K"digest":"([0-9a-f]{64})",// or die "no link\n";
    my $stored = $2;
    $line =~ /^\{"args":$object,"index":\d+,"prev":"$prev",/ or do { print "prev\n"; exit 1 };
    $prev = sha256_hex($line);
    $prev eq $stored or do { print "digest\n"; exit 1 };
}
print "$prev\n";
"""

NODE = r"""
const lines = require("fs").readFileSync(0, "utf8").split("\n").slice(0, -1);
let prev = "0".repeat(64);
for (const line of lines) {
  let depth = 0, at = '{"args":'.length;
  do {
    if (line[at] === '"') while (line[++at] !== '"') if (line[at] === "\\") at++;
    depth += (line[at] === "{") - (line[at] === "}");
    at++;
  } while (depth);
  const [, stored] = /^,"digest":"([0-9a-f]{64})",/.exec(line.slice(at));
  const rest = line.slice(0, at + 1) + line.slice(at + '"digest":"",'.length + 65);
  if (JSON.parse(line).prev !== prev) { console.log("prev"); process.exit(1); }
  prev = require("crypto").createHash("sha256").update(rest).digest("hex");
  if (prev !== stored) { console.log("digest"); process.exit(1); }
}
console.log(prev);
"""


def sealed(transcript: bytes) -> bytes:
    outcome = run("seal", "-", stdin=transcript)
    assert outcome.code == 0, outcome.err
    return outcome.out.encode()


def damaged(chain: bytes, number: int) -> tuple[bytes, bytes]:
    """Return a chain with a link's response changed, and one without that link."""
    lines = [line + b"\n" for line in chain.split(b"\n")[:-1]]
    changed = [*lines]
    changed[number] = changed[number].replace(b'"response":{', b'"response":{"more":1,')
    return b"".join(changed), b"".join(lines[:number] + lines[number + 1 :])


SAMPLE = (SAMPLES / "session-dirty.jsonl").read_bytes()


class Checked:
    """What each way of checking must say of intact and of damaged chains."""

    command: tuple[str, ...]
    transcripts: tuple[bytes, ...] = (PLAIN, SAMPLE, NESTED)

    def check(self, chain: bytes) -> tuple[int, str]:
        finished = subprocess.run(self.command, input=chain, capture_output=True, check=False, env={"LC_ALL": "C"})
        assert finished.stderr == b"", finished.stderr
        return finished.returncode, finished.stdout.decode().strip()

    def test_intact(self) -> None:
        for transcript in self.transcripts:
            chain = sealed(transcript)
            head = json.loads(chain.rstrip(b"\n").split(b"\n")[-1])["digest"]
            assert self.check(chain) == (0, head), self.check(chain)

    def test_damaged(self) -> None:
        chain = sealed(SAMPLE)
        changed, removed = damaged(chain, 1)
        assert self.check(changed) == (1, "digest"), self.check(changed)
        assert self.check(removed) == (1, "prev"), self.check(removed)


@unittest.skipUnless(all(map(shutil.which, ("sh", "sed", "grep", "cut", "sha256sum"))), "sed and sha256sum are missing")
class Shell(Checked, unittest.TestCase):
    """With `sed` and `sha256sum` alone: a spot check, for links that hold no other member called `digest`."""

    command = (shutil.which("sh") or "", "-c", SHELL)
    transcripts = (PLAIN, SAMPLE)

    def test_a_nested_digest_needs_more(self) -> None:
        self.assertEqual(self.check(sealed(NESTED)), (1, "digest"))


@unittest.skipIf(shutil.which("perl") is None, "perl is not installed")
class Perl(Checked, unittest.TestCase):
    command = (shutil.which("perl") or "", "-e", PERL)


@unittest.skipIf(shutil.which("node") is None, "node is not installed")
class Node(Checked, unittest.TestCase):
    command = (shutil.which("node") or "", "-e", NODE)


class Chosen(unittest.TestCase):
    def test_the_hard_cases_are_there(self) -> None:
        chain = sealed(PLAIN).decode()
        for text in (
            "o‘zbek",
            "اردو",
            "🇺🇿",
            "\u2028",
            "1e+16",
            "-0.0",
            "5e-324",
            str(2**64),
            r"\ud83d\ud83d",
            r"\u0000",
        ):
            self.assertIn(text, chain)
        self.assertGreater(len(re.findall('"digest":', sealed(NESTED).decode())), 6)


if __name__ == "__main__":
    unittest.main()
