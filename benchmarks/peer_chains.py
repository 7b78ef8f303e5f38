"""Chains of a transcript's records, made with the peers' own writers: `PEER-PYTHON peer_chains.py PEER FILE CHAIN`."""

import json
import sys
from typing import Any


def omega(records: list[Any], chain: str) -> None:
    from omega_audit.canonical import GENESIS_PREV_HASH
    from omega_audit.ledger import Ledger

    class Remembering(Ledger):  # type: ignore[misc]  # the peer has no types
        """Its writer reads the whole ledger again for each record; only the number and the last hash are needed."""

        def _entries(self) -> list[Any]:
            return tail

    class Tail(list):  # type: ignore[type-arg]
        count = 0  # type: ignore[assignment]  # list.count is not called

        def __len__(self) -> int:
            return self.count

    ledger = Remembering(chain)
    tail = Tail()
    for record in records:
        entry = ledger.append(record)
        tail[:] = [entry]
        tail.count += 1
    assert entry["prevHash"] != GENESIS_PREV_HASH


def autonomous(records: list[Any], chain: str) -> None:
    from autonomous_audit import AuditChainWriter

    writer = AuditChainWriter(chain)
    for record in records:
        writer.append(record)


if __name__ == "__main__":
    peer, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        {"omega-audit": omega, "autonomous-audit": autonomous}[peer]([json.loads(line) for line in file], target)
