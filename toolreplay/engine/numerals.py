"""Integers and their decimal digits, whatever limit the environment sets.

Python refuses to convert integers of more digits than `PYTHONINTMAXSTRDIGITS` says, at least 640. What a transcript
may hold must not depend on that, so longer ones go in pieces that every setting allows.
"""

_PIECE = 600
_BASE = 10**_PIECE


def integer(digits: str) -> int:
    """Read an optional minus sign and decimal digits, of any number."""
    if len(digits) <= _PIECE:
        return int(digits)
    negative = digits.startswith("-")
    rest = digits[negative:]
    head = len(rest) % _PIECE
    value = int(rest[:head] or "0")
    for start in range(head, len(rest), _PIECE):
        value = value * _BASE + int(rest[start : start + _PIECE])
    return -value if negative else value


def digits(value: int) -> str:
    """Write an integer of any size in decimal."""
    rest = abs(value)
    pieces: list[str] = []
    while rest >= _BASE:
        rest, piece = divmod(rest, _BASE)
        pieces.append(f"{piece:0{_PIECE}d}")
    pieces.append(("-" if value < 0 else "") + str(rest))
    return "".join(reversed(pieces))
