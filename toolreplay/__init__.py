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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .engine.chain import verify
    from .engine.errors import InputError
    from .engine.findings import Finding
    from .engine.links import BrokenLink, Expectation, SealedLink, VerifyResult
    from .engine.replay import MUTATORS, ReplayResult, replay
    from .engine.scope import Scope, ScopeResult, scope
    from .engine.sealing import seal
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

_MODULES = {
    "BrokenLink": "engine.links",
    "Expectation": "engine.links",
    "SealedLink": "engine.links",
    "VerifyResult": "engine.links",
    "seal": "engine.sealing",
    "verify": "engine.chain",
    "InputError": "engine.errors",
    "Finding": "engine.findings",
    "MUTATORS": "engine.replay",
    "ReplayResult": "engine.replay",
    "replay": "engine.replay",
    "Scope": "engine.scope",
    "ScopeResult": "engine.scope",
    "scope": "engine.scope",
    "Record": "engine.transcript",
    "read_records": "engine.transcript",
    "Counts": "formats.counts",
    "Imported": "formats.imported",
    "read_scope": "source",
    "read_session": "source",
    "read_transcript": "source",
    "verify_file": "source",
}


def __getattr__(name: str) -> object:
    """Load a part of the API when it is asked for: a command that needs little starts in less time."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
