"""Where programs are: on the search path, and never in the folder that somebody happens to be in."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def search_folders() -> list[Path]:
    """Return the folders of the search path; those that depend on the current folder are none."""
    return [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]


def find_program(name: str) -> str | None:
    """Return the path of a program by its name on the search path, or as it is given with its folder."""
    if Path(name).name != name:
        return shutil.which(name)
    found = (shutil.which(str(folder / spelling)) for folder in search_folders() for spelling in _spellings(name))
    return next(filter(None, found), None)


def _spellings(name: str) -> list[str]:
    """Return what a file may be called that `name` starts: on Windows, endings may be left out."""
    endings = os.environ.get("PATHEXT", "").split(os.pathsep) if sys.platform == "win32" else []
    return [name, *(f"{name}{ending}" for ending in endings if ending)]
