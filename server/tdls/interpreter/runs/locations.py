"""Parses file positions in the locations that MLIR prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.text.positions import Position
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile

_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:":(\d+):(\d+))?')
"""A string, closed or not, with the line and column that make it a file position."""
_ESCAPED = re.compile(rb"\\(?:([0-9A-Fa-f]{2})|(.))", re.DOTALL)


class Located(NamedTuple):
    """A position with the file name that MLIR uses; line and column count from 1, columns in bytes."""

    file: str
    line: int
    column: int


def first_place(location: str) -> Located | None:
    """Return the first file position in a printed location, also in a fused one, or None without any."""
    match = next(places_in(location), None)
    return Located(unescaped(match[1]), integer(match[2]) or 0, integer(match[3]) or 0) if match is not None else None


def places_in(location: str) -> Iterator[re.Match[str]]:
    """Yield a match for each file position, with groups for file, line and column as written."""
    return (match for match in _STRING.finditer(location) if match[2])


def unescaped(text: str) -> str:
    """Return the value of a string that MLIR prints as `text` between quotes."""
    if "\\" not in text:
        return text

    def character(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1], 16)]) if match[1] else match[2]

    return _ESCAPED.sub(character, text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def offset_of(file: SourceFile, line: int, column: int) -> int:
    """Return the offset of a place in MLIR's terms: line and column 1-based, columns in UTF-8 bytes."""
    if line < 1 or line > file.line_count:
        return file.length if line > 0 else 0
    prefix = file.line_text(line - 1).encode("utf-8", "surrogatepass")[: max(0, column - 1)]
    return file.offset(Position(line - 1, len(prefix.decode("utf-8", "ignore"))))
