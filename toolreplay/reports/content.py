"""How much of arguments and responses a page shows.

A page of any session must open in a browser, so what it shows of them is limited in all. Half of that is set aside for
calls with findings. Each value may take four times its fair share of what is left: most are short, and leave more to
those that are not.
"""

BUDGET = 20_000_000
"""Characters of arguments and responses on a page, markup included."""

SHORTEST, LONGEST = 200, 200_000
_STEPS = 4_000_000
_STEPS_AT_ONCE = 250_000


class Share:
    """What a group of values may take."""

    def __init__(self, characters: int, values: int) -> None:
        self._left = characters
        self._values = values

    def limit(self) -> int:
        """Return how long the next value may be."""
        if self._left <= 0:
            return 0
        share = 4 * self._left // max(1, self._values)
        return min(max(share, SHORTEST), LONGEST, self._left)

    def take(self, characters: int) -> None:
        """Count one value."""
        self._left -= characters
        self._values -= 1


class Content:
    """The content of a page: what may still be shown, and what was not."""

    def __init__(self, files: int, characters: int = BUDGET) -> None:
        self._left = characters
        self._files = files
        self._steps = _STEPS
        self.cut = 0
        self.left_out = 0

    def shares(self, calls: int, with_findings: int) -> tuple[Share, Share]:
        """Return the shares of the next file: of its calls without findings, and of those with."""
        characters = min(self._left, 4 * self._left // max(1, self._files))
        self._files -= 1
        aside = characters // 2 if with_findings else 0
        return Share(characters - aside, 2 * (calls - with_findings)), Share(aside, 3 * with_findings)

    def count(self, characters: int, share: Share, *, cut: bool) -> None:
        """Count a value that was shown."""
        share.take(characters)
        self._left -= characters
        self.cut += cut

    def steps(self) -> int:
        """Return how many steps the next comparison may take."""
        return min(self._steps, _STEPS_AT_ONCE)

    def take_steps(self, steps: int) -> None:
        """Count the steps of a comparison."""
        self._steps -= steps
