"""The canonical text report of the guard, a list of lines without their ends."""

from toolreplay.engine.growth import SEAL_BROKEN, SEAL_REMOVED, SEAL_TRUNCATED, GuardResult, SealFinding
from toolreplay.engine.quoting import bare

from .text import digest_or_quoted


def guard_report(result: GuardResult) -> list[str]:
    """Report what became of a repository's sealed files."""
    lines = [f"base: {base}" for base in result.bases] or ["base: none"]
    lines.append(f"sealed files: {result.files}")
    lines.extend(f"removal allowed: {bare(path)}" for path in result.allowed)
    lines.append(f"findings: {len(result.findings)}")
    lines.extend(f"{finding.kind}: {bare(finding.path)}: {seal_message(finding)}" for finding in result.findings)
    return lines


def seal_message(finding: SealFinding) -> str:
    """Say in one line what became of a sealed file, without its path and the kind."""
    if finding.kind == SEAL_REMOVED:
        return f"{finding.cause}; it had {_counted(finding.links)}"
    if finding.kind == SEAL_TRUNCATED:
        first_lost = finding.index or 0
        kept = f"keeps {_span(0, first_lost)}" if first_lost else "keeps no link"
        return f"{kept}, lacks {_span(first_lost, finding.links)}"
    if finding.expected is None:
        where = "" if finding.line is None else f"line {finding.line}: "
        return f"{where}{finding.cause}"
    label = "first broken link" if finding.kind == SEAL_BROKEN else "first link that differs"
    found = digest_or_quoted(finding.found or "")
    return f"{label}: index {finding.index}, expected {finding.expected}, found {found}"


def _span(start: int, end: int) -> str:
    return f"index {start}" if end - start == 1 else f"index {start} to {end - 1}"


def _counted(links: int) -> str:
    return "1 link" if links == 1 else f"{links} links"
