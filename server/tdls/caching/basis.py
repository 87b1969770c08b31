"""What a kept value rests on: what it was made of, and what made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tdls
from tdls.caching.digest import digest
from tdls.caching.own_files import own_digest
from tdls.caching.user_cache import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

_DIGITS_IN_NAME = 16
EVERYTHING = (".", "grammar")
"""The parts of what rests on all that tdls is."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What values of one kind rest on besides what they were made of: parts of tdls, Python, and lark."""

    kind: str
    """Begins the names of files in which such values are kept."""
    parts: tuple[str, ...]
    """Files and folders of the package, code and facts alike; ``grammar`` is the folder of grammars."""

    def key(self, *content: str | bytes) -> str:
        """Return what stands for the value that is made of `content`, and of nothing else that could change."""
        return digest(self.kind, tdls.__version__, own_digest(self.parts), *content)

    def file(self, *content: str | bytes) -> Path | None:
        """Return where to keep the value that is made of `content`; None if there is no place."""
        folder = cache_folder()
        return folder / f"{self.kind}-{self.key(*content)[:_DIGITS_IN_NAME]}" if folder is not None else None
