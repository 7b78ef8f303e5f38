"""A strict reader of JSON, written plainly, one character after the other, to hold the program's quick one against.

Nothing here imports the program, nor a parser.
"""

from typing import Any

DEEPEST = 500
LONGEST_INTEGER = 4300
SPACE = " \t\r\n"
DIGITS = "0123456789"
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}


class Refused(Exception):
    """The text is not JSON, or not allowed."""


class Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, character: str) -> bool:
        if character and self.next() == character:
            self.at += 1
            return True
        return False

    def need(self, character: str) -> None:
        if not self.take(character):
            raise Refused

    def space(self) -> None:
        while self.next() and self.next() in SPACE:
            self.at += 1

    def value(self, level: int) -> Any:
        self.space()
        if self.next() in ("{", "[") and level > DEEPEST:
            raise Refused
        if self.take("{"):
            found: Any = self.members(level)
        elif self.take("["):
            found = self.items(level)
        elif self.take('"'):
            found = self.string()
        elif self.next() and self.next() in "-" + DIGITS:
            found = self.number()
        else:
            found = self.word()
        self.space()
        return found

    def members(self, level: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.space()
        if self.take("}"):
            return found
        while True:
            self.space()
            self.need('"')
            name = self.string()
            self.space()
            self.need(":")
            value = self.value(level + 1)
            if name in found:
                raise Refused
            found[name] = value
            if self.take("}"):
                return found
            self.need(",")

    def items(self, level: int) -> list[Any]:
        found: list[Any] = []
        self.space()
        if self.take("]"):
            return found
        while True:
            found.append(self.value(level + 1))
            if self.take("]"):
                return found
            self.need(",")

    def string(self) -> str:
        units: list[int] = []  # UTF-16, so that an escaped pair comes together
        while not self.take('"'):
            character = self.next()
            if not character or character < " ":
                raise Refused
            self.at += 1
            if character == "\\":
                character = self.next()
                self.at += 1
                if character == "u":
                    units.append(self.hexadecimal())
                    continue
                if character not in ESCAPES:
                    raise Refused
                character = ESCAPES[character]
            pair = character.encode("utf-16-be", "surrogatepass")
            units.extend(int.from_bytes(pair[place : place + 2], "big") for place in range(0, len(pair), 2))
        return b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "surrogatepass")

    def hexadecimal(self) -> int:
        digits = self.text[self.at : self.at + 4]
        if len(digits) < 4 or any(digit not in DIGITS + "abcdefABCDEF" for digit in digits):
            raise Refused
        self.at += 4
        return int(digits, 16)

    def digits(self) -> str:
        start = self.at
        while self.next() and self.next() in DIGITS:
            self.at += 1
        if self.at == start:
            raise Refused
        return self.text[start : self.at]

    def number(self) -> int | float:
        start = self.at
        self.take("-")
        whole = self.digits()
        if len(whole) > 1 and whole[0] == "0":
            raise Refused
        fraction = self.take(".") and bool(self.digits())
        exponent = self.take("e") or self.take("E")
        if exponent:
            self.take("-") or self.take("+")
            self.digits()
        if not fraction and not exponent:
            return self.integer(whole, negative=self.text[start] == "-")
        found = float(self.text[start : self.at])
        if found in (float("inf"), float("-inf")):
            raise Refused
        return found

    def integer(self, digits: str, *, negative: bool) -> int:
        if len(digits) > LONGEST_INTEGER:
            raise Refused
        found = 0
        for place in range(0, len(digits), 100):
            piece = digits[place : place + 100]
            found = found * 10 ** len(piece) + int(piece)
        return -found if negative else found

    def word(self) -> bool | None:
        for word, value in WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        raise Refused


def read(data: bytes) -> Any:
    """Read one JSON text; nesting is limited by the caller's stack here, so deep texts are tried elsewhere."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused from None
    reader = Reader(text)
    value = reader.value(1)
    if reader.next():
        raise Refused
    return value
