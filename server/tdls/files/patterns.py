"""Patterns of paths in settings, written like lines of a ``.gitignore``: `exclude`, `per-file-ignores` and others."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ESCAPE = re.compile(r"\\(.)")
_ANY_FOLDERS = "**"


class PathPatterns:
    """The patterns of one setting; the last one that matches a path decides."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Read `lines`. Comments and lines that are not patterns match nothing."""
        self._patterns = [pattern for line in lines if (pattern := _pattern(line)) is not None]
        self._patterns.reverse()

    def match(self, names: Sequence[str]) -> bool:
        """Whether the file at the path of `names` matches, or a folder around it, in which nothing is negated."""
        last = len(names)
        return any(self._decide(names[:end], is_directory=end < last) for end in range(1, last + 1))

    def _decide(self, names: Sequence[str], *, is_directory: bool) -> bool:
        matching = (pattern for pattern in self._patterns if pattern.matches(names, is_directory))
        return next((not pattern.is_negated for pattern in matching), False)


def is_pattern(line: str) -> bool:
    """Whether a line can match a path, or is empty or a comment."""
    return not line.strip(" ") or line.startswith("#") or _pattern(line) is not None


class _Pattern(Struct, frozen=True):
    """One pattern; `parts` are the names between its slashes, with None for ``**``."""

    parts: tuple[str | None, ...]
    is_negated: bool
    is_anchored: bool
    """It has a slash: it is compared with the whole path, and not with the last name only."""
    needs_directory: bool

    def matches(self, names: Sequence[str], is_directory: bool) -> bool:
        """Whether the path of `names` matches. All places in the pattern advance together, a name at a time."""
        if self.needs_directory and not is_directory:
            return False
        if not self.is_anchored:
            return self.parts[0] is None or fnmatchcase(names[-1], self.parts[0])
        end = len(self.parts)
        places = self._with_places_behind({0})
        for name in names:
            passed = {place for place in places if (part := self.parts[place]) is not None and fnmatchcase(name, part)}
            in_folders = {place for place in places if self.parts[place] is None}
            after = {place + 1 for place in passed} | in_folders
            is_whole = end in after or end - 1 in in_folders
            places = self._with_places_behind(after - {end})
        return is_whole

    def _with_places_behind(self, places: set[int]) -> set[int]:
        """Add the place behind each ``**``, which may stand for no folder where others follow."""
        last = len(self.parts) - 1
        return places | {place + 1 for place in places if place < last and self.parts[place] is None}


def _pattern(line: str) -> _Pattern | None:
    text = line.rstrip(" ")
    is_negated = text.startswith("!")
    text = text[is_negated:]
    needs_directory = text.endswith("/")
    text = text[:-1] if needs_directory else text
    if not text or line.startswith("#"):
        return None
    parts: list[str | None] = []
    for name in text.removeprefix("/").split("/"):
        if name != _ANY_FOLDERS:
            parts.append(_name_pattern(name))
        elif parts[-1:] != [None]:
            parts.append(None)
    return _Pattern(tuple(parts), is_negated, "/" in text, needs_directory)


def _name_pattern(name: str) -> str:
    """Return one name in the syntax of the module ``fnmatch``, which does not backtrack from one star into another."""
    name = name.replace("[^", "[!")
    return _ESCAPE.sub(lambda escape: f"[{escape[1]}]" if escape[1] in "*?[" else escape[1], name)
