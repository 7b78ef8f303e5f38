"""The entry point of the action's container: variables in; report, annotations, outputs, summary and exit code out.

The report on standard output and the errors on standard error are those of ``toolreplay check``. Every output is
written on every way out. Of the job's environment only the inputs and the names of the runner's files are read.
"""

import os
from collections.abc import Mapping
from contextlib import suppress

from .action_outputs import Result, leave_outputs, leave_summary
from .action_run import run
from .engine.errors import InputError
from .engine.quoting import quoted
from .engine.results import Totals
from .exit_codes import COULD_NOT_RUN, INTERRUPTED, READER_GONE
from .output import OutputError, ReaderGone, complain, stdout
from .reports.annotations import annotation_lines, annotations


def main() -> int:
    """Run the action and return the exit code."""
    result = _whatever_happens(os.environ)
    try:
        leave_outputs(result, os.environ)
    except OutputError as error:
        complain(error)
        return COULD_NOT_RUN
    return result.code


def _whatever_happens(environment: Mapping[str, str]) -> Result:
    code = COULD_NOT_RUN
    try:
        return run(environment)
    except InputError as error:
        _refuse(error, environment)
    except OutputError as error:
        complain(error)
    except ReaderGone:
        code = READER_GONE
    except KeyboardInterrupt:
        code = INTERRUPTED
    except MemoryError:
        _refuse(InputError("not enough memory"), environment)
    except Exception as error:  # a bug, told as one: a traceback would print text of the input for the runner to read
        _refuse(InputError(f"internal error: {_place(error)}; please report it"), environment)
    return Result(code, Totals(unreadable=1))


def _refuse(error: InputError, environment: Mapping[str, str]) -> None:
    complain(error)
    with suppress(OutputError, ReaderGone):
        stdout().lines(annotation_lines(annotations([error], frozenset())))
    with suppress(OutputError):
        leave_summary([InputError(str(error))], environment)


def _place(error: Exception) -> str:
    trace = error.__traceback__
    assert trace is not None, "it was caught"
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = quoted(os.path.basename(trace.tb_frame.f_code.co_filename))
    return f"{quoted(type(error).__name__)} at line {trace.tb_lineno} of {file}"
