"""Every file under ``sessions/FORMAT`` gives the transcript beside it, and the notes, under that format and `auto`.

``NAME.jsonl`` or ``NAME.json`` is a recorded session written by hand, ``NAME.transcript`` what it has to become, worked
out by hand from the rules in ``docs/formats.md``, ``NAME.notes`` what has to be said about it.
"""

import re
import unittest
from pathlib import Path

from support import ROOT, run

import toolreplay
from toolreplay.formats.registry import NAMES

SESSIONS = ROOT / "tests" / "sessions"


def sessions() -> list[Path]:
    return sorted(path for path in SESSIONS.glob("*/*") if path.suffix in (".json", ".jsonl", ".log"))


class Sessions(unittest.TestCase):
    def test_each_format_has_some(self) -> None:
        self.assertEqual({path.parent.name for path in sessions()}, set(NAMES))
        for name in NAMES:
            self.assertGreater(len([path for path in sessions() if path.parent.name == name]), 3, name)

    def test_transcripts_and_notes(self) -> None:
        for path in sessions():
            with self.subTest(path.parent.name, path=path.name):
                transcript = path.with_suffix(".transcript").read_text(encoding="utf-8")
                notes = path.with_suffix(".notes").read_text(encoding="utf-8").splitlines()
                said = "".join(f"note: {path}: {note}\n" for note in notes)
                outcome = run("convert", str(path), "--from", path.parent.name)
                self.assertEqual(outcome.out, transcript)
                self.assertEqual(outcome.err, said)
                self.assertEqual(outcome.code, 0)
                told = run("convert", "--from=auto", "-", stdin=path.read_bytes())
                self.assertEqual(told.out, transcript)
                self.assertIn(f"note: <stdin>: taken for {path.parent.name}\n", told.err)

    def test_the_transcripts_are_transcripts_and_seal(self) -> None:
        for path in sessions():
            with self.subTest(path.parent.name, path=path.name):
                expected = list(toolreplay.read_transcript(path.with_suffix(".transcript")))
                found = list(toolreplay.read_session(path, path.parent.name).records)
                self.assertEqual([record[:4] for record in found], [record[:4] for record in expected])
                sealed = run("seal", str(path), "--from", path.parent.name).out.encode()
                self.assertTrue(not expected or run("verify", "-", stdin=sealed).code == 0)

    def test_another_recording_of_the_same_run_gives_the_same(self) -> None:
        changed = 0
        for path in sessions():
            if path.parent.name == "otel" and path.stem in ("messages", "late-span", "requests"):
                continue  # their ids stand in texts as well
            with self.subTest(path.parent.name, path=path.name):
                text = path.read_text(encoding="utf-8-sig")
                values = again(text)
                changed += values != text
                found = run("convert", "-", "--from", path.parent.name, stdin=values.encode())
                self.assertEqual(found.out, path.with_suffix(".transcript").read_text(encoding="utf-8"))
        self.assertGreater(changed, 40)


IDS = (
    r"(?:(?:tool_use_|call_|tool_call_|toolCall|source_call_|session|session_|toolUse|request|thread_)(?:i|I)d|uuid|id)"
)
RECORDED = re.compile(rf'"({IDS}|timestamp|cwd|traceId|spanId|parentSpanId)"( ?: ?)"([^"]*)"')


def again(text: str) -> str:
    """Return a session with other ids, times and folders."""
    text = RECORDED.sub(lambda match: f'"{match[1]}"{match[2]}"again-{match[3]}"', text)
    text = re.sub(r'("tool\.call\.id","value":\{"stringValue":")', r"\1again-", text)
    return re.sub(r'"(id|requestId)":([0-9]+)', r'"\1":9\2', text)


if __name__ == "__main__":
    unittest.main()
