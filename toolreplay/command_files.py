"""The files by which a step tells GitHub's runner its outputs and its summary; the runner names them in variables."""

import os
from collections.abc import Mapping

from .output import OutputError
from .system_errors import cause_of


def write_outputs(path: str, outputs: Mapping[str, str]) -> None:
    """Add outputs to the runner's file for them.

    Raises:
        OutputError: if the file can't be written.
    """
    # Random, since a value that holds the line that ends it could go on with outputs of its own.
    delimiter = f"toolreplay-{os.urandom(16).hex()}"
    lines = [f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in outputs.items()]
    _append(path, "".join(lines), "GITHUB_OUTPUT")


def write_summary(path: str, text: str) -> None:
    """Add text to the runner's file for the summary of the step.

    Raises:
        OutputError: if the file can't be written.
    """
    _append(path, text, "GITHUB_STEP_SUMMARY")


def _append(path: str, text: str, variable: str) -> None:
    try:
        with open(path, "ab", buffering=0) as file:
            rest = memoryview(text.encode(errors="surrogateescape"))  # a path may be no UTF-8
            while rest:
                rest = rest[file.write(rest) :]
    except OSError as error:
        raise OutputError(f"the file of {variable}: {cause_of(error)}") from None
