"""Lines of source with their numbers, and carets under a range of them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tdls.structs import Struct

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import SourceText
    from tdls.text.positions import Position
    from tdls.text.span import FileSpan

TAB_WIDTH = 4
_DELETE = 0x7F
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_REPLACEMENT = "\ufffd"
_NO_WIDTH_CATEGORIES = {"Mn", "Me"}


def visible(character: str) -> str:
    """Return the printed form of one code point: tabs become spaces, control characters pictures of themselves.

    Format characters (Cf) could reorder or hide code on the terminal, so they show as replacement characters,
    as in rustc's output; the joiners inside emoji are among them.
    """
    if character == "\t":
        return " " * TAB_WIDTH
    if character.isprintable():
        return character
    code = ord(character)
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return " " if unicodedata.category(character) == "Zs" else _REPLACEMENT


def width(printed: str) -> int:
    """Return the number of terminal columns of a text made of `visible` results."""
    if printed.isascii():
        return len(printed)
    return sum(_character_width(character) for character in printed)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


LONGEST_LINE = 140
"""Maximum number of code points to show of a line; data in a script may be megabytes on one line."""
_BEFORE_RANGE = 40
_SHOWN_WHOLE = 4
_SHOWN_OF_MANY = 2
_ELLIPSIS = "..."


class SnippetLine(Struct, frozen=True):
    """One printed line: marks of the range, then source; `number` is None for a line without source."""

    number: int | None
    marks: str
    code: str = ""


def snippet(source: SourceText, span: FileSpan) -> list[SnippetLine]:
    """Return the lines that `span` touches, with carets below or, over several lines, a bracket on the left."""
    start = source.lines.position(span.start)
    end = _end_of_range(source, span, start)
    if start.line == end.line:
        line = _ShownLine.around(source.lines.line_text(start.line), start.column)
        first, last = line.column(start.column), line.column(max(end.column, start.column))
        carets = " " * first + "^" * max(last - first, 1)
        return [SnippetLine(start.line + 1, "", line.printed), SnippetLine(None, carets)]
    return _multiple_lines(source, start, end)


def _end_of_range(source: SourceText, span: FileSpan, start: Position) -> Position:
    """Return the end of `span`, not counting the line break it may end with."""
    end = source.lines.position(max(span.end, span.start))
    while end.line > start.line and end.column == 0:
        line = end.line - 1
        end = end._replace(line=line, column=len(source.lines.line_text(line)))
    return end


def _multiple_lines(source: SourceText, start: Position, end: Position) -> list[SnippetLine]:
    """Draw the bracket: it opens under the first character and closes under the last one."""
    opening = _ShownLine.around(source.lines.line_text(start.line), start.column)
    last_column = max(end.column - 1, 0)
    closing = _ShownLine.around(source.lines.line_text(end.line), last_column)
    return [
        SnippetLine(start.line + 1, "  ", opening.printed),
        SnippetLine(None, " " + "_" * (opening.column(start.column) + 1) + "^"),
        *_lines_between(source, start.line + 1, end.line),
        SnippetLine(end.line + 1, "| ", closing.printed),
        SnippetLine(None, "|" + "_" * (closing.column(last_column) + 1) + "^"),
    ]


def _lines_between(source: SourceText, first: int, end: int) -> list[SnippetLine]:
    """Return the lines ``[first, end)`` with the bar of the bracket; of many lines only the first ones."""
    is_long = end - first > _SHOWN_WHOLE
    shown = range(first, first + _SHOWN_OF_MANY if is_long else end)
    lines = [
        SnippetLine(number + 1, "| ", _ShownLine.around(source.lines.line_text(number), 0).printed) for number in shown
    ]
    return [*lines, SnippetLine(None, "| " + _ELLIPSIS)] if is_long else lines


class _ShownLine(Struct, frozen=True):
    """The shown part of a line: `cells` from code point `first` on, with ellipses where text is left out."""

    first: int
    cells: tuple[str, ...]
    cut_before: str
    cut_after: str

    @classmethod
    def around(cls, text: str, column: int) -> _ShownLine:
        """Show `text`, or the part around `column` when it is too long."""
        if len(text) <= LONGEST_LINE:
            return cls(0, tuple(map(visible, text)), "", "")
        first = max(0, min(column - _BEFORE_RANGE, len(text) - LONGEST_LINE))
        last = first + LONGEST_LINE
        cells = tuple(map(visible, text[first:last]))
        return cls(first, cells, _ELLIPSIS if first else "", _ELLIPSIS if last < len(text) else "")

    @property
    def printed(self) -> str:
        return f"{self.cut_before}{''.join(self.cells)}{self.cut_after}".rstrip()

    def column(self, column: int) -> int:
        """Return the terminal column of code point `column` of the line, clamped to the visible text."""
        shown = max(0, min(column - self.first, len(self.cells)))
        return len(self.cut_before) + width("".join(self.cells[:shown]))
