"""Findings: what an audit found, as frozen data."""

from typing import NamedTuple

NON_DETERMINISM = "non-determinism"
PERMISSION_OVERREACH = "permission-overreach"
REDUNDANT_CALL = "redundant-call"

KINDS = (NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL)
"""Every kind of finding, sorted."""


class Finding(NamedTuple):
    """One finding. Findings are sorted by index, then by kind, which is the order of the fields.

    `index` is the call's and `line` the 1-based line of the file where it stands; `related` is the index of the call
    that it repeats, or `None`; `agent` is whose scope was left, or `None`. `call` is the SHA-256 of the canonical call,
    32 bytes: it knows the same call again in another version of the file.
    """

    index: int  # type: ignore[assignment]  # the format's name; nobody asks a record for tuple.index
    kind: str
    line: int
    tool: str
    related: int | None = None
    agent: str | None = None
    call: bytes = b""
