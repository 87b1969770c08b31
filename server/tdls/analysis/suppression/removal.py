"""Edits that take names, or whole directives, out of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.text.diagnostic import TextEdit
from tdls.text.line_index import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.directives import ListedName
    from tdls.analysis.suppression.suppressions import Entry, PlacedDirective

_BLANKS = " \t"


def removal(file: SourceFile, entries: Iterable[Entry]) -> tuple[TextEdit, ...]:
    """Return the edits, with places in `file`, that remove `entries`; of regions their beginning and their end."""
    by_directive: dict[PlacedDirective, list[ListedName]] = {}
    for entry in entries:
        for half in (entry, entry.partner):
            if half is not None:
                by_directive.setdefault(half.placed, []).append(half.name)
    return tuple(without_names(file, placed, names) for placed, names in by_directive.items())


def without_names(file: SourceFile, placed: PlacedDirective, names: Collection[ListedName]) -> TextEdit:
    """Return the edit that removes `names` from a directive, and the directive if it has no others."""
    kept = [name.text for name in placed.directive.names if name not in names]
    if kept and placed.directive.list_span is not None:
        return TextEdit(placed.place(file, placed.directive.list_span), ", ".join(kept))
    return _without_directive(file, placed)


def _without_directive(file: SourceFile, placed: PlacedDirective) -> TextEdit:
    """Remove the directive with its reason, the comment if it says nothing else, and the line if it is empty then."""
    line = file.line_text(placed.line)
    line_start = file.offset(Position(placed.line, 0))
    extent = placed.place(file, placed.directive.extent).shifted(-line_start)
    comment = placed.place(file, placed.directive.comment).shifted(-line_start)
    says_before = line[comment.start : extent.start].strip("/" + _BLANKS)
    says_behind = line[extent.end : comment.end].strip(_BLANKS)
    if says_behind:
        end = comment.end - len(line[extent.end : comment.end].lstrip(_BLANKS))
        return TextEdit(FileSpan(extent.start, end).shifted(line_start), "")
    start = len(line[: extent.start if says_before else comment.start].rstrip(_BLANKS))
    if start or says_before:
        return TextEdit(FileSpan(start, len(line)).shifted(line_start), "")
    return TextEdit(_whole_line(file, placed.line), "")


def _whole_line(file: SourceFile, line: int) -> FileSpan:
    """Return the line with its line break."""
    start = file.offset(Position(line, 0))
    return FileSpan(start, file.offset(Position(line + 1, 0)))
