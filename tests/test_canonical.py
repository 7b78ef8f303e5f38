"""Strict JSON in, canonical JSON out."""

import inspect
import json.encoder
import subprocess
import sys
import unittest
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from reference import canonical
from support import ROOT

from toolreplay.engine.canonical import c_make_encoder, decode, dumps, loads
from toolreplay.engine.errors import JsonError

# name, text, its canonical JSON
ACCEPTED: list[tuple[str, str, str]] = [
    ("empty object", "{}", "{}"),
    ("empty array", "[ ]", "[]"),
    ("words", "[true,false,null]", "[true,false,null]"),
    ("white space", ' \t{ "a" :\r[ 1 , 2 ] }\t \r\n', '{"a":[1,2]}'),
    ("key order", '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'),
    ("key order by code point, not by UTF-16 unit", '{"😀":1,"\ue000":2}', '{"\ue000":2,"😀":1}'),
    ("key order with a lone surrogate", '{"\ue000":2,"\\ud83d":1}', '{"\\ud83d":1,"\ue000":2}'),
    ("key order by case", '{"a":1,"B":2,"":3}', '{"":3,"B":2,"a":1}'),
    ("the same key at different depths", '{"a":{"a":{"a":1}}}', '{"a":{"a":{"a":1}}}'),
    ("short escapes", r'"\"\\\b\f\n\r\t"', r'"\"\\\b\f\n\r\t"'),
    ("short escapes in their long form", r'"\u0022\u005c\u0008\u000c\u000a\u000d\u0009"', r'"\"\\\b\f\n\r\t"'),
    ("other controls", r'"\u0000\u001F\u000B"', r'"\u0000\u001f\u000b"'),
    ("a slash", r'"\/ /"', '"/ /"'),
    ("needless escapes", r'"\u0041\u00e9\u06CC"', '"Aéی"'),
    ("U+007F and above", r'"\u007f\u0080\u00a0\u2028\u2029\ufeff\uffff"', '"\x7f\x80\xa0\u2028\u2029\ufeff\uffff"'),
    ("a surrogate pair", r'"\uD83D\uDE00"', '"😀"'),
    ("a lone high surrogate", r'"\uD83D"', r'"\ud83d"'),
    ("a lone low surrogate", r'"a\uDE00b"', r'"a\ude00b"'),
    ("low before high", r'"\ude00\ud83d"', r'"\ude00\ud83d"'),
    ("high before a pair", r'"\ud83d\ud83d\ude00"', r'"\ud83d😀"'),
    ("a high surrogate before another escape", r'"\ud83d\n"', r'"\ud83d\n"'),
    ("a backslash before what looks like a surrogate", r'"\\ud83d"', r'"\\ud83d"'),
    ("zeros", "[0,-0,0.0,-0.0,0e5]", "[0,0,0.0,-0.0,0.0]"),
    ("one", "[1,1.0,1e0,10e-1,true]", "[1,1.0,1.0,1.0,true]"),
    (
        "big floats",
        "[1e15,1e16,1E+22,1.7976931348623157e308]",
        "[1000000000000000.0,1e+16,1e+22,1.7976931348623157e+308]",
    ),
    ("small floats", "[0.0001,0.00001,5e-324,-1e-7]", "[0.0001,1e-05,5e-324,-1e-07]"),
    ("beyond double precision", "[0.1000000000000000055511151231257827,1e-400,-1e-400]", "[0.1,0.0,-0.0]"),
    ("a float that is an integer beyond 2**53", "9007199254740993.0", "9007199254740992.0"),
    ("integers beyond 64 bits", "[9007199254740993,-36893488147419103232]", "[9007199254740993,-36893488147419103232]"),
    ("4300 digits", "9" * 4300, "9" * 4300),
    ("minus 4300 digits", "[-" + "8" * 4300 + "]", "[-" + "8" * 4300 + "]"),
    ("4301 digits in a string", '"' + "7" * 4301 + '"', '"' + "7" * 4301 + '"'),
    ("4301 digits in a key", '{"' + "7" * 4301 + '":1}', '{"' + "7" * 4301 + '":1}'),
    ("4301 digits after the point", "0." + "1" * 4301, "0.1111111111111111"),
    ("4301 digits in an exponent", "1e-" + "1" * 4301, "0.0"),
    ("4301 digits before the point of a zero", "1" * 4301 + "e-4300", "1.1111111111111112"),
    ("500 levels of arrays", "[" * 500 + "]" * 500, "[" * 500 + "]" * 500),
    ("500 levels of objects", '{"a":' * 499 + "{}" + "}" * 499, '{"a":' * 499 + "{}" + "}" * 499),
    ("500 levels of both", '[{"a":' * 250 + "1" + "}]" * 250, '[{"a":' * 250 + "1" + "}]" * 250),
    ("1000 arrays side by side", "[" + "[]," * 999 + "[]]", "[" + "[]," * 999 + "[]]"),
    ("600 brackets in a string", '["' + "[{" * 300 + '"]', '["' + "[{" * 300 + '"]'),
    ("brackets after an escaped quote", '["\\"' + "[" * 600 + '"]', '["\\"' + "[" * 600 + '"]'),
    ("500 levels over a quote and a backslash", "[" * 500 + r'"\\"' + "]" * 500, "[" * 500 + r'"\\"' + "]" * 500),
]

