"""Where many paths lead once all links are followed."""

from __future__ import annotations

import os
from pathlib import Path

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
