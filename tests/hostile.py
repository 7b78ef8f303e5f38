"""Text that attacks whoever prints it, for every place that a name or value can come from.

`ACTING` makes GitHub's runner do something when it is printed raw at the beginning of a line; `OTHER` attacks
terminals, readers, HTML, Markdown, or the escaping itself.
"""

from runner import REGISTERED, WHITE_SPACE

_NEWER = {f"::{name}::": f"::{name}::x" for name in sorted(REGISTERED)}
_OLDER = {f"##[{name}]": f"##[{name}]x" for name in sorted(REGISTERED)}
_AFTER_SPACE = {f"U+{ord(space):04X} ::error::": f"{space}::error::x" for space in WHITE_SPACE}

ACTING = {
    **_NEWER,
    **_OLDER,
    **_AFTER_SPACE,
    "mixed case": "::ErRoR::x",
    "properties": "::error file=a.py,line=1,title=t::x",
    "properties, older": "##[error file=a.py;line=1]x",
    "set-output": "::set-output name=verdict::clean",
    "older, in the middle": "a ##[error]x",
    "lone CR": "a\r::error::x",
    "CRLF": "a\r\n::error::x",
    "newline": "a\n::error::x",
    "quote and newline": "'\n::error::x",
    "stop-commands": "::stop-commands::token",
    "older, after a lone #": "###[error]x",
}
"""Each makes the runner see a command when it is printed raw."""

OTHER = {
    "escaped newline": "a%0A::error::x",
    "escaped newline, lower case": "a%0a::error::x",
    "escaped CR": "a%0D::error::x",
    "escaped per cent": "%25",
    "escaped newline, twice": "%250A",
    "escaped comma and colon": "%2C%3A",
    "per cent": "100%",
    "clear screen": "\x1b[2J\x1b[H",
    "colour": "\x1b[31mred\x1b[0m",
    "title of the terminal": "\x1b]0;x\x07",
    "C1 control": "\x9b31m",
    "right to left": "a\u202egpj.exe",
    "isolate": "\u2066x\u2069",
    "line separator": "a\u2028::error::x",
    "paragraph separator": "a\u2029::error::x",
    "next line": "a\x85::error::x",
    "vertical tab": "a\v::error::x",
    "form feed": "a\f::error::x",
    "byte order mark": "\ufeff::error::x",
    "zero width": "\u200b::error::x",
    "joiner before ::": "\u200d::error::x",
    "joiner in ##[": "#\u200d#[error]x",
    "NUL": "a\0b",
    "delete": "a\x7fb",
    "lone surrogate": "a\ud83db",
    "surrogate pair": "\U0001f600",
    "apostrophe": "it's",
    "quotes": "\"a' b`",
    "backslash": "a\\",
    "backslash n": "a\\n::error::x",
    "comma": "a,line=99",
    "colons": "a::b:c",
    "equals": "=a=b",
    "only equals": "===",
    "leading space": " a",
    "trailing space": "a ",
    "trailing no-break space": "a\xa0",
    "semicolon and bracket": "a;b]c",
    "end of pre": "</pre><script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "entity": "&lt;b&gt; &amp;",
    "back-ticks": "```\n# x\n```",
    "table": "| a | b |",
    "mention": "@octocat #1 https://example.com :smile:",
    "heading": "# x",
    "link": "[x](javascript:alert(1))",
    "option": "--help",
    "dash": "-",
    "dot": "./a",
    "glob": "*",
    "globs": "**",
    "bracket": "[a]",
    "200 characters": "x" * 200,
    "201 characters": "x" * 201,
    "200 escapes": "\x1b" * 200,
    "long": "long" * 5000,
    "long, all escaped": "\u202e" * 9000,
    "delimiter": "EOF\nverdict=clean\nverdict<<EOF\nclean\nEOF",
    "output": "verdict=clean",
    "Urdu": "\u0645\u06cc\u200c\u062e\u0648\u0627\u06c1\u0645",
    "Uzbek": "o\u02bbqish",
    "empty": "",
}

HOSTILE = {**ACTING, **OTHER}

_SHORT = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HIDDEN = {0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF}.union(
    range(0x20), range(0x7F, 0xA0), range(0x2028, 0x202F), range(0x2060, 0x206A), range(0xD800, 0xE000)
)


def is_hidden(text: str) -> bool:
    """Tell whether a text holds a character that is never printed, or the start of a command of the older kind."""
    return not _HIDDEN.isdisjoint(map(ord, text)) or "##[" in text


def shown(text: str, mark: str = "'") -> str:
    """Return how a report shows a text, by the published rule, one character at a time."""
    out = ""
    for position, character in enumerate(text[:200]):
        if character in _SHORT:
            out += _SHORT[character]
        elif ord(character) in _HIDDEN or (character == "[" and text[max(0, position - 2) : position] == "##"):
            out += f"\\u{ord(character):04x}"
        else:
            out += character
    if len(text) > 200:
        return f"{mark}{out}…{mark} ({len(text)} characters)"
    return f"{mark}{out}{mark}"
