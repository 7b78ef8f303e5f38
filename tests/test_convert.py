"""``convert``, and ``--from`` and ``--strict-import`` wherever they are taken."""

import json
import tempfile
import unittest
from pathlib import Path

from support import SAMPLES, run

import toolreplay
from toolreplay.formats.registry import NAMES

CLEAN = str(SAMPLES / "session-clean.jsonl")

CALL = (
    '{"type":"assistant","sessionId":"s","message":'
    '{"content":[{"type":"tool_use","id":"%s","name":"%s","input":{}}]}}\n'
)
RESULT = (
    '{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"%s","content":"%s"}]}}\n'
)
NOTES = (
    "note: <stdin>: calls: %d, without a result: %d, results without a call: %d, duplicates removed: 0,"
    " lines not read: %s, records ignored: 0\n"
)

TWICE = CALL % ("1", "Bash") + RESULT % ("1", "a") + CALL % ("2", "Bash") + RESULT % ("2", "b")
"""A call of a tool that changes state in Claude Code, repeated with another response."""

DIFFERENT = "index 1: non-determinism: tool 'Bash' returned a different response than the identical call at index 0\n"
REPEATED = (
    "index 1: redundant-call: tool 'Bash' repeats the identical call at index 0 with no state change between them\n"
)
ONE = "calls: 2\ndivergence: index 1\nfindings: 1\n" + DIFFERENT
TWO = "calls: 2\ndivergence: index 1\nfindings: 2\n" + DIFFERENT + REPEATED

FORMATS = "toolreplay, auto, " + ", ".join(NAMES)


class Convert(unittest.TestCase):
    def test_a_transcript_is_checked_and_printed_again(self) -> None:
        code, out, err = run("convert", CLEAN)
        self.assertEqual((code, err), (0, ""))
        again = [record[:4] for record in toolreplay.read_records(out.encode().splitlines())]
        self.assertEqual(again, [record[:4] for record in toolreplay.read_transcript(CLEAN)])
        self.assertEqual(
            run("convert", "-", "--from=auto", stdin=out.encode()), (0, out, "note: <stdin>: taken for toolreplay\n")
        )

    def test_a_transcript_is_one_whatever_its_responses_look_like(self) -> None:
        response = '{"role":"tool","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}'
        line = f'{{"index":0,"tool":"f","args":{{}},"response":{response}}}\n'
        outcome = run("convert", "-", "--from=auto", stdin=line.encode())
        self.assertEqual(outcome.err, "note: <stdin>: taken for toolreplay\n")

    def test_two_formats_in_one_file(self) -> None:
        stdin = TWICE + '{"type":"session_meta","payload":{}}\n'
        error = "error: <stdin>: could be claude-code or codex; --from says which to read\n"
        self.assertEqual(run("convert", "-", "--from=auto", stdin=stdin.encode()), (2, "", error))

    def test_what_can_not_be_read(self) -> None:
        for stdin, options, cause in [
            (b"", ["--from", "claude-code"], "holds nothing of the format claude-code"),
            (b'{"a":1}\n', ["--from", "claude-code"], "holds nothing of the format claude-code"),
            (b'{"a":1}\n', ["--from", "auto"], "is in no format that is known here; --from says which to read"),
            (b"", ["--from", "auto"], "is in no format that is known here; --from says which to read"),
            (b"\xff\xfe{\x00}\x00", ["--from", "auto"], "is in UTF-16; save it as UTF-8"),
        ]:
            with self.subTest(stdin=stdin, options=options):
                expected = (2, "", f"error: <stdin>: {cause}\n")
                self.assertEqual(run("convert", "-", *options, stdin=stdin), expected)

    def test_a_stream_that_only_looks_like_claude_code(self) -> None:
        stream = (
            b'{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"x"}]},"session_id":"s"}\n'
            b'{"type":"tool_call","subtype":"started","call_id":"1","tool_call":{"shellToolCall":{"args":{}}}}\n'
        )
        error = "error: <stdin>: holds calls as Cursor prints them, which are not read\n"
        self.assertEqual(run("convert", "-", "--from=auto", stdin=stream), (2, "", error))
        told = run("convert", "-", "--from=claude-code", stdin=stream)
        self.assertIn("lines not read: 1 (first: line 2)", told.err)

    def test_a_document_that_is_cut_off(self) -> None:
        stdin = b'[\n {"type": "assistant",\n  "message": {"content": []}},\n {"type": "user",\n'
        error = "error: <stdin>:4: not JSON: the text ends too early at column 18\n"
        for name in ("auto", "claude-code"):
            self.assertEqual(run("convert", "-", "--from", name, stdin=stdin), (2, "", error))

    def test_an_unknown_format(self) -> None:
        for command in (["convert", CLEAN], ["replay", CLEAN], ["seal", CLEAN], ["scope", CLEAN, CLEAN]):
            self.assertEqual(
                run(*command, "--from", "word"),
                (2, "", f"error: unknown format: 'word'; there are {FORMATS}\n"),
            )


