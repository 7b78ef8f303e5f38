"""What is different between two texts in lines, within a budget of steps.

The usual way, the longest common subsequence, takes steps in proportion to the product of both lengths, and whoever
wrote the texts may want us to take them for ever. So common lines at both ends are taken off first, and what is left
in the middle counts as different as a whole when it is too long.
"""

from typing import NamedTuple

Line = tuple[str, int, int]
"""A line, and where in it the difference begins and ends; equal numbers for a line that both texts have."""


class Differences(NamedTuple):
    """Two texts with the differences marked, and the steps that finding them took."""

    first: list[Line]
    second: list[Line]
    steps: int


def differences(first: list[str], second: list[str], budget: int) -> Differences:
    """Compare two texts line by line, and lines that stand against each other by their ends."""
    start = _common(first, second)
    end = _common(first[start:][::-1], second[start:][::-1])
    old, new = first[start : len(first) - end], second[start : len(second) - end]
    steps = len(old) * len(new)
    pairs = _matching(old, new) if steps <= budget else []
    marked_old: list[Line] = []
    marked_new: list[Line] = []
    at_old = at_new = 0
    for here, there in [*pairs, (len(old), len(new))]:
        _mark(old[at_old:here], new[at_new:there], marked_old, marked_new)
        if here < len(old):
            marked_old.append((old[here], 0, 0))
            marked_new.append((new[there], 0, 0))
        at_old, at_new = here + 1, there + 1
    before = [(line, 0, 0) for line in first[:start]]
    behind = [(line, 0, 0) for line in first[len(first) - end :]]
    taken = steps if steps <= budget else 0
    return Differences([*before, *marked_old, *behind], [*before, *marked_new, *behind], taken)


def _common(first: list[str], second: list[str]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _matching(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence."""
    width = len(new) + 1
    lengths = [[0] * width for _ in range(len(old) + 1)]
    for at in range(len(old) - 1, -1, -1):
        row, below, line = lengths[at], lengths[at + 1], old[at]
        for there in range(len(new) - 1, -1, -1):
            row[there] = below[there + 1] + 1 if line == new[there] else max(below[there], row[there + 1])
    pairs = []
    at = there = 0
    while at < len(old) and there < len(new):
        if old[at] == new[there]:
            pairs.append((at, there))
            at, there = at + 1, there + 1
        elif lengths[at + 1][there] >= lengths[at][there + 1]:
            at += 1
        else:
            there += 1
    return pairs


def _mark(old: list[str], new: list[str], marked_old: list[Line], marked_new: list[Line]) -> None:
    if len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            start, end = _ends(one, other)
            marked_old.append((one, start, len(one) - end))
            marked_new.append((other, start, len(other) - end))
    else:
        marked_old += [(line, 0, len(line)) for line in old]
        marked_new += [(line, 0, len(line)) for line in new]


def _ends(one: str, other: str) -> tuple[int, int]:
    """Return how many characters two lines share at their beginning and at their end."""
    if "\x02" in one or "\x02" in other:  # an element begins there, and a mark must not begin inside and end outside it
        return 0, 0
    shortest = min(len(one), len(other))
    start = 0
    while start < shortest and one[start] == other[start]:
        start += 1
    if one[start : start + 1].isalnum() and other[start : start + 1].isalnum():  # not in the middle of a number or word
        while start and one[start - 1].isalnum():
            start -= 1
    end = 0
    while end < shortest - start and one[-1 - end] == other[-1 - end]:
        end += 1
    if one[-1 - end : len(one) - end].isalnum() and other[-1 - end : len(other) - end].isalnum():
        while end and one[-end].isalnum():
            end -= 1
    return start, end
