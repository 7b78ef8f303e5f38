"""Exit codes, which gate builds."""

CLEAN = 0
FINDINGS = 1
"""Findings, or a broken chain."""

COULD_NOT_RUN = 2
INTERRUPTED = 130
READER_GONE = 141
"""Whoever read the output went away: never 1, which means findings."""
