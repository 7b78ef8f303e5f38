"""The canonical text report, a list of lines without their ends."""

from toolreplay.engine.findings import NON_DETERMINISM, REDUNDANT_CALL, Finding
from toolreplay.engine.quoting import bare, quoted
from toolreplay.engine.replay import ReplayResult
from toolreplay.engine.results import FileResult

TYPE_CHECKING = False  # slow to load, and a report of one kind has no need of the others
if TYPE_CHECKING:
    from toolreplay.engine.links import BrokenLink, VerifyResult
    from toolreplay.engine.scope import ScopeResult

Known = frozenset[Finding]
NOTHING_KNOWN: Known = frozenset()


def message(finding: Finding) -> str:
    """Say in one line what a finding is, without its kind and place."""
    tool = quoted(finding.tool)
    if finding.kind == REDUNDANT_CALL:
        return f"tool {tool} repeats the identical call at index {finding.related} with no state change between them"
    if finding.kind == NON_DETERMINISM:
        return f"tool {tool} returned a different response than the identical call at index {finding.related}"
    return f"tool {tool} is not in the declared scope for agent {quoted(finding.agent or '')}"


def replay_report(result: ReplayResult, known: Known = NOTHING_KNOWN) -> list[str]:
    """Report what replaying found, and which of it is known already."""
    divergence = "none" if result.divergence is None else f"index {result.divergence}"
    return [f"calls: {result.calls}", f"divergence: {divergence}", *_findings(result.findings, known)]


def scope_report(result: "ScopeResult", known: Known = NOTHING_KNOWN) -> list[str]:
    """Report the calls outside a scope, and which of them are known already."""
    return [f"calls: {result.calls}", *_findings(result.findings, known)]


def verify_report(result: "VerifyResult") -> list[str]:
    """Report whether a chain is intact, or where it breaks first."""
    broken = result.broken
    if broken is None:
        return ["chain: intact"]
    return [
        "chain: broken",
        f"first broken link: index {broken.index}",
        f"expected: {broken.expected}",
        f"found: {found_text(broken)}",
    ]


def file_report(result: FileResult, known: Known = NOTHING_KNOWN) -> list[str]:
    """Report one of many files: its path, then the report of each audit that was made, the chain's first."""
    lines = [f"file: {bare(result.path)}"]
    if result.chain is not None:
        lines += verify_report(result.chain)
    if result.replay is not None:
        lines += replay_report(result.replay, known)
    if result.scope is not None:
        lines += scope_report(result.scope, known)
    return lines


def head_report(result: "VerifyResult") -> list[str]:
    """Report the number of links and the head of an intact chain."""
    return [f"links: {result.links}", f"head: {result.head}"]


def found_text(broken: "BrokenLink") -> str:
    """Show what stands where a link should: a digest as it is, any other text in quotes, nothing as none."""
    return "none" if broken.found is None else digest_or_quoted(broken.found)


def digest_or_quoted(text: str) -> str:
    """Show 64 lower-case hex digits as they are, anything else in quotes."""
    return text if len(text) == 64 and not text.strip("0123456789abcdef") else quoted(text)


def _findings(findings: tuple[Finding, ...], known: Known) -> list[str]:
    lines = [f"findings: {len(findings)}"]
    for finding in findings:
        mark = " (known)" if finding in known else ""
        lines.append(f"index {finding.index}: {finding.kind}: {message(finding)}{mark}")
    return lines
