"""The text that findings point into."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tdls.files.reading import read_text
from tdls.text.positions import LineIndex
from tdls.text.printable import printable

if TYPE_CHECKING:
    from pathlib import Path


class SourceText:
    """A file's text under the name people know it by; its lines are found when they are first asked for.

    `name` is what the system knows the file by; `shown_name` may be printed.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @property
    def shown_name(self) -> str:
        """The name as it may be printed."""
        return printable(self.name)

    @cached_property
    def lines(self) -> LineIndex:
        """Where each line starts."""
        return LineIndex(self.text)

    def place(self, offset: int) -> str:
        """Return ``NAME:LINE:COLUMN`` of `offset`, 1-based, the column in characters, as it may be printed."""
        line, column = self.lines.position(offset)
        return f"{self.shown_name}:{line + 1}:{column + 1}"


def open_source(path: Path) -> SourceText | None:
    """Return the text of another file that a note points into, None if it cannot be read."""
    try:
        return SourceText(str(path), read_text(path))
    except (OSError, UnicodeDecodeError):
        return None
