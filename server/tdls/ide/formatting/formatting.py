"""Formatting of documents and ranges: white space only, and only where MLIR's printer has one style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.formatting.chunks import WholeFileNeededError, format_chunks
from tdls.ide.formatting.file_layout import layout_of, line_break_of, shape_of
from tdls.ide.formatting.formatter import Options, applied, format_tokens
from tdls.ide.formatting.indentation import INDENT
from tdls.limits import FORMATTED_RANGE, FORMATTED_SIZE
from tdls.syntax.layout import indent_of
from tdls.syntax.sections.sections import SectionKind
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.ide.snapshot import Snapshot
    from tdls.limits import Limit
    from tdls.syntax.sections.sections import Piece
    from tdls.text.diagnostic import TextEdit


def document_formatting(
    snapshot: Snapshot, uri: str, *, tab_size: int = INDENT
) -> Generator[None, None, list[TextEdit]]:
    """Return the edits, in order, that put right the white space of a file, in steps. See `format_file`."""
    file = snapshot.file(uri)
    return (yield from _steps(file, tab_size)) if file is not None else []


def range_formatting(snapshot: Snapshot, uri: str, span: FileSpan, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of the lines that `span` touches."""
    file = snapshot.file(uri)
    return format_range(file, span, tab_size=tab_size) if file is not None else []


def format_file(file: SourceFile, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of `file`.

    Tokens, comments and which lines there are stay; a tab in an indentation counts up to the next multiple of
    `tab_size` columns. Sections with syntax errors are left alone. Where the indentation may decide what
    belongs together, nothing is changed unless the result is understood in the same way.
    """
    steps = _steps(file, tab_size)
    try:
        while True:
            next(steps)
    except StopIteration as done:
        edits: list[TextEdit] = done.value
        return edits


def format_range(file: SourceFile, span: FileSpan, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Do as `format_file` does for the lines that `span` touches, reading no more than their sections if possible."""
    sections = file.sections
    first, last = sections.piece_at(span.start), sections.piece_at(max(span.end - 1, span.start))
    pieces = sections.pieces[first : last + 1]
    start, end = sections.starts[first], sections.starts[last + 1]
    is_simple = all(_is_simple(piece) and piece.is_beside(pieces[0]) for piece in pieces)
    if not is_simple or not _is_line_start(file, start):
        return _format_whole(file, span, tab_size)
    layout = layout_of(file, (file.context_of(piece.section) for piece in pieces), start)
    options = Options(tab_size, _column(pieces[0]), end == file.length, line_break_of(file))
    edits = format_tokens(file.slice(FileSpan(start, end)), layout, Span(span.start - start, span.end - start), options)
    if edits and layout.rests_on_indentation:
        return _format_whole(file, span, tab_size)
    return [edit.in_file(start) for edit in edits]


def formatting_limit(file: SourceFile, span: FileSpan | None = None) -> Limit | None:
    """Return the limit that formatting a file, or the lines of `span`, would go over while somebody waits for it."""
    sections = file.sections
    if span is None:
        longest = max((piece.length for piece in sections.pieces), default=0)
        is_too_long = file.length > FORMATTED_SIZE.most
        return FORMATTED_SIZE if is_too_long else FORMATTED_RANGE if longest > FORMATTED_RANGE.most else None
    first, last = sections.piece_at(span.start), sections.piece_at(max(span.end - 1, span.start))
    if sections.starts[last + 1] - sections.starts[first] > FORMATTED_RANGE.most:
        return FORMATTED_RANGE
    is_simple = all(_is_simple(piece) for piece in sections.pieces[first : last + 1])
    return None if is_simple else formatting_limit(file)


def _steps(file: SourceFile, tab_size: int) -> Generator[None, None, list[TextEdit]]:
    if file.sections.is_regular:
        try:
            return (yield from format_chunks(file, tab_size))
        except WholeFileNeededError:
            yield
    return _format_whole(file, None, tab_size)


def _format_whole(file: SourceFile, span: FileSpan | None, tab_size: int) -> list[TextEdit]:
    layout = layout_of(file, file.contexts)
    lines = Span(*span) if span is not None else None
    edits = format_tokens(file.text, layout, lines, Options(tab_size, line_break=line_break_of(file)))
    if edits and (layout.rests_on_indentation or not file.sections.is_regular):
        result = SourceFile.of(applied(file.text, edits), file.catalogue, split=file.sections.mode)
        if shape_of(result.text, layout_of(result, result.contexts)) != shape_of(file.text, layout):
            return []
    return [edit.in_file(0) for edit in edits]


def _is_simple(piece: Piece) -> bool:
    return not piece.is_half and (piece.section.kind is SectionKind.PLAIN or piece.section.tree.balanced)


def _is_line_start(file: SourceFile, offset: int) -> bool:
    return offset == 0 or file.slice(FileSpan(offset - 1, offset)) == "\n"


def _column(piece: Piece) -> int:
    """Return the column of the operations in the level of `piece`, as far as the line above that opens it is right."""
    return indent_of(piece.frame.text) + INDENT if piece.frame is not None else 0
