"""Reads the operations that a project defines at a revision of its git repository; the work tree is left alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from tdls.files.git import GitError, git
from tdls.limits import SOURCE_SIZE
from tdls.project.catalogue import ProjectCatalogue
from tdls.project.definitions import SourceKind, kind_of
from tdls.project.scanning.assembly import Assembler
from tdls.project.scanning.listing import ScannedProject, list_sources
from tdls.project.scanning.reading import read_all
from tdls.settings.paths import named_folders
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.settings.model import Settings

_FILES = ("100644", "100755")
"""Modes of plain files; links and submodules are not read."""
_MOST_FILES = 20_000
_MOST_BYTES = 300_000_000


def definitions_at(root: Path, revision: str, settings: Settings) -> ProjectCatalogue:
    """Return the definitions of the project in the work tree `root`, as they are at `revision`. Raises GitError.

    Its sources are written to a temporary folder and read there.
    """
    commit = _said(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise GitError(f"`{revision}` is no revision of the repository {root}")
    top = Path(os.fsdecode(_said(root, "rev-parse", "--show-toplevel") or b"").strip() or root)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for blob, content in _contents(top, list(_sources(top, commit.decode().strip()))):
            path = folder.joinpath(*PurePosixPath(blob.path).parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return _read(top, folder, settings)


class _Blob(NamedTuple):
    path: str
    identity: str


def _sources(root: Path, commit: str) -> Iterator[_Blob]:
    """Yield the files of a commit that may define operations, except for those that are too large."""
    listed = _said(root, "ls-tree", "-r", "-z", "--long", "--full-tree", commit)
    if listed is None:
        raise GitError("git cannot list the files of the revision")
    for entry in os.fsdecode(listed).split("\0"):
        about, _, path = entry.partition("\t")
        words = about.split()
        if len(words) == 4 and words[0] in _FILES and _is_plain(path) and int(words[3]) <= SOURCE_SIZE.most:
            yield _Blob(path, words[2])


def _is_plain(path: str) -> bool:
    """Return whether a path stays in its folder, and has the name of a source. Scripts and payload are no sources."""
    parts = PurePosixPath(path).parts
    is_inside = not path.startswith("/") and not {"..", ".git"}.intersection(parts)
    return is_inside and kind_of(parts[-1]) not in (None, SourceKind.IRDL, SourceKind.BINDINGS)


def _contents(root: Path, blobs: list[_Blob]) -> Iterator[tuple[_Blob, bytes]]:
    """Yield files with their contents."""
    if len(blobs) > _MOST_FILES:
        raise GitError(f"the revision has more than {_MOST_FILES:,} sources")
    request = "".join(f"{blob.identity}\n" for blob in blobs).encode()
    answers = git(root, "cat-file", "--batch", given=request).stdout
    start = written = 0
    for blob in blobs:
        end = answers.find(b"\n", start)
        words = answers[start:end].split()
        if end < 0 or len(words) != 3:
            raise GitError(f"git has no content of {blob.path}")
        size = int(words[2])
        written += size
        if written > _MOST_BYTES:
            raise GitError(f"the sources of the revision have more than {_MOST_BYTES:,} bytes")
        yield blob, answers[end + 1 : end + 1 + size]
        start = end + size + 2


def _said(root: Path, *arguments: str) -> bytes | None:
    ended = git(root, *arguments)
    return ended.stdout if ended.returncode == 0 else None


def _read(root: Path, folder: Path, settings: Settings) -> ProjectCatalogue:
    """Return the definitions in a copy of the project's sources; folders of settings are those of the copy."""
    listing = list_sources(ScannedProject(folder))
    own = (*named_folders(settings.project.include), *named_folders(settings.project.definitions))
    moved = _moved(own, root, folder)
    listing = replace(listing, include_folders=tuple(dict.fromkeys((*moved, *listing.include_folders))))
    readings = {reading.path: reading for reading in read_all(listing.sources, {}, lambda _done: None)}
    definitions, _ = Assembler(folder).assemble(listing, readings)
    return ProjectCatalogue(folder, definitions)


def _moved(folders: Iterable[Path], root: Path, copy: Path) -> Iterator[Path]:
    for folder in folders:
        yield copy / folder.relative_to(root) if folder.is_relative_to(root) else folder
