"""The plain loop that an expert would write with the standard library: `python baseline.py FILE…`."""

import json
import sys
from hashlib import sha256


def main() -> None:
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            for line in file:
                record = json.loads(line)
                sha256(json.dumps(record, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


if __name__ == "__main__":
    main()
