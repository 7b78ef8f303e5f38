"""Draw docs/chain.svg: the sample session sealed, with the digests that seal gives it and the findings on its calls.

python docs/make_chain_svg.py
"""

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # a checkout that is not installed

import toolreplay  # noqa: E402
from toolreplay.engine.canonical import dumps  # noqa: E402
from toolreplay.engine.links import FIRST_PREV  # noqa: E402

WIDTH, TOP, ROW = 890, 64, 62
CALL, CHAIN, FINDING = 64, 484, 694

STYLE = """
svg { --panel: #ffffff; --edge: #d0d7de; --badge: #eaeef2; --text: #1f2328; --quiet: #57606a; --link: #0550ae;
  --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  svg { --panel: #161b22; --edge: #3d444d; --badge: #2d333b; --text: #e6edf3; --quiet: #9da7b1; --link: #79b8ff;
    --bad: #ff9a8d }
}
.panel { fill: var(--panel); stroke: var(--edge) }
.badge { fill: var(--badge) }
.row { stroke: var(--edge) }
.chain { stroke: var(--link); stroke-width: 2; fill: none }
.head { fill: var(--link) }
text { fill: var(--text); font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.quiet { fill: var(--quiet) }
.title { font-weight: bold }
.digest { fill: var(--link) }
.bad { fill: var(--bad); font-weight: bold }
.index { text-anchor: middle }
"""


def text(x: int, y: int, content: str, kind: str = "") -> str:
    """Return a line of text."""
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{mark}>{escape(content)}</text>'


def row(record: toolreplay.Record, prev: str, digest: str, notes: list[str]) -> Iterator[str]:
    """Draw one link: its call, its two digests and what was found."""
    y = TOP + ROW * record.index
    yield f'<line class="row" x1="16" x2="{WIDTH - 16}" y1="{y - 20}" y2="{y - 20}"/>'
    yield f'<circle class="badge" cx="38" cy="{y + 8}" r="14"/>'
    yield text(38, y + 13, str(record.index), "index")
    yield text(CALL, y + 2, f"{record.tool} {dumps(record.args).decode()}")
    yield text(CALL, y + 22, f"→ {dumps(record.response).decode()}", "quiet")
    yield text(CHAIN + 24, y + 2, "prev", "quiet")
    yield text(CHAIN + 80, y + 2, f"{prev[:8]}…", "digest" if record.index else "quiet")
    yield text(CHAIN + 24, y + 22, "digest", "quiet")
    yield text(CHAIN + 80, y + 22, f"{digest[:8]}…", "digest")
    if record.index:
        yield f'<path class="chain" d="M{CHAIN + 16} {y + 18 - ROW}H{CHAIN}V{y - 2}H{CHAIN + 10}"/>'
        yield f'<path class="head" d="M{CHAIN + 10} {y - 7}l8 5l-8 5z"/>'
    for line, note in enumerate(notes):
        yield text(FINDING, y + 2 + 20 * line, note, "bad" if line == 0 else "quiet")


def notes(session: Path, scope: Path) -> dict[int, list[str]]:
    """Return what to write beside each call that has a finding."""
    result = toolreplay.replay(toolreplay.read_transcript(session))
    overreach = toolreplay.scope(toolreplay.read_transcript(session), toolreplay.read_scope(scope))
    found = {}
    for finding in (*result.findings, *overreach.findings):
        where = f"see index {finding.related}" if finding.agent is None else f"agent {finding.agent}"
        found[finding.index] = [finding.kind, where]
    return found


def drawing(session: Path, scope: Path) -> str:
    """Return the whole picture."""
    records = list(toolreplay.read_transcript(session))
    links = list(toolreplay.seal(records))
    marked = notes(session, scope)
    height = TOP + ROW * len(records) - 16
    title = f"{session.name}: {len(records)} calls, sealed"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"',
        ' role="img">',
        f"<title>{escape(title)}</title>",
        "<desc>Each link holds the digest of the link before it, so a change to one breaks the chain there.</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="panel" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="8"/>',
        text(24, 28, title, "title"),
        text(CHAIN + 24, 28, "SHA-256 chain", "title"),
        text(FINDING, 28, "findings", "title"),
    ]
    prev = FIRST_PREV
    for record, link in zip(records, links, strict=True):
        lines.extend(row(record, prev, link.digest, marked.get(record.index, [])))
        prev = link.digest
    return "\n".join([*lines, "</svg>"]) + "\n"


def sample() -> str:
    """Return the picture of the sample session."""
    return drawing(ROOT / "samples" / "session-dirty.jsonl", ROOT / "samples" / "scope.json")


if __name__ == "__main__":
    (ROOT / "docs" / "chain.svg").write_text(sample(), encoding="utf-8", newline="\n")
