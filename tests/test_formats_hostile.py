"""Session files that somebody wrote to do harm: a count or one clear error, no traceback, no bad transcript."""

import copy
import json
import tracemalloc
import unittest
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from support import run, spawn
from test_sessions import sessions

from toolreplay.engine.errors import InputError
from toolreplay.engine.transcript import read_records
from toolreplay.formats.counts import Tally
from toolreplay.formats.imported import Imported
from toolreplay.formats.reading import read
from toolreplay.formats.registry import NAMES
from toolreplay.formats.values import Values
from toolreplay.spool import Store

WRONG: tuple[Any, ...] = (None, True, 0, -1.5, "", "x", [], {}, [[]], [{}], {"": {}}, {"type": "tool_use"}, 10**30)
"""A value of every type, and some that go further into a reader."""


def values_in(path: Path) -> list[Any]:
    """Return the values of a hand-written session: one document, or the lines that are JSON."""
    text = path.read_text(encoding="utf-8-sig")
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    found = []
    for line in text.split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every member and element in a value, as its container and its key."""
    stack = [value]
    while stack:
        part = stack.pop()
        keys = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
        for key in keys:
            yield part, key
            stack.append(part[key])


def lines_of(values: list[Any]) -> list[bytes]:
    return [json.dumps(value).encode() + b"\n" for value in values]


class Hostile(unittest.TestCase):
    def read(self, lines: list[bytes], name: str) -> Imported | None:
        """Read lines and check that what comes out is whole; `None` for a file that is refused."""
        try:
            found = read(iter(lines), "x", name, Store())
        except InputError as error:
            self.assertNotIn("\n", str(error))
            return None
        counts = found.counts
        records = list(found.records)
        again = list(read_records(found.lines, "x"))
        self.assertEqual([record[:4] for record in again], [record[:4] for record in records])
        self.assertEqual([record.index for record in records], list(range(counts.calls)))
        self.assertTrue(all(0 < record.line <= max(1, len(lines)) for record in records))
        self.assertLessEqual(sum(number for _, number in counts.ignored), counts.records)
        self.assertTrue(all(number >= 0 for number in counts if isinstance(number, int)))
        return found

    def test_every_place_takes_a_wrong_type(self) -> None:
        turn = 0
        for path in sessions():
            values = values_in(path)
            for number in range(sum(1 for _ in places(values))):
                changed = copy.deepcopy(values)
                container, key = list(places(changed))[number]
                turn += 1
                container[key] = WRONG[turn % len(WRONG)]
                with self.subTest(path.name, place=number, value=container[key]):
                    self.read(lines_of(changed), path.parent.name)
        self.assertGreater(turn, 1000)

    def test_every_member_may_be_missing(self) -> None:
        for path in sessions():
            values = values_in(path)
            for number in range(sum(1 for _ in places(values))):
                changed = copy.deepcopy(values)
                container, key = list(places(changed))[number]
                del container[key]
                with self.subTest(path.name, place=number):
                    self.read(lines_of(changed), path.parent.name)

    def test_every_format_reads_every_other(self) -> None:
        for path in sessions():
            lines = path.read_bytes().splitlines(keepends=True)
            for name in (*NAMES, "auto"):
                with self.subTest(path.name, name=name):
                    self.read(lines, name)

    def test_values_of_no_format(self) -> None:
        for value in WRONG:
            for name in (*NAMES, "auto"):
                self.assertIsNone(self.read(lines_of([value]), name), (value, name))

    def test_bytes_of_no_format(self) -> None:
        for data in (
            b"",
            b"\n",
            b"\0" * 99,
            b"\xff\n",
            b"{",
            b"[" * 9,
            b"]",
            b'"',
            b"{}{}{}",
            b"{]",
            b"\xef\xbb\xbf",
            b"[\n{\n",
        ):
            for name in (*NAMES, "auto"):
                self.assertIsNone(self.read(data.splitlines(keepends=True), name), (data, name))


CALL = (
    '{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"%s","name":"f","input":%s}]}}'
)
ARGS = '{"a":%s}'
RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":%s}}'
REQUEST = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{}}}\n'
CHAT = '{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}'


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


class Limits(unittest.TestCase):
    def convert(self, text: str, name: str = "auto") -> tuple[str, str]:
        outcome = run("convert", "-", "--from", name, stdin=text.encode())
        self.assertEqual(outcome.code, 0, outcome)
        return outcome.out, outcome.err

    def test_a_line_that_nests_too_deeply_is_not_read(self) -> None:
        for levels in (497, 100_000):
            out, err = self.convert(CALL % ("1", '{"a":1}') + "\n" + CALL % ("2", ARGS % nested(levels)) + "\n")
            self.assertEqual(out.count("\n"), 1)
            self.assertIn("calls: 1,", err)
            self.assertIn("lines not read: 1 (first: line 2)", err)

    def test_a_document_that_nests_too_deeply(self) -> None:
        for text in ("[\n" * 100_000, '{"a":\n' * 100_000, "[\n" * 501 + "]" * 501):
            outcome = run("convert", "-", "--from", "auto", stdin=text.encode())
            self.assertEqual((outcome.code, outcome.out), (2, ""))
            self.assertTrue(outcome.err.startswith("error: <stdin>:501: nested more than 500 levels deep"), outcome.err)

    def test_arguments_in_a_string_may_nest_as_deeply_as_a_record_holds(self) -> None:
        for levels, kept in ((498, True), (499, False), (100_000, False)):
            text = ARGS % nested(levels)
            chat = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": text}}]}
            out, _ = self.convert(json.dumps(chat), "openai")
            (record,) = read_records(out.encode().splitlines())
            self.assertEqual("a" in record.args, kept, levels)
            self.assertEqual(record.args == {"_raw": text}, not kept)

    def test_a_result_that_no_record_can_hold_is_not_read(self) -> None:
        # Around the list stand the record, the response, the result and its member: four levels here, three in the log.
        for levels, read_ in ((497, True), (498, False)):
            out, err = self.convert(REQUEST + RESULT % nested(levels) + "\n")
            (record,) = read_records(out.encode().splitlines())
            self.assertEqual(record.response["status"], "ok" if read_ else "missing")
            self.assertEqual("lines not read: 0" in err, read_)

    def test_values_that_json_does_not_have(self) -> None:
        for value in ("NaN", "1e999", "9" * 4301, '{"a":1,"a":2}', '"\x01"', "01"):
            out, err = self.convert(CALL % ("1", "{}") + "\n" + CALL % ("2", ARGS % value) + "\n")
            self.assertEqual(out.count("\n"), 1, value)
            self.assertIn("lines not read: 1 (first: line 2)", err)

    def test_long_integers_and_halves_of_characters_stay(self) -> None:
        out, _ = self.convert(CALL % ("1", '{"a":%s,"b":"\\ud83d"}' % ("9" * 4300)))
        (record,) = read_records(out.encode().splitlines())
        self.assertEqual(record.args, {"a": 10**4300 - 1, "b": "\ud83d"})
        made = r'{"name":"\udc00","arguments":"{\"a\":\"\ud83d\"}"}'
        chat = f'{{"role":"assistant","tool_calls":[{{"id":"1","function":{made}}}]}}'
        out, _ = self.convert(chat)
        (record,) = read_records(out.encode().splitlines())
        self.assertEqual((record.tool, record.args), ("\udc00", {"_raw": '{"a":"\ud83d"}'}))

    def test_long_integers_whatever_the_environment_sets(self) -> None:
        stdin = (CALL % ("1", ARGS % ("9" * 4300)) + "\n").encode()
        for command in ("replay", "seal", "convert"):
            outcome = spawn(command, "-", "--from=auto", stdin=stdin, PYTHONINTMAXSTRDIGITS="640")
            self.assertEqual((outcome.code, outcome.out), (0, run(command, "-", "--from=auto", stdin=stdin).out))

    def test_two_keys_can_not_hide_a_call(self) -> None:
        line = '{"type":"assistant","type":"summary","message":{"content":[{"type":"tool_use","id":"1","name":"f"}]}}\n'
        _, err = self.convert(CALL % ("1", "{}") + "\n" + line)
        self.assertIn("lines not read: 1 (first: line 2)", err)

    def test_subagents_within_subagents(self) -> None:
        message = json.loads(CALL % ("1", "{}"))
        for _ in range(200):
            message = {"type": "progress", "data": {"type": "agent_progress", "agentId": "a", "message": message}}
        out, _ = self.convert(json.dumps({**message, "sessionId": "s"}))
        self.assertEqual(out.count("\n"), 1)

    def test_spans_that_are_their_own_parents(self) -> None:
        span = {"type": "span", "traceId": "t", "name": "tools/call f", "startTime": [1, 2]}
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "f",
            "gen_ai.tool.call.arguments": "{}",
        }
        pairs = [{**span, "spanId": a, "parentSpanId": b, "attributes": attributes} for a, b in ("aa", "bc", "cb")]
        out, _ = self.convert("\n".join(map(json.dumps, pairs)))
        self.assertEqual(out.count("\n"), 3)

    def test_calls_that_are_none_are_not_lost_unsaid(self) -> None:
        copilot = '{"type":"assistant.message","data":{"toolRequests":[5,{"name":5},{"name":"f","arguments":{}}]}}'
        chat = '{"role":"assistant","tool_calls":[5,{"id":"1"},{"function":{"name":"f","arguments":"{}"}}]}'
        step = '{"tool_calls":[5,{"function_name":null},{"function_name":"f","arguments":{}}]}'
        claude = (
            '{"type":"assistant","sessionId":"s","message":{"content":'
            '[{"type":"tool_use","name":5,"id":"1"},{"type":"tool_use","name":"f","input":{},"id":"2"}]}}'
        )
        for text in (copilot, chat, f'{{"schema_version":"ATIF-v1.7","steps":[{step}]}}', claude):
            out, err = self.convert(text)
            self.assertEqual(out.count("\n"), 1, text)
            self.assertIn("calls: 1,", err)
            self.assertIn("lines not read: 1 (first: line 1)", err)

    def test_conversations_within_conversations(self) -> None:
        for name in ("request", "messages", "response", "message"):
            value: Any = json.loads(CHAT)
            for _ in range(490):
                value = {name: value if name in ("request", "response", "message") else [value]}
                if name == "messages" and json.dumps(value).count("[") > 240:
                    break
            out, _ = self.convert(json.dumps(value))
            self.assertEqual(out.count("\n"), 1, name)

    def test_many_objects_on_one_line(self) -> None:
        out, err = self.convert((CALL % ("1", "{}")) + "{}" * 50_000)
        self.assertEqual(out.count("\n"), 1)
        self.assertIn("records ignored: 50000 ('(no type)' 50000)", err)

    def test_many_types_are_counted_together(self) -> None:
        types = "".join(f'{{"type":"{number}","sessionId":"s"}}\n' for number in range(2000))
        _, err = self.convert(types)
        self.assertIn("records ignored: 2000 ('(other types)' 1000, '0' 1, ", err)
        self.assertLess(len(err), 1000)


BLOCK = {"type": "tool_use", "id": "1", "name": "f", "input": {}}
SPAN = {"name": "execute_tool f", "traceId": "t", "spanId": "s", "attributes": []}
BADLY_HELD: list[tuple[str, dict[str, Any]]] = [
    ("claude-code", {"type": "assistant", "sessionId": "s", "message": {"content": BLOCK}}),
    ("claude-code", {"type": "assistant", "sessionId": "s", "message": [{"content": [BLOCK]}]}),
    ("claude-code", {"type": "assistant", "sessionId": "s", "message": {"content": [[BLOCK]]}}),
    ("codex", {"type": "response_item", "payload": "function_call"}),
    ("codex", {"type": "item.completed", "item": ["command_execution"]}),
    ("openai", {"role": "assistant", "tool_calls": {"id": "1", "function": {"name": "f", "arguments": "{}"}}}),
    ("openai", {"role": "assistant", "function_call": [{"name": "f", "arguments": "{}"}]}),
    ("anthropic", {"role": "assistant", "content": BLOCK}),
    ("anthropic", {"role": "assistant", "content": [[BLOCK]]}),
    ("copilot", {"type": "assistant.message", "data": "x"}),
    ("copilot", {"type": "assistant.message", "data": {"toolRequests": {"toolCallId": "1", "name": "f"}}}),
    ("copilot", {"type": "tool.execution_start", "data": None}),
    ("copilot", {"type": "tool.execution_complete", "data": ["1"]}),
    ("claude-code", {"type": "progress", "data": {"type": "agent_progress", "message": [BLOCK]}}),
    ("atif", {"tool_calls": {"tool_call_id": "1", "function_name": "f", "arguments": {}}}),
    ("atif", {"observation": "text"}),
    ("atif", {"observation": [{"results": [{"content": "text"}]}]}),
    ("atif", {"observation": {"results": {"content": "text"}}}),
    ("atif", {"observation": {"results": ["text"]}}),
    ("otel", {"resourceSpans": {"scopeSpans": []}}),
    ("otel", {"resourceSpans": [{"scopeSpans": {"spans": [SPAN]}}]}),
    ("otel", {"resourceSpans": [{"scopeSpans": [{"spans": SPAN}]}]}),
    ("otel", {"resourceSpans": [{"scopeSpans": [{"spans": ["x"]}]}]}),
    ("otel", {**SPAN, "attributes": "x"}),
    ("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["f"]}),
]
"""Records that hold a call or a result, but not in the way in which their format does."""

WELL_HELD: dict[str, dict[str, Any]] = {
    "claude-code": {"type": "assistant", "sessionId": "s", "message": {"content": "text"}},
    "codex": {"type": "response_item", "payload": {"type": "message"}},
    "openai": {"role": "assistant", "content": "text", "tool_calls": None},
    "anthropic": {"role": "assistant", "content": "text"},
    "copilot": {"type": "assistant.message", "data": {"toolRequests": []}},
    "atif": {"observation": None, "tool_calls": []},
    "otel": {"resourceSpans": [{"resource": {}}, {"scopeSpans": [{}, {"spans": []}]}]},
    "mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
}
"""Records that hold neither."""


MADE = {"id": "1", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f"}}
SEVERAL: list[tuple[str, Any, list[str]]] = [
    ("openai", {"role": "tool", "tool_call_id": "0", "content": "", "tool_calls": [MADE]}, ["f"]),
    ("openai", {"role": "function", "name": "e", "content": "", "tool_calls": [MADE]}, ["f"]),
    (
        "openai",
        {
            "role": "assistant",
            "tool_calls": [MADE],
            "function_call": {"name": "g", "arguments": "{}"},
            "type": "function_call",
            "call_id": "2",
            "name": "h",
            "arguments": "{}",
        },
        ["f", "g", "h"],
    ),
    ("mcp", {"type": "REQUEST", "payload": [ASKED, ASKED | {"id": 2}]}, ["f", "f"]),
    ("mcp", {"direction": "client->server", "server": "s", "message": [ASKED]}, ["mcp__s__f"]),
]
"""Records that hold calls in more than one way, or several, and the tools that are called."""


class Many(unittest.TestCase):
    def test_what_auto_read_stays_small_and_is_read_again(self) -> None:
        record = (CALL % ("1", "{}") + "\n").encode()
        read(iter([record]), "x", "auto", Store())  # what has to be loaded once
        lines = BytesIO(b"\nx\n\r\n" * 20_000 + record + b"\n{torn")
        tracemalloc.start()
        try:
            found = read(lines, "x", "auto", Store())
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        self.assertLess(most, 1_000_000)
        self.assertEqual((found.format, [call.line for call in found.records]), ("claude-code", [60_001]))
        counts = found.counts
        self.assertEqual((counts.leading, counts.unread, counts.first_unread, counts.torn), (20_000, 1, 60_003, True))


class Several(unittest.TestCase):
    def test_no_call_hides_behind_another_or_behind_a_result(self) -> None:
        for name, record, tools in SEVERAL:
            found = read(iter(lines_of([record])), "x", name, Store())
            self.assertEqual([call.tool for call in found.records], tools, record)


class InTheWrongPlace(unittest.TestCase):
    def test_a_list_of_records_where_a_record_should_be(self) -> None:
        for name, record in WELL_HELD.items():
            steps = {"schema_version": "ATIF-v1.7", "steps": [record, [record]]}
            values = [steps] if name == "atif" else [[record, [record]]]
            if name not in ("openai", "anthropic"):  # in which lists of lists are looked through
                found = read(iter(lines_of(values)), "x", name, Store())
                self.assertEqual(found.counts.unread, 1, name)

    def test_one_step_or_trajectory_where_a_list_should_be(self) -> None:
        step = {"tool_calls": [{"tool_call_id": "1", "function_name": "f", "arguments": {}}]}
        for held in ({"steps": step}, {"subagent_trajectories": {"steps": [step]}}):
            found = read(iter(lines_of([{"schema_version": "ATIF-v1.7"} | held])), "x", "atif", Store())
            self.assertEqual([call.tool for call in found.records], ["f"])


class Torn(unittest.TestCase):
    def test_a_torn_first_line_does_not_take_the_others_for_a_part_of_it(self) -> None:
        whole = b'{"a":{"b":[1]}}\n'
        for torn in (b"{torn\n", b'{"a":1,\n', b'[{"b": {\n', b'{"a":\n', b'[{"a":1}\n'):
            for blank in (b"", b"\n", b" \t\r\n"):
                rest = iter([torn, *((blank, whole) if blank else (whole,)) * 1000])
                tally = Tally()
                values = iter(Values(rest, "x", tally))
                self.assertEqual(next(values)[0], {"a": {"b": [1]}})
                self.assertGreater(sum(1 for _ in rest), 990, (torn, blank))
                self.assertEqual((tally.unread, tally.first_unread), (1, 1))

    def test_a_document_that_can_not_be_read_any_more_is_not_held_to_its_end(self) -> None:
        for begun, number in ((b"[\n", 501), (b'{"a":\n', 501), (b'[{"a":\n', 251)):
            rest = iter([begun] * number + [b'{"a":1},\n'] * 1000)
            self.assertEqual(next(iter(Values(rest, "x", Tally())))[0], {"a": 1})
            self.assertEqual(sum(1 for _ in rest), 999, begun)

    def test_a_document_that_is_laid_out_in_any_way(self) -> None:
        for text in (
            '[\n{"a":1},\n\n{"a":[\n"x",\n"y"\n]}\n]\n',
            '[{"a":1}\n,{"a"\n:\n["x"\n,"y"]}\n]',
            '[\r\n\t{"a":1} , \r\n{\r\n"a" :\r\n[ \r\n"x" ,"y"]}]\r\n',
        ):
            found = list(Values(iter(text.encode().splitlines(keepends=True)), "x", Tally()))
            self.assertEqual([value for value, _ in found], [[{"a": 1}, {"a": ["x", "y"]}]])


class Losses(unittest.TestCase):
    def unread(self, name: str, record: dict[str, Any]) -> int | None:
        """Read a record behind one that tells the format; give the number of lines not read."""
        values: list[Any] = [WELL_HELD[name], record]
        if name == "atif":
            values = [{"schema_version": "ATIF-v1.7", "steps": values}]
        found = read(iter(lines_of(values)), "x", name, Store())
        self.assertEqual(found.counts.lossless, found.counts.unread == 0)
        return found.counts.unread

    def test_nothing_is_missing(self) -> None:
        for name, record in WELL_HELD.items():
            self.assertEqual(self.unread(name, record), 0, record)

    def test_a_call_or_result_that_is_not_held_as_it_should_be_is_not_lost_unsaid(self) -> None:
        for name, record in BADLY_HELD:
            self.assertEqual(self.unread(name, record), 1, record)


if __name__ == "__main__":
    unittest.main()
