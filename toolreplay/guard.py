"""The guard: every sealed file of a commit must still stand in the index, intact, and may only have grown.

* Content decides what a sealed file is: every regular file of the commit that is called ``*.jsonl`` and whose first
  line is a link.
* The index must have it at the same path, as a regular file that verifies and that begins with the same links.
* A file that is gone, or whose path another intact chain has taken, counts as renamed when all its links stand at the
  beginning of a file that is new in the index. The new name must end in ``.jsonl`` too.
* A sealed file that is new in the index must verify.
* In a merge all this holds for each parent.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .engine.errors import InputError
from .engine.growth import SEAL_REMOVED, ChainState, GuardResult, SealFinding, first_loss, read_chain
from .git import Git, GitError
from .repository import SUBMODULE, Entry, Objects, Repository


class _File(NamedTuple):
    """A regular file of a commit or the index: its object's id and what it is as a chain."""

    id: str
    chain: ChainState


_Files = Mapping[str, _File]
_Entries = Mapping[str, Entry]


def guard(git: Git, base: str | None = None, allowed: frozenset[str] = frozenset()) -> GuardResult:
    """Compare the index with a commit, in the repository that the current folder belongs to.

    Args:
        git: the git to read it with.
        base: a revision; `None` is what a commit of the index would follow: HEAD, in a merge also what is merged, and
            nothing before the first commit.
        allowed: paths of sealed files that may be missing from the index.

    Raises:
        InputError: if there is no such repository, the commit is not here, or git can't read what it is asked for.
    """
    try:
        return _guard(Repository(git), base, allowed)
    except GitError as error:
        raise InputError(str(error)) from None


def _guard(repository: Repository, base: str | None, allowed: frozenset[str]) -> GuardResult:
    bases = repository.parents() if base is None else [repository.commit(base)]
    staged = repository.staged_files()
    with repository.objects() as objects, repository.objects() as others:
        trees = [_grown(objects, others, repository.files_of(commit), staged) for commit in bases]
        older = _older(objects, trees)
        newer = _newer(objects, staged, older)
    known = {path for files in older for path, file in files.items() if file.chain.is_sealed}
    new = {path for path, file in newer.items() if file.chain.is_sealed and path not in known}
    lost = {finding for files in older for finding in _lost(repository, files, staged, newer)}
    retired = {finding for finding in lost if finding.path in allowed and finding.path not in staged}
    findings = lost - retired | {broken for path in new if (broken := newer[path].chain.fault(path, 0)) is not None}
    return GuardResult(
        tuple(bases),
        len(known | new),
        tuple(sorted({finding.path for finding in retired})),
        tuple(sorted(findings, key=lambda finding: (finding.path, finding.kind, finding.links))),
    )


def _grown(objects: Objects, others: Objects, tree: _Entries, staged: _Entries) -> _Entries:
    """Return a commit's entries, in which sealed files that only have more lines now are already what the index has.

    Such a file holds all its old links exactly when it is intact itself. So one chain is read instead of two, which
    is most of the work where a file grows with every commit.
    """
    entries = dict(tree)
    for path, entry in tree.items():
        now = staged.get(path, entry)
        changed = now.id != entry.id and now.is_regular and entry.is_regular
        if changed and _begins_chain_with(objects.lines(entry.id), others.lines(now.id)):
            entries[path] = now
    return entries


def _begins_chain_with(older: Iterable[bytes], newer: Iterable[bytes]) -> bool:
    after = iter(newer)
    is_sealed = False
    for line in older:
        if next(after, None) != line:
            return False
        if not is_sealed and line.strip():
            is_sealed = read_chain([line]).is_sealed
            if not is_sealed:
                return False  # other data, which may be large
    return is_sealed


def _older(objects: Objects, trees: Iterable[_Entries]) -> list[_Files]:
    """Read the regular files of each commit as chains."""
    chains: dict[str, ChainState] = {}
    found: list[_Files] = []
    for tree in trees:
        files = {}
        for path, entry in tree.items():
            if entry.is_regular:
                if entry.id not in chains:
                    chains[entry.id] = read_chain(objects.lines(entry.id))
                files[path] = _File(entry.id, chains[entry.id])
        found.append(files)
    return found


def _newer(objects: Objects, staged: _Entries, older: list[_Files]) -> _Files:
    """Read the regular files of the index as chains, but for those that no commit has otherwise."""
    heads = frozenset(file.chain.head for files in older for file in files.values() if file.chain.head is not None)
    chains: dict[str, ChainState] = {}
    found = {}
    for path, entry in staged.items():
        if not entry.is_regular:
            continue
        before = [files.get(path) for files in older]
        if before and before[0] is not None and all(file is not None and file.id == entry.id for file in before):
            found[path] = before[0]
            continue
        if entry.id not in chains:
            chains[entry.id] = read_chain(objects.lines(entry.id), heads)
        found[path] = _File(entry.id, chains[entry.id])
    return found


def _lost(repository: Repository, older: _Files, staged: _Entries, newer: _Files) -> Iterator[SealFinding]:
    """Find those of a commit's sealed files of which the index lacks something."""
    sealed = {path: file for path, file in older.items() if file.chain.is_sealed}
    moved = {head for path, file in newer.items() if path not in sealed for head in file.chain.passed}
    for path, old in sealed.items():
        links, head = old.chain.links, old.chain.head
        new = newer.get(path)
        if new is None:
            if path in staged or head not in moved:
                yield SealFinding(path, SEAL_REMOVED, links, cause=_instead(staged.get(path)))
        elif new.id == old.id or head is None or head in new.chain.passed:
            fault = new.chain.fault(path, links)
            if fault is not None:
                yield fault
        elif not (new.chain.is_intact and head in moved):
            with repository.objects() as objects, repository.objects() as others:
                yield first_loss(path, links, objects.lines(old.id), others.lines(new.id))


def _instead(entry: Entry | None) -> str:
    if entry is None:
        return "is not in the index"
    return "is a submodule in the index" if entry.mode == SUBMODULE else "is a symbolic link in the index"
