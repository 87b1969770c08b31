"""Places in files in the locations that MLIR prints."""

from __future__ import annotations

import re
from typing import NamedTuple

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_ESCAPED = re.compile(rb"\\(?:([0-9A-Fa-f]{2})|(.))", re.DOTALL)


class Located(NamedTuple):
    """A place in a file by the name that MLIR has for it; line and column count from 1, columns in bytes."""

    file: str
    line: int
    column: int


def first_place(location: str) -> Located | None:
    """Return the first place in a printed location (of several that are fused, the first one); None without any."""
    found = _PLACE.search(location)
    return Located(unescaped(found[1]), int(found[2]), int(found[3])) if found is not None else None


def unescaped(text: str) -> str:
    """Return what MLIR prints as a string with `text` between the quotes."""
    if "\\" not in text:
        return text

    def character(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1], 16)]) if match[1] else match[2]

    return _ESCAPED.sub(character, text.encode()).decode("utf-8", "replace")