DEEP = "nested more than 500 levels deep"
LONG = "an integer has more than 4300 digits"
INFINITE = "a number overflows to infinity"

# name, bytes, cause
REFUSED: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "not JSON: the text ends too early at column 1"),
    ("only white space", b" \t\r\n", "not JSON: the text ends too early at column 1"),
    ("two values", b"1 2", "not JSON: more text after the value at column 3"),
    ("a word", b"nul", "not JSON: expected a value at column 1"),
    ("a comma too many", b"[1,]", "not JSON: expected a value at column 4"),
    ("a column after text of other scripts", '{"ўзбек":😀}'.encode(), "not JSON: expected a value at column 10"),
    ("not UTF-8", b'"a\xff"', "not UTF-8 at byte 3"),
    ("a surrogate in UTF-8", b'"\xed\xa0\xbd"', "not UTF-8 at byte 2"),
    ("an overlong form", b'"\xc0\xaf"', "not UTF-8 at byte 2"),
    ("cut in a character", '"é'.encode()[:-1], "not UTF-8 at byte 2"),
    ("byte order mark", b"\xef\xbb\xbf{}", "a byte order mark; the file must be plain UTF-8"),
    ("byte order mark alone", b"\xef\xbb\xbf", "a byte order mark; the file must be plain UTF-8"),
    ("UTF-16", "{}".encode("utf-16-le"), "not JSON: expected a key or '}' at column 2"),
    ("UTF-16 with its mark", b"\xff\xfe{\x00}\x00", "a byte order mark; the file must be plain UTF-8"),
    ("UTF-16 of the other end", b"\xfe\xff\x00{\x00}", "a byte order mark; the file must be plain UTF-8"),
    ("a NUL byte", b"{}\x00", "not JSON: more text after the value at column 3"),
    ("a NUL byte in a string", b'"\x00"', "not JSON: a control character inside a string at column 2"),
    ("a tab in a string", b'"a\tb"', "not JSON: a control character inside a string at column 3"),
    ("a form feed between", b"[1,\x0c2]", "not JSON: expected a value at column 4"),
    ("a no-break space between", "[1,\xa02]".encode(), "not JSON: expected a value at column 4"),
    ("digits of another script", "[٣]".encode(), "not JSON: expected a value or ']' at column 2"),
    ("a duplicate key", b'{"a":1,"b":2,"a":1}', 'duplicate key: "a"'),
    ("a duplicate key deep down", b'[{"b":[{"x":{"k":1,"k":2}}]}]', 'duplicate key: "k"'),
    ("a duplicate key, once escaped", rb'{"a":1,"\u0061":2}', 'duplicate key: "a"'),
    ("a duplicate empty key", b'{"":1,"":2}', 'duplicate key: ""'),
    (
        "a duplicate key that attacks",
        rb'{"\n##[error]\u202e":1,"\n##[error]\u202e":2}',
        r'duplicate key: "\n##\u005berror]\u202e"',
    ),
    ("NaN", b"[NaN]", "not JSON: NaN is no JSON number"),
    ("Infinity", b'{"a":Infinity}', "not JSON: Infinity is no JSON number"),
    ("-Infinity", b"-Infinity", "not JSON: -Infinity is no JSON number"),
    ("-NaN", b"-NaN", "not JSON: expected a value at column 1"),
    ("overflow", b"[1e999]", INFINITE),
    ("negative overflow", b"-1e309", INFINITE),
    ("overflow without an exponent", b"9" * 400 + b".0", INFINITE),
    ("4301 digits", b"9" * 4301, LONG),
    ("minus 4301 digits", b"[-" + b"1" * 4301 + b"]", LONG),
    ("100000 digits", b'{"a":' + b"1" * 100_000 + b"}", LONG),
    ("4301 digits far inside", b'["' + b"x" * 9999 + b'",' + b"1" * 4301 + b',"' + b"y" * 9999 + b'"]', LONG),
    ("501 levels of arrays", b"[" * 501 + b"]" * 501, DEEP),
    ("501 levels of objects", b'{"a":' * 501 + b"1" + b"}" * 501, DEEP),
    ("501 levels of both", b'[{"a":' * 250 + b"[]" + b"}]" * 250, DEEP),
    ("501 levels after what closes", b"[[],[]," + b"[" * 500 + b"]" * 501, DEEP),
    ("501 levels that never close", b"[" * 501, DEEP),
    ("100000 levels", b"[" * 100_000 + b"]" * 100_000, DEEP),
    ("100000 levels that never close", b'{"a":' * 100_000, DEEP),
    ("levels come before what is not JSON", b"[nope," + b"[" * 501, DEEP),
    ("closing what was never open", b"]" * 600 + b"[" * 600, "not JSON: expected a value at column 1"),
    ("500 levels that never close", b"[" * 500, "not JSON: the text ends too early at column 501"),
]


