"""The canonical text report, a list of lines without their ends."""

from toolreplay.engine.chain import VerifyResult
from toolreplay.engine.findings import NON_DETERMINISM, REDUNDANT_CALL, Finding
from toolreplay.engine.quoting import bare, quoted
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import FileResult
from toolreplay.engine.scope import ScopeResult


def message(finding: Finding) -> str:
    """Say in one line what a finding is, without its kind and place."""
    tool = quoted(finding.tool)
    if finding.kind == REDUNDANT_CALL:
        return f"tool {tool} repeats the identical call at index {finding.related} with no state change between them"
    if finding.kind == NON_DETERMINISM:
        return f"tool {tool} returned a different response than the identical call at index {finding.related}"
    return f"tool {tool} is not in the declared scope for agent {quoted(finding.agent or '')}"


def replay_report(result: ReplayResult) -> list[str]:
    """Report what replaying found."""
    divergence = "none" if result.divergence is None else f"index {result.divergence}"
    return [f"calls: {result.calls}", f"divergence: {divergence}", *_findings(result.findings)]


def scope_report(result: ScopeResult) -> list[str]:
    """Report the calls outside a scope."""
    return [f"calls: {result.calls}", *_findings(result.findings)]


def verify_report(result: VerifyResult) -> list[str]:
    """Report whether a chain is intact, or where it breaks first."""
    broken = result.broken
    if broken is None:
        return ["chain: intact"]
    return [
        "chain: broken",
        f"first broken link: index {broken.index}",
        f"expected: {broken.expected}",
        f"found: {'none' if broken.found is None else digest_or_quoted(broken.found)}",
    ]


def file_report(result: FileResult) -> list[str]:
    """Report one of many files: its path, then the report of each audit that was made, the chain's first."""
    lines = [f"file: {bare(result.path)}"]
    if result.chain is not None:
        lines += verify_report(result.chain)
    if result.replay is not None:
        lines += replay_report(result.replay)
    if result.scope is not None:
        lines += scope_report(result.scope)
    return lines


def head_report(result: VerifyResult) -> list[str]:
    """Report the number of links and the head of an intact chain."""
    return [f"links: {result.links}", f"head: {result.head}"]


def digest_or_quoted(text: str) -> str:
    """Show 64 lower-case hex digits as they are, anything else in quotes."""
    return text if len(text) == 64 and not text.strip("0123456789abcdef") else quoted(text)


def _findings(findings: tuple[Finding, ...]) -> list[str]:
    lines = [f"findings: {len(findings)}"]
    lines.extend(f"index {finding.index}: {finding.kind}: {message(finding)}" for finding in findings)
    return lines
