"""Lines to records: which lines are records, and what is said of the first that is none."""

import unittest

from support import call

from toolreplay.engine.errors import InputError
from toolreplay.engine.transcript import FIELDS, LINK_FIELDS, Record, numbered_values, read_records, what_is_wrong

RECORD = b'{"index":0,"tool":"search","args":{},"response":{}}'


def lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [data.split(b"\n")[-1]]


# name, file, for each record its line
READ: list[tuple[str, bytes, list[int]]] = [
    ("nothing", b"", []),
    ("blank lines alone", b"\n \t \n\r\n\t\r\n  ", []),
    ("one record", call(0), [1]),
    ("no newline at the end", call(0) + call(1).rstrip(b"\n"), [1, 2]),
    ("blank lines between", b"\n\n" + call(0) + b" \t\n\r\n" + call(1) + b"\n\n", [3, 6]),
    ("CRLF", call(0).replace(b"\n", b"\r\n") + call(1).replace(b"\n", b"\r\n"), [1, 2]),
    ("CRLF and LF, blank ones too", call(0).replace(b"\n", b"\r\n") + b"\r\n\n" + call(1), [1, 4]),
    ("white space around", b"  \t" + RECORD + b" \t \n", [1]),
    ("other order of the fields", b'{"response":{},"args":{},"tool":"a","index":0}\n', [1]),
    ("an escaped name of a field", rb'{"\u0069ndex":0,"tool":"a","args":{},"response":{}}', [1]),
    ("minus zero is zero", RECORD.replace(b"0", b"-0"), [1]),
    ("an empty name", call(0, ""), [1]),
    ("twelve records", b"".join(call(index) for index in range(12)), list(range(1, 13))),
]

# name, the text of a string that ends no line
NO_LINE_END = [
    ("U+2028", "\u2028"),
    ("U+2029", "\u2029"),
    ("U+0085", "\x85"),
    ("an escaped newline", "\n"),
    ("an escaped form feed", "\x0c"),
    ("an escaped vertical tab and the separators", "\x0b\x1c\x1d\x1e"),
]

# name, a line that follows one good record on line 1, the cause
BAD: list[tuple[str, bytes, str]] = [
    ("text", b"hello", "not JSON: expected a value at column 1"),
    ("torn in a key", b'{"index": 1, "to', "not JSON: the text ends inside a string at column 17"),
    ("torn between", b'{"index": 1,', "not JSON: the text ends too early at column 13"),
    ("torn at the end", call(1)[:-2], "not JSON: the text ends too early at column 58"),
    ("two on one line", call(1).strip() + call(2), "not JSON: more text after the value at column 59"),
    ("a comment", b"// note", "not JSON: expected a value at column 1"),
    (
        "torn in a string before a newline",
        b'{"index": 1, "tool": "se\n',
        "not JSON: the text ends inside a string at column 25",
    ),
    ("torn between before a newline", b'{"index": 1, \r\n', "not JSON: the text ends too early at column 13"),
    ("a carriage return that is no line end", b"\r\r\n", "not JSON: the text ends too early at column 1"),
    ("only a form feed", b"\x0c\n", "not JSON: expected a value at column 1"),
    ("only a no-break space", b"\xc2\xa0\n", "not JSON: expected a value at column 1"),
    ("an array", b'[1,"search",{},{}]', "not an object but an array"),
    ("an array of the names", b'["index","tool","args","response"]', "not an object but an array"),
    ("a string", b'"index"', "not an object but a string"),
    ("an integer", b"1", "not an object but an integer"),
    ("a float", b"1.0", "not an object but a number with a fraction or exponent"),
    ("true", b"true", "not an object but true or false"),
    ("null", b"null", "not an object but null"),
    ("an empty object", b"{}", 'missing field: "index"'),
    ("no index", b'{"tool":"a","args":{},"response":{}}', 'missing field: "index"'),
    ("no tool", b'{"index":1,"args":{},"response":{}}', 'missing field: "tool"'),
    ("no args", b'{"index":1,"tool":"a","response":{}}', 'missing field: "args"'),
    ("no response", b'{"index":1,"tool":"a","args":{}}', 'missing field: "response"'),
    ("a field too many", b'{"index":1,"tool":"a","args":{},"response":{},"extra":1}', 'unexpected field: "extra"'),
    (
        "the first field too many",
        b'{"z":1,"index":1,"tool":"a","args":{},"response":{},"a":1}',
        'unexpected field: "z"',
    ),
    ("a field in other case", b'{"index":1,"Tool":"a","args":{},"response":{}}', 'unexpected field: "Tool"'),
    (
        "a field that attacks",
        rb'{"\u001b[2J\n\u2028##[error]x":1}',
        r'unexpected field: "\u001b[2J\n\u2028##\u005berror]x"',
    ),
    ("a long field", b'{"' + b"k" * 1_000_000 + b'":1}', f'unexpected field: "{"k" * 200}…" (1000000 characters)'),
    ("a duplicate field", b'{"index":1,"tool":"a","args":{},"tool":"a","response":{}}', 'duplicate key: "tool"'),
    (
        "a duplicate deep down",
        b'{"index":1,"tool":"a","args":{"x":[{"k":1,"k":1}]},"response":{}}',
        'duplicate key: "k"',
    ),
    ("NaN", b'{"index":1,"tool":"a","args":{"x":NaN},"response":{}}', "not JSON: NaN is no JSON number"),
    ("infinity", b'{"index":1,"tool":"a","args":{"x":1e999},"response":{}}', "a number overflows to infinity"),
    (
        "501 levels",
        b'{"index":1,"tool":"a","response":{},"args":{"x":' + b"[" * 499 + b"]" * 499 + b"}}",
        "nested more than 500 levels deep",
    ),
    ("not UTF-8", b'{"index":1,"tool":"\xff"', "not UTF-8 at byte 20"),
    ("a byte order mark", b"\xef\xbb\xbf" + call(1), "a byte order mark; the file must be plain UTF-8"),
    (
        "a link of a sealed file",
        b'{"args":{},"digest":"x","index":1,"prev":"y","response":{},"tool":"a"}',
        "a link of a sealed file, not a record of a transcript: use 'verify' to check it",
    ),
]