@contextmanager
def digits_limited_to(limit: int) -> Any:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


class Loads(unittest.TestCase):
    def test_accepted(self) -> None:
        for name, text, expected in ACCEPTED:
            with self.subTest(name):
                self.assertEqual(dumps(loads(text.encode())).decode(), expected)

    def test_canonical_text_is_a_fixed_point(self) -> None:
        for name, _, expected in ACCEPTED:
            with self.subTest(name):
                self.assertEqual(dumps(loads(expected.encode())).decode(), expected)

    def test_accepted_beside_text_that_takes_the_slow_path(self) -> None:
        for name, text, expected in ACCEPTED:
            if expected.startswith("[" * 500) or expected.endswith(("}" * 499, "}]" * 250)):
                continue
            with self.subTest(name):
                crowd = '"' + "[" * 600 + '"'
                self.assertEqual(dumps(loads(f"[{text},{crowd}]".encode())).decode(), f"[{expected},{crowd}]")

    def test_refused(self) -> None:
        for name, data, cause in REFUSED:
            with self.subTest(name):
                with self.assertRaises(JsonError) as caught:
                    loads(data)
                self.assertEqual(caught.exception.cause, cause)
                self.assertEqual(str(caught.exception), cause)

    def test_types_are_kept(self) -> None:
        value = loads(b'{"a":[1,1.0,true,null,"1",[],{}]}')
        self.assertEqual([type(item) for item in value["a"]], [int, float, bool, type(None), str, list, dict])

    def test_integers_whatever_the_environment_sets(self) -> None:
        longest, too_long = b"[-" + b"9" * 4300 + b"]", b"[-" + b"9" * 4301 + b"]"
        expected = [-(10**4300 - 1)]
        for limit in (0, 640, 4300, 10_000):
            with self.subTest(limit=limit), digits_limited_to(limit):
                value = loads(longest)
                self.assertTrue(value == expected)
                self.assertEqual(dumps(value), longest)
                with self.assertRaises(JsonError) as caught:
                    loads(too_long)
                self.assertEqual(caught.exception.cause, LONG)

    def test_line_of_a_fault(self) -> None:
        for data, cause, newlines in (
            (b'{"a":1,\n"b":}', "not JSON: expected a value at column 5", 1),
            (b"\n\n[1,\r\n2", "not JSON: the text ends too early at column 2", 3),
            (b'{\n\n"a": "\xff"}', "not UTF-8 at byte 7", 2),
        ):
            with self.subTest(data), self.assertRaises(JsonError) as caught:
                loads(data)
            self.assertEqual((caught.exception.cause, caught.exception.newlines), (cause, newlines))


def at_depth(calls: int, function: Callable[[], object]) -> object:
    return function() if calls == 0 else at_depth(calls - 1, function)


class CalledFromDeepDown(unittest.TestCase):
    """With hardly any room left for calls an answer is right or there is none."""

    def test_near_the_limit(self) -> None:
        room = sys.getrecursionlimit() - len(inspect.stack()) - 20
        deep = b'{"a":' * 90 + b'[1,"x"]' + b"}" * 90
        value = loads(deep)
        outcomes = set()
        for calls in range(room - 140, room + 20):
            for function, expected in (
                (lambda: loads(deep), value),
                (lambda: dumps(value), deep),
                (lambda: dumps(["\ud83d\ude00"] * 3), b'["\xf0\x9f\x98\x80","\xf0\x9f\x98\x80","\xf0\x9f\x98\x80"]'),
                (lambda: cause(b'{"a":1,"a":2}'), 'duplicate key: "a"'),
                (lambda: cause(b" \n"), "not JSON: the text ends too early at column 1"),
                (lambda: cause(b'["' + b"[" * 600 + b'"'), "not JSON: the text ends too early at column 604"),
            ):
                try:
                    self.assertEqual(at_depth(calls, function), expected)
                    outcomes.add("right")
                except RecursionError:
                    outcomes.add("none")
        self.assertEqual(outcomes, {"right", "none"})


def cause(data: bytes) -> str:
    try:
        return f"read: {loads(data)}"
    except JsonError as error:
        return error.cause


