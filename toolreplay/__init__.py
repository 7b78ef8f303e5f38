"""ToolReplay audits the recorded tool calls of AI agents, without running a tool or touching the network.

The public Python API::

    import toolreplay

    result = toolreplay.replay(toolreplay.read_transcript("session.jsonl"))
    for finding in result.findings:
        print(finding.line, finding.kind, finding.tool)

    for link in toolreplay.seal(toolreplay.read_transcript("session.jsonl")):
        sealed.write(link.line)
    if not toolreplay.verify_file("session.sealed.jsonl"):
        ...

All results are frozen. All input that can't be believed raises `InputError`, whose text is one line that is safe to
print.
"""

from .engine.chain import BrokenLink, Expectation, SealedLink, VerifyResult, seal, verify
from .engine.errors import InputError
from .engine.findings import Finding
from .engine.replay import MUTATORS, ReplayResult, replay
from .engine.scope import Scope, ScopeResult, scope
from .engine.transcript import Record, read_records
from .source import read_scope, read_transcript, verify_file

__version__ = "0.6.0"

__all__ = [
    "MUTATORS",
    "BrokenLink",
    "Expectation",
    "Finding",
    "InputError",
    "Record",
    "ReplayResult",
    "Scope",
    "ScopeResult",
    "SealedLink",
    "VerifyResult",
    "read_records",
    "read_scope",
    "read_transcript",
    "replay",
    "scope",
    "seal",
    "verify",
    "verify_file",
]