NO_INTEGER = 'field "index" must be an integer, not '

# name, the index as it stands on line 2, the cause
BAD_INDEX: list[tuple[str, bytes, str]] = [
    ("true", b"true", NO_INTEGER + "true or false"),
    ("a float", b"1.0", NO_INTEGER + "a number with a fraction or exponent"),
    ("an exponent", b"1e0", NO_INTEGER + "a number with a fraction or exponent"),
    ("a string", b'"1"', NO_INTEGER + "a string"),
    ("null", b"null", NO_INTEGER + "null"),
    ("an array", b"[1]", NO_INTEGER + "an array"),
    ("an object", b"{}", NO_INTEGER + "an object"),
    ("negative", b"-1", "index out of order: expected 1, found -1"),
    ("skipped", b"2", "index out of order: expected 1, found 2"),
    ("repeated", b"0", "index out of order: expected 1, found 0"),
    ("huge", b"9" * 4300, f"index out of order: expected 1, found {'9' * 200}… (4300 characters)"),
    ("more than huge", b"9" * 4301, "an integer has more than 4300 digits"),
]

# field, what it has to be, values that it can't have
BAD_TYPES: list[tuple[str, str, list[bytes]]] = [
    ("tool", "a string", [b"1", b"1.5", b"true", b"null", b"[]", b"{}"]),
    ("args", "an object", [b'""', b"1", b"1.5", b"false", b"null", b"[]"]),
    ("response", "an object", [b'"x"', b"0", b"0.0", b"true", b"null", b"[{}]"]),
]
TYPE_NAMES = {
    b"1": "an integer",
    b"0": "an integer",
    b"1.5": "a number with a fraction or exponent",
    b"0.0": "a number with a fraction or exponent",
    b"true": "true or false",
    b"false": "true or false",
    b"null": "null",
    b"[]": "an array",
    b"[{}]": "an array",
    b"{}": "an object",
    b'""': "a string",
    b'"x"': "a string",
}


