"""Which folder is the project that a file belongs to."""

from __future__ import annotations

from pathlib import Path

from tdls.settings.paths import is_file
from tdls.settings.sources import OWN_FILE, SHARED_FILE, find_configuration

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
    return folder.parent != folder and folder not in (_home(), *_home().parents)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # nobody knows
        return Path("/")
