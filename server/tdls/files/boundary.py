"""Where a repository ends: nothing in it leads tdls out of it, be it by a link or by a path with ``..``."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_NAMES = ("", ".", "..")


class RealPaths:
    """Follows each folder once: for one look at the disk, during which nobody moves folders."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: Path) -> Path:
        """Return what `Path.resolve` does."""
        folder, name = os.path.split(path)
        if name in _NO_NAMES or path.is_symlink():
            return path.resolve()
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(folder)
        return Path(real, name)


_REPOSITORY = ".git"


def is_inside(root: Path, path: Path) -> bool:
    """Tell whether `path`, which need not be there, lies in the folder `root` once all symbolic links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def is_inside_any(roots: Iterable[Path], path: Path) -> bool:
    """Tell whether `path` lies in one of several folders."""
    return any(is_inside(root, path) for root in roots)


def repository_of(folder: Path) -> Path | None:
    """Return the git repository that `folder` is in, None if it is in none; a home folder is none, nor is a disk."""
    return next(
        (parent for parent in (folder, *folder.parents) if may_be_root(parent) and _is_repository(parent)), None
    )


def leads_out(script: Path, named: Path) -> bool:
    """Tell whether a path that the text of `script` names is outside of the repository that the script is in."""
    root = repository_of(script.resolve().parent)
    return root is not None and not is_inside(root, named)


def root_of_files(folder: Path) -> Path:
    """Return the git repository that `folder` is in, or `folder` itself."""
    return repository_of(folder) or folder


def may_be_root(folder: Path) -> bool:
    """Tell whether `folder` may be somebody's repository: not a home folder, nor all of a disk."""
    home = _home()
    return folder.parent != folder and folder not in (home, *home.parents)


def is_link(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry of a folder leads elsewhere: a symbolic link, or a junction of Windows."""
    if entry.is_symlink():
        return True
    tag = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return tag is not None and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == tag


def _is_repository(folder: Path) -> bool:
    try:
        return (folder / _REPOSITORY).exists()
    except OSError:
        return False


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # nobody knows
        return Path("/")
