"""ToolReplay audits the recorded tool calls of AI agents, without running a tool or touching the network.

The public Python API::

    import toolreplay

    result = toolreplay.replay(toolreplay.read_transcript("session.jsonl"))
    print(result.calls, result.divergence)
    for finding in result.findings:
        print(finding.line, finding.kind, finding.tool)

    declared = toolreplay.read_scope("scope.json")
    overreach = toolreplay.scope(toolreplay.read_transcript("session.jsonl"), declared)

    links = list(toolreplay.seal(toolreplay.read_transcript("session.jsonl")))
    with open("session.sealed.jsonl", "wb") as sealed:
        sealed.writelines(link.line for link in links)

    verified = toolreplay.verify_file("session.sealed.jsonl")
    if not verified:
        print(verified.broken)

`read_transcript`, `read_scope` and `verify_file` take a path, or ``-`` for standard input; `read_records` and `verify`
take lines of bytes from anywhere. `read_session` reads what other tools recorded; its `records` go where those of a
transcript go. Verifying takes an `Expectation` of what is known of the file, as its head.

Records are read and links are made one at a time: nothing is read before the first is asked for, and what is wrong with
line 900 is raised when 899 records were given. So keep no link of a chain whose end was not reached: half a chain
verifies as intact.

All results are frozen named tuples. All input that can't be believed raises `InputError`, a `ValueError` whose text is
one line that is safe to print.
"""

from .engine.chain import BrokenLink, Expectation, SealedLink, VerifyResult, seal, verify
from .engine.errors import InputError
from .engine.findings import Finding
from .engine.replay import MUTATORS, ReplayResult, replay
from .engine.scope import Scope, ScopeResult, scope
from .engine.transcript import Record, read_records
from .formats.counts import Counts
from .formats.imported import Imported
from .source import read_scope, read_session, read_transcript, verify_file

__version__ = "0.6.0"

__all__ = [
    "MUTATORS",
    "BrokenLink",
    "Counts",
    "Expectation",
    "Finding",
    "Imported",
    "InputError",
    "Record",
    "ReplayResult",
    "Scope",
    "ScopeResult",
    "SealedLink",
    "VerifyResult",
    "read_records",
    "read_scope",
    "read_session",
    "read_transcript",
    "replay",
    "scope",
    "seal",
    "verify",
    "verify_file",
]
