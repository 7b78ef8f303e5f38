"""Write the YAML blocks of the documents into a folder, by what they are: workflow, pre-commit or other.

Steps alone are put into a workflow around them, so that they can be checked as one.
"""

import sys
from pathlib import Path

import yaml  # type: ignore[import-untyped, unused-ignore]  # stubs are not worth a dependency

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from documents import blocks, documents, read  # type: ignore[import-not-found, unused-ignore]  # noqa: E402 (of the tests)


def kind_and_content(content: object) -> tuple[str, object]:
    """Tell what a YAML text is, and complete it where it is a part of a workflow."""
    if isinstance(content, dict) and "repos" in content:
        return "pre-commit", content
    if isinstance(content, dict) and "jobs" in content:
        trigger = content.pop(True, content.pop("on", "push"))  # YAML 1.1 takes a bare `on` for true
        return "workflow", {"on": trigger, **content}
    if isinstance(content, dict) and "steps" in content:
        job = {"runs-on": "ubuntu-latest", **content}
        return "workflow", {"on": "push", "jobs": {"job": job}}
    if isinstance(content, list) and all(isinstance(item, dict) and {"uses", "run"} & item.keys() for item in content):
        return "workflow", {"on": "push", "jobs": {"job": {"runs-on": "ubuntu-latest", "steps": content}}}
    if isinstance(content, list) and all(isinstance(item, dict) and "repo" in item for item in content):
        return "pre-commit", {"repos": content}
    return "other", content


def main(folder: Path) -> None:
    """Write one file a block, named after its place."""
    for path in documents():
        for block in blocks(read(path)):
            if block.language != "yaml":
                continue
            kind, content = kind_and_content(yaml.safe_load("\n".join(block.lines)))
            (folder / kind).mkdir(exist_ok=True)
            name = f"{path.relative_to(ROOT).as_posix().replace('/', '_')}-{block.line}.yml"
            (folder / kind / name).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
            print(f"{kind}: {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
