"""Write the published vectors of docs/vectors/ from texts that stand here in full.

Nothing of ToolReplay is imported and no JSON encoder makes a canonical text: each stands below as it has to be, and a
link's bytes are put together from such texts as docs/format.md says. So the vectors can't repeat a mistake of the
program.

    python tests/independent/make_vectors.py
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from canonical_cases import CANONICAL
from refused_cases import REFUSED
from sealed_cases import SEALED, VERIFIED

VECTORS = Path(__file__).resolve().parent.parent.parent / "docs" / "vectors"


def canonical() -> Iterable[dict[str, Any]]:
    for name, text, encoded in CANONICAL:
        yield {"name": name, "input": text, "canonical": encoded, "sha256": sha256(encoded.encode()).hexdigest()}


def refused() -> Iterable[dict[str, Any]]:
    for name, kind, text, line, reason in REFUSED:
        given = {"input": text} if isinstance(text, str) else {"input_hex": text.hex()}
        yield {"name": name, "kind": kind, **given, "line": line, "reason": reason}


def sealed() -> Iterable[dict[str, Any]]:
    for name, transcript, file in SEALED:
        yield {"name": name, "transcript": transcript, "sealed": file}


def verified() -> Iterable[dict[str, Any]]:
    for name, file, verdict in VERIFIED:
        yield {"name": name, "sealed": file, **verdict}


def files() -> dict[str, bytes]:
    """Return the content of each file of the vectors, by name."""
    made = {}
    for name, cases in (("canonical", canonical), ("refused", refused), ("seal", sealed), ("verify", verified)):
        made[f"{name}.jsonl"] = "".join(json.dumps(case) + "\n" for case in cases()).encode("ascii")
    return made


if __name__ == "__main__":
    for name, content in files().items():
        (VECTORS / name).write_bytes(content)
