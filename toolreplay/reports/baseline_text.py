"""What the text report says of a baseline."""

from toolreplay.engine.quoting import bare, quoted

from .model import Report


def baseline_report(report: Report) -> list[str]:
    """Report how many findings are known and new, and the entries of the baseline that are gone."""
    entries = [entry for file in report.files for entry in file.entries]
    known = sum(entry.known for entry in entries)
    lines = [f"baseline: {known} known, {len(entries) - known} new, {len(report.gone)} gone"]
    lines += [f"gone: {bare(gone.path)}: {gone.kind}: tool {quoted(gone.tool)}" for gone in report.gone]
    return lines
