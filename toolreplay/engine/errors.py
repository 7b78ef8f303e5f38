"""The one error for input that can't be believed."""

from .quoting import bare


class InputError(ValueError):
    """Input that could not be read or is not what it has to be.

    `cause` is a finished text of one line, in which whatever comes from the input is already escaped.
    `name` is the file's name as the user gave it and `line` the 1-based line in it, each `None` where there is none.
    `str()` gives ``name:line: cause``, safe to print.
    """

    def __init__(self, cause: str, name: str | None = None, line: int | None = None) -> None:
        super().__init__(cause, name, line)
        self.cause = cause
        self.name = name
        self.line = line

    def __str__(self) -> str:
        place = "" if self.name is None else bare(self.name) + ":"
        if self.line is not None:
            place += f"{self.line}:"
        return f"{place} {self.cause}" if place else self.cause


class JsonError(ValueError):
    """Text that is not JSON as this project reads it.

    `cause` is a finished, escaped text; `newlines` counts the line ends before the fault, for a document of many lines.
    """

    def __init__(self, cause: str, newlines: int = 0) -> None:
        super().__init__(cause)
        self.cause = cause
        self.newlines = newlines
