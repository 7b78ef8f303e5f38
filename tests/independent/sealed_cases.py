"""Transcripts with their sealed files, and sealed files, whole or tampered with, with the verdict on each.

A record is given by its three canonical texts: args, response, tool. A link is put together from them by hand.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

_Texts = tuple[str, str, str]
_ZEROS = "0" * 64


def _hashed(index: str, prev: str, texts: _Texts) -> str:
    args, response, tool = texts
    body = f'{{"args":{args},"index":{index},"prev":"{prev}","response":{response},"tool":{tool}}}'
    return sha256(body.encode()).hexdigest()


def _link(index: str, prev: str, texts: _Texts, digest: str = "") -> tuple[str, str]:
    """Return a sealed line and its digest, the right one unless another is given."""
    args, response, tool = texts
    digest = digest or _hashed(index, prev, texts)
    line = f'{{"args":{args},"digest":"{digest}","index":{index},"prev":"{prev}","response":{response},"tool":{tool}}}'
    return line, digest


def _chain(records: list[_Texts]) -> tuple[list[str], list[str]]:
    lines, digests, prev = [], [], _ZEROS
    for index, texts in enumerate(records):
        line, prev = _link(str(index), prev, texts)
        lines.append(line)
        digests.append(prev)
    return lines, digests


def _file(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _plain(records: list[_Texts]) -> str:
    """Write a transcript as most writers would: the fields in the order in which people think of them."""
    return _file(
        f'{{"index": {index}, "tool": {tool}, "args": {args}, "response": {response}}}'
        for index, (args, response, tool) in enumerate(records)
    )


SAMPLE: list[_Texts] = [
    ('{"path":"docs"}', '{"entries":["intro.md","guide.md"]}', '"list_dir"'),
    ('{"path":"docs/intro.md"}', '{"bytes":214}', '"read_file"'),
    ('{"path":"docs/intro.md"}', '{"bytes":214}', '"read_file"'),
    ('{"query":"install"}', '{"hits":3}', '"search"'),
    ('{"path":"docs/intro.md","text":"edited"}', '{"ok":true}', '"write_file"'),
    ('{"query":"install"}', '{"hits":7}', '"search"'),
]
_TEXT: list[_Texts] = [
    ('{"matn":"Oʻzbekcha gʻalaba","متن":"پاکستان زندہ باد"}', '{"🙂":"😀 then \\ud83d"}', '"qidiruv"'),
    ('{"a":"\\u0000\\b\\n\\u001f\x7f\u2028\u2029\x85"}', '{"":"\\"\\\\/"}', '"اوزار"'),
    ('{"\ud7ff":1,"\\ud83d":2,"ﬀ":3,"😀":4}', "{}", '"\\ude00"'),
]
_NUMBERS: list[_Texts] = [
    ('{"n":[0,0,9007199254740993,-18446744073709551616]}', '{"f":[1.0,-0.0,1e+16,1e-07,5e-324]}', '"sum"'),
    ('{"n":' + "7" * 4300 + "}", '{"f":1000000000000000.0}', '"sum"'),
]
_NUMBERS_SPELLED = (
    '{"tool":"sum","response":{"f":[1.00,-0e9,1E16,0.0000001,4.9e-324]},'
    '"args":{"n":[0,-0,9007199254740993,-18446744073709551616]},"index":-0}\n'
    '{"tool":"sum","response":{"f":1e15},"args":{"n":' + "7" * 4300 + '},"index":1}\n'
)
_NESTED: list[_Texts] = [
    ('{"digest":"' + "a" * 64 + '","prev":"' + "b" * 64 + '"}', '{"digest":"x","index":7}', '"digest"'),
    ('{"text":"\\"digest\\":\\"' + "c" * 64 + '\\","}', '{"deep":{"digest":"' + "d" * 64 + '"}}', '"prev"'),
]

_EDGES: list[_Texts] = [
    ('{"a":' + "[" * 498 + "]" * 498 + "}", "{}", '"500 levels, the record and its args counted"'),
    ('{"":{"":[]}}', '{"":""}', '""'),
]

_lines, _digests = _chain(SAMPLE)
_edge_lines, _edge_digests = _chain(_EDGES)
_text_lines, _text_digests = _chain(_TEXT)
_number_lines, _number_digests = _chain(_NUMBERS)
_nested_lines, _nested_digests = _chain(_NESTED)

SEALED = [
    ("the sample session", _plain(SAMPLE), _file(_lines)),
    ("the sample session that has not got to its end", _plain(SAMPLE[:3]), _file(_lines[:3])),
    ("text of all kinds", _plain(_TEXT), _file(_text_lines)),
    ("numbers in other spellings", _NUMBERS_SPELLED, _file(_number_lines)),
    ("members named as a link's own", _plain(_NESTED), _file(_nested_lines)),
    (
        "blank lines, other line ends, none at the end",
        "\n \t\n" + _plain(SAMPLE).replace("\n", "\r\n").rstrip(),
        _file(_lines),
    ),
    ("the deepest nesting, and nothing in a name", _plain(_EDGES), _file(_edge_lines)),
    ("no records", "", ""),
]


def _intact(digests: list[str]) -> dict[str, Any]:
    return {"chain": "intact", "links": len(digests), "head": digests[-1]}


def _broken(index: int, expected: str, found: str) -> dict[str, Any]:
    return {"chain": "broken", "index": index, "expected": expected, "found": found}


def _refused(line: int, reason: str) -> dict[str, Any]:
    return {"chain": "refused", "line": line, "reason": reason}


def _edited(position: int, old: str, new: str) -> str:
    """Return the sealed sample with one text of one line replaced."""
    line = _lines[position]
    assert line.count(old) == 1, (position, old)
    return _file([*_lines[:position], line.replace(old, new), *_lines[position + 1 :]])


def _body(position: int, texts: _Texts, index: str = "") -> str:
    """Return what the digest of a link of the sample should be, were its record this one."""
    return _hashed(index or str(position), (_ZEROS, *_digests)[position], texts)


_SEARCH_4 = _body(3, ('{"query":"install"}', '{"hits":4}', '"search"'))
_SPACED = _file(line.replace('","', '" , "').replace('":', '" : ') for line in _lines)
_REORDERED = _file(
    f'{{"digest":"{digest}","tool":{tool},"response":{response},"prev":"{prev}","index":{index},"args":{args}}}'
    for index, (digest, prev, (args, response, tool)) in enumerate(
        zip(_digests, (_ZEROS, *_digests), SAMPLE, strict=False)
    )
)
_escaped = _edited(4, '"edited"', r'"\u0065dited"').replace("docs/intro.md", r"docs\/intro.md")
_sealed_again = [*SAMPLE[:3], ('{"query":"install"}', '{"hits":4}', '"search"'), *SAMPLE[4:]]
_again_lines, _again_digests = _chain(_sealed_again)
_skipped, _skipped_digest = _link("7", _digests[1], SAMPLE[2])

VERIFIED = [
    # what holds
    ("the sample", _file(_lines), _intact(_digests)),
    ("text of all kinds", _file(_text_lines), _intact(_text_digests)),
    ("numbers of all kinds", _file(_number_lines), _intact(_number_digests)),
    ("members named as a link's own", _file(_nested_lines), _intact(_nested_digests)),
    ("the deepest nesting, and nothing in a name", _file(_edge_lines), _intact(_edge_digests)),
    ("one link", _file(_lines[:1]), _intact(_digests[:1])),
    ("more white space", _SPACED, _intact(_digests)),
    ("members in another order", _REORDERED, _intact(_digests)),
    ("blank lines and CRLF", "\n" + _file(_lines).replace("\n", "\r\n \t\r\n"), _intact(_digests)),
    ("no line end after the last", _file(_lines).rstrip("\n"), _intact(_digests)),
    ("a character escaped", _escaped, _intact(_digests)),
    (
        "a float in another spelling",
        _file(_number_lines).replace("1e+16", "1E16").replace("1e-07", "0.0000001"),
        _intact(_number_digests),
    ),
    # what holds although something happened: a chain alone can't tell
    ("cut at the end", _file(_lines[:4]), _intact(_digests[:4])),
    ("sealed again after an edit", _file(_again_lines), _intact(_again_digests)),
    # values changed
    ("a response changed", _edited(3, '"hits":3', '"hits":4'), _broken(3, _SEARCH_4, _digests[3])),
    (
        "the first link's args changed",
        _edited(0, '"path":"docs"', '"path":"Docs"'),
        _broken(0, _body(0, ('{"path":"Docs"}', *SAMPLE[0][1:])), _digests[0]),
    ),
    (
        "the last link's response changed",
        _edited(5, '"hits":7', '"hits":3'),
        _broken(5, _body(5, SAMPLE[3]), _digests[5]),
    ),
    (
        "a tool renamed",
        _edited(4, '"write_file"', '"read_file"'),
        _broken(4, _body(4, (*SAMPLE[4][:2], '"read_file"')), _digests[4]),
    ),
    ("an index changed", _edited(2, '"index":2', '"index":1'), _broken(2, _body(2, SAMPLE[2], "1"), _digests[2])),
    (
        "an integer made a float",
        _edited(3, '"hits":3', '"hits":3.0'),
        _broken(3, _body(3, ('{"query":"install"}', '{"hits":3.0}', '"search"')), _digests[3]),
    ),
    (
        "true made 1",
        _edited(4, '"ok":true', '"ok":1'),
        _broken(4, _body(4, (SAMPLE[4][0], '{"ok":1}', '"write_file"')), _digests[4]),
    ),
    (
        "an empty member added",
        _edited(1, '"bytes":214', '"bytes":214,"":null'),
        _broken(1, _body(1, (SAMPLE[1][0], '{"":null,"bytes":214}', '"read_file"')), _digests[1]),
    ),
    (
        "a lone surrogate made the replacement character",
        _file(_text_lines).replace("\\ude00", "\ufffd"),
        _broken(2, _hashed("2", _text_digests[1], (*_TEXT[2][:2], '"\ufffd"')), _text_digests[2]),
    ),
    (
        "minus zero made zero",
        _file(_number_lines).replace("-0.0", "0.0"),
        _broken(
            0,
            _hashed("0", _ZEROS, (_NUMBERS[0][0], _NUMBERS[0][1].replace("-0.0", "0.0"), '"sum"')),
            _number_digests[0],
        ),
    ),
    (
        "the last digit of a long integer changed",
        _file(_number_lines).replace("7}", "8}"),
        _broken(
            1, _hashed("1", _number_digests[0], ('{"n":' + "7" * 4299 + "8}", *_NUMBERS[1][1:])), _number_digests[1]
        ),
    ),
    # links moved
    ("the first link removed", _file(_lines[1:]), _broken(0, _ZEROS, _digests[0])),
    ("a link removed", _file(_lines[:2] + _lines[3:]), _broken(2, _digests[1], _digests[2])),
    ("a link doubled", _file(_lines[:3] + _lines[2:]), _broken(3, _digests[2], _digests[1])),
    (
        "two links swapped",
        _file([*_lines[:2], _lines[3], _lines[2], *_lines[4:]]),
        _broken(2, _digests[1], _digests[2]),
    ),
    ("a chain appended", _file(_lines + _text_lines), _broken(6, _digests[5], _ZEROS)),
    # prev and digest
    ("a first prev that is not zeros", _edited(0, _ZEROS, "1" * 64), _broken(0, _ZEROS, "1" * 64)),
    (
        "a digest in capitals",
        _edited(1, _digests[1], _digests[1].upper()),
        _broken(1, _digests[1], _digests[1].upper()),
    ),
    (
        "a digest with a line end",
        _edited(0, f'"digest":"{_digests[0]}"', f'"digest":"{_digests[0]}\\n"'),
        _broken(0, _digests[0], _digests[0] + "\n"),
    ),
    ("an empty digest", _edited(5, f'"digest":"{_digests[5]}"', '"digest":""'), _broken(5, _digests[5], "")),
    (
        "a prev cut short",
        _edited(4, f'"prev":"{_digests[3]}"', f'"prev":"{_digests[3][:63]}"'),
        _broken(4, _digests[3], _digests[3][:63]),
    ),
    (
        "the digest of an edited link made right",
        _file([*_lines[:3], _again_lines[3], *_lines[4:]]),
        _broken(4, _again_digests[3], _digests[3]),
    ),
    # which comes first
    (
        "two faults: the first link is named",
        _edited(1, '"bytes":214', '"bytes":215').replace('"hits":7', '"hits":8'),
        _broken(1, _body(1, (SAMPLE[1][0], '{"bytes":215}', '"read_file"')), _digests[1]),
    ),
    (
        "prev and digest wrong: prev is named",
        _file([*_lines[:2], _link("2", _ZEROS, SAMPLE[2], "e" * 64)[0]]),
        _broken(2, _digests[1], _ZEROS),
    ),
    (
        "broken before a line that is no link",
        _edited(1, '"bytes":214', '"bytes":215') + "no link\n",
        _broken(1, _body(1, (SAMPLE[1][0], '{"bytes":215}', '"read_file"')), _digests[1]),
    ),
    ("a line that is no link before a broken one", _file([_lines[0], "[]", *_lines[2:]]), _refused(2, "not-an-object")),
    ("a torn last line", _file(_lines)[:-40], _refused(6, "not-json")),
    (
        "an index out of order under digests that hold",
        _file([*_lines[:2], _skipped, _link("3", _skipped_digest, SAMPLE[3])[0]]),
        _refused(3, "index-out-of-order"),
    ),
]
