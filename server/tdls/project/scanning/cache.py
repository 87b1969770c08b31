"""What was read of a project before, in the user's cache folder. Without it all works, but slower.

Two files: a small one with the result of the last scan and the state of the files that it was made from, and one with
what was read of each file, by content, which is needed only where something changed. Each is replaced as a whole, so
that several processes may use them at once; what cannot be read counts as not there.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import tdls
from tdls.caching import kept_values
from tdls.caching.user_cache import cache_file, keep, kept
from tdls.grammars.grammars import grammar_text

_READERS = ("catalogue", "project")
"""The packages that results depend on besides the sources."""
_FACTS = "catalogue/facts/_index.json"
_GRAMMAR = "tablegen"
_LONGEST_LIFE = 90 * 24 * 3600
"""Seconds."""


class KeptData:
    """One file of the cache."""

    def __init__(self, kind: str, key: str) -> None:
        """`kind` begins the file's name; `key` says what is in it."""
        self._kind = kind
        self._file = cache_file(kind, key)

    def load(self) -> Any:
        """Return what these readers stored last; None if that was nothing, or cannot be read."""
        match kept(self._file):
            case (version, data) if version == readers_version():
                return data
        return None

    def store(self, data: object) -> None:
        """Keep `data`, unless that is not possible."""
        if self._file is None:
            return
        if keep(self._file, kept_values.dumps((readers_version(), data))):
            with suppress(OSError):
                self._remove_forgotten(self._file.parent)

    def _remove_forgotten(self, folder: Path) -> None:
        """Remove what belongs to projects that nobody has changed for long, and what processes left that were ended."""
        for file in folder.glob(f"{self._kind}-*"):
            if time.time() - file.stat().st_mtime > _LONGEST_LIFE:
                file.unlink(missing_ok=True)


def digest_of(content: bytes) -> str:
    """Return what stands for `content` in the cache."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def readers_version() -> str:
    """Return what changes whenever the readers do, also between two releases."""
    package = Path(tdls.__file__).parent
    modules = sorted(module for name in _READERS for module in (package / name).rglob("*.py"))
    digest = hashlib.blake2b(grammar_text(_GRAMMAR).encode(), digest_size=16)
    for file in (*modules, package / _FACTS):
        digest.update(file.read_bytes())
    return digest.hexdigest()