class ReadRecords(unittest.TestCase):
    def test_lines(self) -> None:
        for name, data, numbers in READ:
            with self.subTest(name):
                records = list(read_records(lines(data), "s.jsonl"))
                self.assertEqual([record.line for record in records], numbers)
                self.assertEqual([record.index for record in records], list(range(len(numbers))))

    def test_a_record(self) -> None:
        line = b'{"index":0,"tool":"list_dir","args":{"path":"d","n":[1,2.5,null]},"response":{"ok":true}}'
        expected = Record(0, "list_dir", {"path": "d", "n": [1, 2.5, None]}, {"ok": True}, 1)
        self.assertEqual(list(read_records([line])), [expected])

    def test_what_ends_no_line(self) -> None:
        for name, text in NO_LINE_END:
            with self.subTest(name):
                data = call(0, "a" + text + "b", {text: text}, {"x": text}) + call(1)
                first, second = read_records(lines(data))
                self.assertEqual((first.tool, first.args, first.line), ("a" + text + "b", {text: text}, 1))
                self.assertEqual(second.line, 2)

    def test_bad_lines(self) -> None:
        for name, line, cause in BAD:
            with self.subTest(name):
                self.check([call(0), line], 2, cause)

    def test_bad_lines_keep_their_number_after_blank_ones(self) -> None:
        self.check([b"\n", call(0), b" \t\r\n", b"\n", b"[]\n"], 5, "not an object but an array")

    def test_bad_indexes(self) -> None:
        for name, index, cause in BAD_INDEX:
            with self.subTest(name):
                self.check([call(0), RECORD.replace(b"0", index)], 2, cause)

    def test_the_first_index_is_zero(self) -> None:
        self.check([call(1)], 1, "index out of order: expected 0, found 1")

    def test_bad_types(self) -> None:
        for field, wanted, values in BAD_TYPES:
            for value in values:
                with self.subTest(field=field, value=value):
                    fields = {"tool": b'"a"', "args": b"{}", "response": b"{}", field: value}
                    body = b",".join(b'"%b":%b' % (name.encode(), text) for name, text in fields.items())
                    cause = f'field "{field}" must be {wanted}, not {TYPE_NAMES[value]}'
                    self.check([call(0), b'{"index":1,' + body + b"}\n"], 2, cause)

    def test_the_first_bad_line_is_named(self) -> None:
        self.check([call(0), b"[]\n", b"nope\n"], 2, "not an object but an array")

    def test_records_before_a_bad_line_are_given(self) -> None:
        records = read_records([call(0), call(1), b"{"])
        self.assertEqual([next(records).index, next(records).index], [0, 1])
        with self.assertRaises(InputError):
            next(records)

    def check(self, given: list[bytes], line: int, cause: str) -> None:
        with self.assertRaises(InputError) as caught:
            list(read_records(given, "s.jsonl"))
        error = caught.exception
        self.assertEqual((error.cause, error.name, error.line), (cause, "s.jsonl", line))
        self.assertEqual(str(error), f"s.jsonl:{line}: {cause}")


class NumberedValues(unittest.TestCase):
    def test_blank_lines_count_and_give_nothing(self) -> None:
        self.assertEqual(list(numbered_values([b"\n", b"1\n", b"\t\r\n", b"[2]"], "x")), [(2, 1), (4, [2])])


class WhatIsWrong(unittest.TestCase):
    def test_a_record_where_a_link_should_be(self) -> None:
        self.assertEqual(
            what_is_wrong({"index": 0, "tool": "a", "args": {}, "response": {}}, LINK_FIELDS),
            "a record of a transcript, not a link of a sealed file: use 'replay' to audit it or 'seal' to seal it",
        )

    def test_fields_of_both_kinds(self) -> None:
        record = {"index": 0, "tool": "a", "args": {}, "response": {}}
        link = "a link of a sealed file, not a record of a transcript: use 'verify' to check it"
        for value, fields, cause in (
            ({**record, "prev": "", "digest": "", "note": 1}, FIELDS, link),
            ({"prev": "", "digest": ""}, FIELDS, link),
            ({**record, "prev": ""}, FIELDS, 'unexpected field: "prev"'),
            ({**record, "digest": ""}, FIELDS, 'unexpected field: "digest"'),
            ({**record, "digest": ""}, LINK_FIELDS, 'missing field: "prev"'),
        ):
            with self.subTest(cause):
                self.assertEqual(what_is_wrong(value, fields), cause)

    def test_nothing_wrong_is_a_mistake_of_the_caller(self) -> None:
        with self.assertRaises(AssertionError):
            what_is_wrong(
                dict.fromkeys(("tool", "prev", "digest"), "") | {"index": 0, "args": {}, "response": {}}, LINK_FIELDS
            )


class Errors(unittest.TestCase):
    def test_where_it_happened(self) -> None:
        for error, text in (
            (InputError("cause"), "cause"),
            (InputError("cause", "a.jsonl"), "a.jsonl: cause"),
            (InputError("cause", "a.jsonl", 7), "a.jsonl:7: cause"),
            (InputError("cause", None, 7), "7: cause"),
            (InputError("cause", "a\n##[b]\udcff", 7), "a\\n##\\u005bb]\\udcff:7: cause"),
        ):
            with self.subTest(text):
                self.assertEqual(str(error), text)
        self.assertIsInstance(InputError("cause"), ValueError)


if __name__ == "__main__":
    unittest.main()
