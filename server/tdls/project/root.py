"""Which folder is the project that a file belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.files.boundary import may_be_root
from tdls.settings.paths import OWN_FILE, SHARED_FILE, is_file
from tdls.settings.sources import find_configuration

if TYPE_CHECKING:
    from pathlib import Path

_REPOSITORY = ".git"


def project_root(path: Path) -> Path | None:
    """Return the folder of the project that `path`, a file or folder, belongs to; None if it belongs to none.

    That is the nearest folder above (or `path` itself) with settings of tdls or a git repository; without any of these
    the nearest one with a ``pyproject.toml``. A home folder is none, even if people keep it in git.
    """
    folders = [folder for folder in (path, *path.parents) if may_be_scanned(folder)]
    marked = next((folder for folder in folders if is_project(folder)), None)
    return marked or next((folder for folder in folders if is_file(folder / SHARED_FILE)), None)


def is_project(folder: Path) -> bool:
    """Tell whether `folder` says itself that it is a project: by settings of tdls, or since it is a repository."""
    if is_file(folder / OWN_FILE) or _exists(folder / _REPOSITORY):
        return True
    shared = folder / SHARED_FILE
    return is_file(shared) and find_configuration(folder) == shared


def may_be_scanned(folder: Path) -> bool:
    """Tell whether `folder` may be looked through: not a home folder, nor all of a disk."""
    return may_be_root(folder)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