class Shapes(unittest.TestCase):
    """One document, lines, and what lies between."""

    CONVERTED = '{"index":0,"tool":"f","args":{},"response":{"content":"x","status":"ok"}}\n'
    LINES = CALL % ("1", "f") + RESULT % ("1", "x")

    def test_every_shape_gives_the_same(self) -> None:
        values = [json.loads(line) for line in self.LINES.splitlines()]
        pretty = json.dumps(values, indent=2)
        for shape in (
            self.LINES,
            self.LINES.replace("\n", "\r\n"),
            self.LINES.replace("\n", ""),
            "\n\n" + self.LINES.rstrip("\n"),
            "Run it\n[info] begun\n" + self.LINES,
            json.dumps(values),
            pretty,
            pretty.replace("\n", "\r\n"),
            "Run it\n[info] begun\n" + pretty,
            pretty + "\n" + pretty,
            "\n".join(json.dumps(value, indent=1) for value in values),
            "[\n" + ",\n".join(map(json.dumps, values)) + "\n]\n",
        ):
            outcome = run("convert", "-", "--from=auto", "--strict-import", stdin=shape.encode())
            self.assertEqual((outcome.code, outcome.out), (0, self.CONVERTED), shape)

    def test_what_follows_a_document_and_a_document_cut_off_between_records(self) -> None:
        values = [json.loads(line) for line in self.LINES.splitlines()]
        for shape, unread in [
            (json.dumps(values, indent=2) + "\nbye\n", "lines not read: 1 (first: line 30)"),
            ("[\n" + ",\n".join(map(json.dumps, values)) + ',\n{"type":"us', "lines not read: 4 (first: line 1)"),
        ]:
            outcome = run("convert", "-", "--from=auto", stdin=shape.encode())
            self.assertEqual((outcome.code, outcome.out), (0, self.CONVERTED), shape)
            self.assertIn(unread, outcome.err)


class Auditing(unittest.TestCase):
    def test_replay_knows_the_tools_of_the_format(self) -> None:
        notes = NOTES % (2, 0, 0, "0")
        self.assertEqual(run("replay", "-", "--from", "claude-code", stdin=TWICE.encode()), (1, ONE, notes))
        # The converted file names no format: there Bash is a tool like any other, unless --mutator says better.
        converted = run("convert", "-", "--from", "claude-code", stdin=TWICE.encode()).out.encode()
        self.assertEqual(run("replay", "-", stdin=converted), (1, TWO, ""))
        self.assertEqual(run("replay", "-", "--mutator", "Bash", stdin=converted), (1, ONE, ""))

    def test_scope_counts_a_call_that_was_denied(self) -> None:
        denied = CALL % ("1", "Write") + RESULT.replace('"content":"%s"', '"content":"%s","is_error":true') % (
            "1",
            "The user doesn't want to proceed with this tool use.",
        )
        with tempfile.TemporaryDirectory() as folder:
            scope = Path(folder, "scope.json")
            scope.write_text('{"agent":"reader","allowed_tools":["Read"]}', encoding="utf-8")
            outcome = run("scope", "-", str(scope), "--from", "auto", stdin=denied.encode())
        self.assertEqual(
            outcome.out,
            "calls: 1\nfindings: 1\n"
            "index 0: permission-overreach: tool 'Write' is not in the declared scope for agent 'reader'\n",
        )
        self.assertEqual(outcome.code, 1)

    def test_seal_and_verify(self) -> None:
        sealed = run("seal", "-", "--from", "claude-code", stdin=TWICE.encode())
        self.assertEqual((sealed.code, sealed.err), (0, NOTES % (2, 0, 0, "0")))
        self.assertEqual(run("verify", "-", stdin=sealed.out.encode()), (0, "chain: intact\n", ""))

    def test_sealed_files_are_for_verify(self) -> None:
        sealed = run("seal", CLEAN).out.encode()
        self.assertEqual(
            run("replay", "-", "--from", "auto", stdin=sealed).err,
            "error: <stdin>:1: a link of a sealed file, not a record of a transcript: use 'verify' to check it\n",
        )


class Strict(unittest.TestCase):
    def test_no_loss(self) -> None:
        for session in (TWICE, CALL % ("1", "Bash")):
            self.assertEqual(run("convert", "-", "--from=auto", "--strict-import", stdin=session.encode()).code, 0)
        self.assertEqual(run("convert", CLEAN, "--strict-import").code, 0)

    def test_any_loss_is_an_error(self) -> None:
        for session, losses in [
            (TWICE + "x\n", "lines not read: 1"),
            (TWICE + '{"a"', "lines not read: 1"),
            ('[{"a":\n' + TWICE, "lines not read: 1"),
            ('{"type":"assi\n' + TWICE, "lines not read: 1"),
            (TWICE + RESULT % ("3", ""), "results without a call: 1"),
            (TWICE + CALL % ("1", "Read"), "calls under an id that another call already has: 1"),
            (TWICE + CALL.replace(',"input":{}', "") % ("3", "Read"), "calls without recorded arguments: 1"),
        ]:
            for command in ("convert", "replay", "seal"):
                with self.subTest(losses, command=command):
                    code, out, err = run(command, "-", "--from=claude-code", "--strict-import", stdin=session.encode())
                    self.assertEqual((code, out), (2, ""))
                    self.assertEqual(err.splitlines()[-1], f"error: <stdin>: not everything could be read: {losses}")


class Api(unittest.TestCase):
    def test_records_know_their_lines(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "session.jsonl")
            path.write_text("\n" + TWICE, encoding="utf-8")
            found = toolreplay.read_session(path)
        self.assertEqual((found.format, found.counts.calls, found.counts.lossless), ("claude-code", 2, True))
        self.assertIn("Bash", found.mutators)
        self.assertEqual([record.line for record in found.records], [2, 4])
        self.assertEqual([record.index for record in found.records], [0, 1])
        self.assertEqual(b"".join(found.lines).decode(), run("convert", "-", "--from=auto", stdin=TWICE.encode()).out)

    def test_an_unknown_format(self) -> None:
        with self.assertRaises(ValueError):
            toolreplay.read_session(CLEAN, "word")


if __name__ == "__main__":
    unittest.main()
