"""The boundary of a repository: tdls follows no link and no path with ``..`` out of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_NO_NAMES = ("", ".", "..")
_LONGEST = 32_767
"""Characters of the longest path that any system opens, that of Windows. Resolving takes quadratic time."""


def real_path(path: str | os.PathLike[str]) -> Path:
    """Return `path`, absolute and with its links followed; links that cannot be followed are kept.

    Raises FileNotFoundError for a relative path where the current folder does not exist.
    """
    return _resolved(path) or Path(path).absolute()


def _resolved(path: str | os.PathLike[str]) -> Path | None:
    """Return `path`, absolute and with its links followed, or None if the system does not tell where it leads.

    A link of another user's process cannot be read, for example, nor can the name of a file contain a NUL.
    """
    if len(os.fspath(path)) > _LONGEST:
        return None
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        if not Path(path).is_absolute():
            Path.cwd()  # raises FileNotFoundError if it is the current folder that is missing
        return None


class RealPaths:
    """Resolves paths and caches the real path of each folder; valid as long as no folder is moved."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}

    def of(self, path: Path) -> Path:
        """Return the same as `real_path`."""
        folder, name = os.path.split(path)
        if name in _NO_NAMES or os.path.islink(path):  # noqa: PTH114 - never raises, for a long name either
            return real_path(path)
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = real_path(folder)
        return real / name


_REPOSITORY = ".git"


def is_inside(root: Path, path: Path) -> bool:
    """Whether `path`, which need not exist, is in the folder `root` after following all symbolic links.

    A path that cannot be resolved is outside.
    """
    real, real_root = _resolved(path), _resolved(root)
    return real is not None and real_root is not None and real.is_relative_to(real_root)


def repository_of(folder: Path) -> Path | None:
    """Return the git repository that `folder` is in, None without one; a home folder or the root of a disk is none."""
    return next(
        (
            parent
            for parent in (folder, *folder.parents)
            if may_be_root(parent) and os.path.exists(parent / _REPOSITORY)
        ),
        None,
    )


def leads_out(script: Path, named: Path) -> bool:
    """Tell whether `named`, a path in the text of `script`, is outside of the repository that the script is in."""
    root = repository_of(real_path(script).parent)
    return root is not None and not is_inside(root, named)


def root_of_files(folder: Path) -> Path:
    """Return the git repository that `folder` is in, or `folder` itself."""
    return repository_of(folder) or folder


def may_be_root(folder: Path) -> bool:
    """Tell whether `folder` may be the root of a repository: neither a home folder nor the root of a disk."""
    try:
        home = Path.home()
    except RuntimeError:  # the system knows no home folder
        home = Path("/")
    return folder.parent != folder and folder not in (home, *home.parents)


def is_link(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry of a folder is a symbolic link, or a junction of Windows."""
    if entry.is_symlink():
        return True
    tag = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return tag is not None and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == tag
