"""Files that must be refused: name, kind of file, text or bytes, 1-based line of the fault (None: the file), reason."""

_FIRST = '{"index":0,"tool":"t","args":{},"response":{}}'
_PREFIX = '{"index":0,"tool":"t","args":{"a":'
_SUFFIX = '},"response":{}}'
_ZEROS = "0" * 64


def _holding(value: str) -> str:
    return _PREFIX + value + _SUFFIX + "\n"


_LINK = f'{{"args":{{}},"digest":"{_ZEROS}","index":0,"prev":"{_ZEROS}","response":{{}},"tool":"t"}}\n'
_SCOPE = '{"agent":"a","allowed_tools":["t"]}'

REFUSED: list[tuple[str, str, str | bytes, int | None, str]] = [
    # not JSON
    ("an open object", "transcript", _FIRST + "\n" + '{"index":1,"tool":"t"\n', 2, "not-json"),
    ("two objects on one line", "transcript", _FIRST + _FIRST + "\n", 1, "not-json"),
    ("a comma too many", "transcript", _holding("[1,]"), 1, "not-json"),
    ("a comma before the end of an object", "transcript", _holding('{"b":1,}'), 1, "not-json"),
    ("single quotes", "transcript", _holding("'b'"), 1, "not-json"),
    ("a comment", "transcript", _holding("1/*c*/"), 1, "not-json"),
    ("a zero before digits", "transcript", _holding("01"), 1, "not-json"),
    ("a plus sign", "transcript", _holding("+1"), 1, "not-json"),
    ("no digit before the point", "transcript", _holding(".5"), 1, "not-json"),
    ("no digit after the point", "transcript", _holding("1."), 1, "not-json"),
    ("no digit in the exponent", "transcript", _holding("1e"), 1, "not-json"),
    ("digits of another script", "transcript", _holding("١"), 1, "not-json"),
    ("hexadecimal", "transcript", _holding("0x1"), 1, "not-json"),
    ("True", "transcript", _holding("True"), 1, "not-json"),
    ("NaN", "transcript", _holding("NaN"), 1, "not-json"),
    ("Infinity", "transcript", _holding("Infinity"), 1, "not-json"),
    ("minus Infinity", "transcript", _holding("-Infinity"), 1, "not-json"),
    ("a tab inside a string", "transcript", _holding('"a\tb"'), 1, "not-json"),
    ("a NUL inside a string", "transcript", _holding('"a\0b"'), 1, "not-json"),
    ("an unknown escape", "transcript", _holding(r'"\x41"'), 1, "not-json"),
    ("a short escape of four digits", "transcript", _holding(r'"\u12"'), 1, "not-json"),
    ("a no-break space between tokens", "transcript", _holding("\u00a01"), 1, "not-json"),
    ("a line of a form feed is not blank", "transcript", _FIRST + "\n\f\n", 2, "not-json"),
    # bytes
    ("a byte order mark", "transcript", "\ufeff" + _FIRST + "\n", 1, "byte-order-mark"),
    ("UTF-16", "transcript", b"\xff\xfe" + _FIRST.encode("utf-16-le"), 1, "byte-order-mark"),
    ("a stray byte", "transcript", b"\n" + _PREFIX.encode() + b'"\xff"' + _SUFFIX.encode(), 2, "not-utf-8"),
    ("Latin-1", "transcript", _PREFIX.encode() + b'"caf\xe9"' + _SUFFIX.encode(), 1, "not-utf-8"),
    ("an overlong slash", "transcript", _PREFIX.encode() + b'"\xc0\xaf"' + _SUFFIX.encode(), 1, "not-utf-8"),
    ("a surrogate in UTF-8", "transcript", _PREFIX.encode() + b'"\xed\xa0\xbd"' + _SUFFIX.encode(), 1, "not-utf-8"),
    ("beyond U+10FFFF", "transcript", _PREFIX.encode() + b'"\xf4\x90\x80\x80"' + _SUFFIX.encode(), 1, "not-utf-8"),
    # limits
    ("a key twice", "transcript", '{"index":0,"tool":"t","tool":"t","args":{},"response":{}}\n', 1, "duplicate-key"),
    ("a key twice deep down", "transcript", _holding('[{"b":1,"c":2,"b":1}]'), 1, "duplicate-key"),
    ("a key twice, once escaped", "transcript", _holding(r'{"b":1,"\u0062":2}'), 1, "duplicate-key"),
    ("a key twice, once as a pair", "transcript", _holding('{"😀":1,"\\ud83d\\ude00":2}'), 1, "duplicate-key"),
    ("a key twice, a lone surrogate", "transcript", _holding(r'{"\ud83d":1,"\uD83D":2}'), 1, "duplicate-key"),
    ("an overflow", "transcript", _holding("1e999"), 1, "number-overflow"),
    ("a negative overflow", "transcript", _holding("-1e309"), 1, "number-overflow"),
    ("an overflow by rounding", "transcript", _holding("1.797693134862315808e308"), 1, "number-overflow"),
    ("an overflow in digits", "transcript", _holding("9" * 309 + ".0"), 1, "number-overflow"),
    ("4,301 digits", "transcript", _holding("1" + "0" * 4300), 1, "integer-too-long"),
    ("minus and 4,301 digits", "transcript", _holding("-" + "1" * 4301), 1, "integer-too-long"),
    ("501 levels", "transcript", _holding("[" * 499 + "]" * 499), 1, "too-deep"),
    ("501 levels of objects", "transcript", _holding('{"a":' * 498 + "{}" + "}" * 498), 1, "too-deep"),
    # records
    ("an array", "transcript", "[]\n", 1, "not-an-object"),
    ("a string", "transcript", _FIRST + '\n"x"\n', 2, "not-an-object"),
    ("null", "transcript", "null\n", 1, "not-an-object"),
    ("no index", "transcript", '{"tool":"t","args":{},"response":{}}\n', 1, "missing-field"),
    ("no tool", "transcript", '{"index":0,"args":{},"response":{}}\n', 1, "missing-field"),
    ("no args", "transcript", '{"index":0,"tool":"t","response":{}}\n', 1, "missing-field"),
    ("no response", "transcript", '{"index":0,"tool":"t","args":{}}\n', 1, "missing-field"),
    (
        "a field too many",
        "transcript",
        '{"index":0,"tool":"t","args":{},"response":{},"id":"1"}\n',
        1,
        "unexpected-field",
    ),
    ("a field in capitals", "transcript", '{"Index":0,"tool":"t","args":{},"response":{}}\n', 1, "unexpected-field"),
    ("index true", "transcript", '{"index":true,"tool":"t","args":{},"response":{}}\n', 1, "wrong-type"),
    ("index 0.0", "transcript", '{"index":0.0,"tool":"t","args":{},"response":{}}\n', 1, "wrong-type"),
    ("index 0e0", "transcript", '{"index":0e0,"tool":"t","args":{},"response":{}}\n', 1, "wrong-type"),
    ("index as text", "transcript", '{"index":"0","tool":"t","args":{},"response":{}}\n', 1, "wrong-type"),
    ("tool null", "transcript", '{"index":0,"tool":null,"args":{},"response":{}}\n', 1, "wrong-type"),
    ("args an array", "transcript", '{"index":0,"tool":"t","args":[],"response":{}}\n', 1, "wrong-type"),
    ("response text", "transcript", '{"index":0,"tool":"t","args":{},"response":"ok"}\n', 1, "wrong-type"),
    ("index from one", "transcript", '{"index":1,"tool":"t","args":{},"response":{}}\n', 1, "index-out-of-order"),
    ("index repeated", "transcript", _FIRST + "\n\n" + _FIRST + "\n", 3, "index-out-of-order"),
    ("index negative", "transcript", '{"index":-1,"tool":"t","args":{},"response":{}}\n', 1, "index-out-of-order"),
    # links
    ("nothing", "sealed", "", None, "no-links"),
    ("only blank lines", "sealed", "\n \t\r\n\n", None, "no-links"),
    ("only a carriage return at the end", "sealed", "\n\r", None, "no-links"),
    ("a carriage return before that of the line end", "sealed", "\r\r\n", 1, "not-json"),
    ("a record", "sealed", _FIRST + "\n", 1, "missing-field"),
    ("no prev", "sealed", _LINK.replace(f'"prev":"{_ZEROS}",', ""), 1, "missing-field"),
    ("a link with a field too many", "sealed", _LINK.replace('{"args"', '{"at":0,"args"'), 1, "unexpected-field"),
    ("prev null", "sealed", _LINK.replace(f'"prev":"{_ZEROS}"', '"prev":null'), 1, "wrong-type"),
    ("digest a number", "sealed", _LINK.replace(f'"digest":"{_ZEROS}"', '"digest":0'), 1, "wrong-type"),
    ("a link that is no JSON", "sealed", "\n" + _LINK[:40] + "\n", 2, "not-json"),
    ("a key twice in a link", "sealed", _LINK.replace('"args":{}', '"args":{"a":1,"a":1}'), 1, "duplicate-key"),
    # scope files
    ("an empty scope file", "scope", "", 1, "not-json"),
    ("a scope of lines", "scope", _SCOPE + "\n" + _SCOPE, 2, "not-json"),
    ("a scope that is an array", "scope", "\n[]", 2, "not-an-object"),
    ("a scope without agent", "scope", '{"allowed_tools":[]}', 1, "missing-field"),
    ("a scope without tools", "scope", '{"agent":"a"}', 1, "missing-field"),
    (
        "a scope with a field too many",
        "scope",
        '{"agent":"a","allowed_tools":[],"denied_tools":[]}',
        1,
        "unexpected-field",
    ),
    ("agent a number", "scope", '{"agent":1,"allowed_tools":[]}', 1, "wrong-type"),
    ("tools as text", "scope", '{"agent":"a","allowed_tools":"read_file"}', 1, "wrong-type"),
    ("a tool that is a number", "scope", '{"agent":"a","allowed_tools":["t",1]}', 1, "wrong-type"),
    ("agent twice", "scope", '{"agent":"a","agent":"a","allowed_tools":[]}', 1, "duplicate-key"),
    ("a scope with a byte order mark", "scope", "\ufeff" + _SCOPE, 1, "byte-order-mark"),
]