class SmallStack(unittest.TestCase):
    """Depth is checked before parsing: in a thread with a small stack a parser that goes too deep ends the process."""

    PROGRAM = """
import sys, threading
from toolreplay.engine.canonical import loads
from toolreplay.engine.errors import JsonError

def read() -> None:
    for levels in 501, 999, 1000, 1001, 100_000:
        for opening in b"[", b'{"":':
            try:
                loads(opening * levels)
            except JsonError as error:
                print(levels, error.cause)

threading.stack_size(128 * 1024)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""

    def test_text_that_never_closes_its_brackets(self) -> None:
        done = subprocess.run([sys.executable, "-c", self.PROGRAM], capture_output=True, cwd=ROOT, check=False)
        told = [f"{levels} nested more than 500 levels deep" for levels in (501, 999, 1000, 1001, 100_000)]
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.decode().splitlines(), [line for line in told for _ in range(2)])


class Decode(unittest.TestCase):
    def test_text(self) -> None:
        self.assertEqual(decode("ўзбек اردو 😀".encode()), "ўзбек اردو 😀")

    def test_refused(self) -> None:
        for data in (b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80"):
            with self.subTest(data), self.assertRaises(JsonError):
                decode(data)


# What JSON text can't give, but Python can.
MADE_IN_PYTHON: list[tuple[str, object, str]] = [
    ("a tuple", (1, [2]), "[1,[2]]"),
    ("an uncombined pair", "\ud83d\ude00", '"😀"'),
    ("a high surrogate before an uncombined pair", "\ud83d\ud83d\ude00", r'"\ud83d😀"'),
    ("uncombined pairs as keys", {"\ud83d\ude00": 1, "\ue000": 2, "\ud83d": 3}, '{"\\ud83d":3,"\ue000":2,"😀":1}'),
    ("uncombined pairs deep down", [{"a": ("\ud83d\ude00", 1.5, None)}], '[{"a":["😀",1.5,null]}]'),
    ("halves of a pair in two strings", ["\ud83d", "\ude00"], r'["\ud83d","\ude00"]'),
]


class Speed(unittest.TestCase):
    @unittest.skipUnless(sys.implementation.name == "cpython", "other interpreters have no encoder in C")
    def test_the_encoder_in_c_is_used(self) -> None:
        self.assertIs(c_make_encoder, json.encoder.c_make_encoder)  # type: ignore[attr-defined]  # not documented


class LongText(unittest.TestCase):
    def test_it_is_written_like_short_text(self) -> None:
        for text in ("é", '"\\', "\n\r\t\b\f", "\x00", "\x1f", "\x7f\x85\u2028", "😀\ud83d", "\\u0041"):
            for length in (1, 499, 500, 501, 3000):
                values: list[object] = [{"a": "x" * length + text, "b": [text * length]}, ["x" * length + text]]
                for value in values:
                    for size in (0, 10_000):
                        self.assertEqual(dumps(value, size).decode(), canonical(value))


class Dumps(unittest.TestCase):
    def test_made_in_python(self) -> None:
        for name, value, expected in MADE_IN_PYTHON:
            with self.subTest(name):
                self.assertEqual(dumps(value).decode(), expected)

    def test_agrees_with_the_reference(self) -> None:
        for name, text, _ in ACCEPTED:
            value = loads(text.encode())
            if "500" not in name:
                with self.subTest(name):
                    self.assertEqual(dumps(value).decode(), canonical(value))

    def test_every_character_up_to_u_ffff_agrees_with_the_reference(self) -> None:
        for start in range(0, 0x10000, 0x100):
            text = " ".join(chr(point) for point in range(start, start + 0x100))
            self.assertEqual(dumps(text).decode(), canonical(text))
            self.assertEqual(loads(dumps(text)), text)

    def test_long_integers_among_everything_else(self) -> None:
        value = {"b": [10**4000, "é\ud83d", {"y": None, "x": (True, 1.5)}], "a": -(10**999)}
        expected = canonical({"b": [10**4000, "é\ud83d", {"y": None, "x": [True, 1.5]}], "a": -(10**999)})
        for limit in (0, 640, 4300):
            with self.subTest(limit=limit), digits_limited_to(limit):
                self.assertEqual(dumps(value).decode(), expected)

    def test_no_json(self) -> None:
        numbers: list[object] = [float("nan"), float("inf"), [-float("inf")], {"a": float("nan")}]
        for number in numbers:
            with self.subTest(number), self.assertRaises(ValueError):
                dumps(number)
        others: list[object] = [{1}, b"bytes", object(), [1j]]
        for value in others:
            with self.subTest(value), self.assertRaisesRegex(TypeError, "not a JSON value: "):
                dumps(value)

    def test_keys_that_become_equal_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "two keys are equal once their surrogate pairs are combined"):
            dumps({"\ud83d\ude00": 1, "😀": 2, "\ud83d": 3})


if __name__ == "__main__":
    unittest.main()
