"""Makes the sessions whose pages are opened in a browser: python sessions.py FOLDER."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "</style><style>body{display:none}</style>",
    "javascript:document.title='owned'",
    "\u202egnp.exe",
    "</details></main>' onclick='x' \" onmouseover=\"x",
    "<!--",
    "]]><![CDATA[",
    "&lt;b&gt;&#x3c;",
    "<a href='https://example.test/'>x</a><iframe src='https://example.test/'></iframe>",
    "<meta http-equiv=refresh content='0;url=https://example.test/'><base href='https://example.test/'>",
    "\ud83d\u0000\u001b[2J\r\n\u2028",
    "متن اردو",
]


def line(index: int, tool: str, args: object, response: object) -> str:
    return json.dumps({"index": index, "tool": tool, "args": args, "response": response}) + "\n"


def session(calls: int) -> Iterator[str]:
    for index in range(calls):
        if index % 10 == 9:  # the call of five before, with another response
            yield line(
                index, "search", {"query": f"q{index - 5}"}, {"hits": index, "text": "one\ntwo\nthree changed\nfour"}
            )
        elif index % 10 == 4:
            yield line(index, "search", {"query": f"q{index}"}, {"hits": index, "text": "one\ntwo\nthree\nfour"})
        elif index % 100 == 51:
            yield line(index, "read_file", {"path": f"p{index - 1}"}, {"bytes": 7})
        elif index % 100 == 50:
            yield line(index, "read_file", {"path": f"p{index}"}, {"bytes": 7})
        else:
            yield line(
                index, "list_dir", {"path": f"folder/{index}"}, {"entries": [f"file-{index}-{n}.md" for n in range(8)]}
            )


def hostile() -> Iterator[str]:
    index = 0
    for name in HOSTILE:
        for response in ({name: name}, {name: [name, name + "\n" + name]}):
            yield line(index, name, {name: name}, response)
            index += 1
    yield line(index, "big", {"deep": deep(490)}, {"text": "<b>" * 350_000})
    index += 1
    yield line(index, "اردو", {"متن": "یہ ایک جملہ ہے (123) [ok]"}, {"متن": "پہلی سطر\nدوسری سطر", "latin": "plain"})


def deep(levels: int) -> object:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


folder = Path(sys.argv[1])
(folder / "calls-5000.jsonl").write_text("".join(session(5_000)), encoding="utf-8")
(folder / "calls-50000.jsonl").write_text("".join(session(50_000)), encoding="utf-8")
(folder / "hostile.jsonl").write_text("".join(hostile()), encoding="utf-8")
