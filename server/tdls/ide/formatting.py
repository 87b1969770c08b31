"""Formatting of documents and ranges: white space only, and only where MLIR's printer has one style."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tdls.analysis.source_file import SourceFile
from tdls.ide.formatter.formatter import Options, applied, format_tokens
from tdls.ide.formatter.indentation import INDENT
from tdls.ide.formatter.layout import Layout
from tdls.syntax.scanner import scan
from tdls.syntax.sections import SectionKind, indent_of
from tdls.text.diagnostic import TextEdit
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.context import Context
    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.sections import Piece


def document_formatting(snapshot: Snapshot, uri: str, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of a file. See `format_file`."""
    file = snapshot.file(uri)
    return format_file(file, tab_size=tab_size) if file is not None else []


def range_formatting(snapshot: Snapshot, uri: str, span: Span, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of the lines that `span` touches."""
    file = snapshot.file(uri)
    return format_range(file, span, tab_size=tab_size) if file is not None else []


def format_file(file: SourceFile, span: Span | None = None, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of `file`, or of the lines that `span` touches.

    Tokens, comments and which lines there are stay; a tab in an indentation counts up to the next multiple of
    `tab_size` columns. Sections with syntax errors are left alone. Where damage leaves it to the indentation
    what belongs together, nothing is changed unless the result is understood in the same way.
    """
    layout = _layout(file, file.contexts)
    edits = format_tokens(file.text, layout, span, Options(tab_size))
    if edits and (layout.is_damaged or file.sections.irregular):
        result = SourceFile.of(applied(file.text, edits), file.catalogue, split=file.sections.mode)
        if _shape(result, _layout(result, result.contexts)) != _shape(file, layout):
            return []
    return edits


def format_range(file: SourceFile, span: Span, *, tab_size: int = INDENT) -> list[TextEdit]:
    """Do as `format_file` does, reading no more than the sections that `span` touches where they are of one level."""
    sections = file.sections
    first, last = sections.piece_at(span.start), sections.piece_at(max(span.end - 1, span.start))
    pieces = sections.pieces[first : last + 1]
    start, end = sections.starts[first], sections.starts[last + 1]
    is_simple = all(_is_simple(piece) and piece.is_beside(pieces[0]) for piece in pieces)
    if not is_simple or not _is_line_start(file, start):
        return format_file(file, span, tab_size=tab_size)
    layout = _layout(file, (file.context_of(piece.section) for piece in pieces), start)
    options = Options(tab_size, _column(pieces[0]), ends_file=end == file.length)
    edits = format_tokens(file.slice(Span(start, end)), layout, span.shifted(-start), options)
    return [TextEdit(edit.span.shifted(start), edit.new_text) for edit in edits]


def _is_simple(piece: Piece) -> bool:
    return not piece.is_half and (piece.section.kind is SectionKind.PLAIN or piece.section.tree.balanced)


def _is_line_start(file: SourceFile, offset: int) -> bool:
    return offset == 0 or file.slice(Span(offset - 1, offset)) == "\n"


def _column(piece: Piece) -> int:
    """Return the column of the operations in the level of `piece`, as far as the line above that opens it is right."""
    return indent_of(piece.frame.text) + INDENT if piece.frame is not None else 0


def _layout(file: SourceFile, contexts: Iterable[Context], start: int = 0) -> Layout:
    """Collect the places of sections, counted from offset `start` of the file."""
    layout = Layout()
    for context in contexts:
        piece = file.sections.pieces[context.index]
        found = Layout.of_tree(context.tree)
        if piece.is_half:
            _add_frame(layout, found, file, context)
        else:
            layout.add(found, file.sections.starts[context.index] - start)
    layout.kept.sort()
    return layout


def _add_frame(layout: Layout, frame: Layout, file: SourceFile, context: Context) -> None:
    """Add the places of a container without its members; a damaged one keeps its own lines only."""

    def placed(offsets: Iterable[int]) -> set[int]:
        return {file.to_file(context, Span(offset, offset + 1)).start for offset in offsets}

    for own, others in zip(layout.places, frame.places, strict=True):
        own |= placed(others)
    layout.is_damaged |= frame.is_damaged
    if frame.kept:
        layout.kept.extend(_halves(file, context))


def _halves(file: SourceFile, context: Context) -> Iterator[Span]:
    """Yield the places of the two halves of a frame, without white space around."""
    for number, piece in enumerate(file.sections.pieces):
        if piece.section is context.section:
            start = file.sections.starts[number]
            text = piece.text
            yield Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


def _shape(file: SourceFile, layout: Layout) -> tuple[object, ...]:
    """Return the layout and the pairs of brackets by the numbers of tokens, which formatting does not change."""
    tokens = scan(file.text)
    places = [sorted(bisect_left(tokens.starts, place) for place in places) for places in layout.places]
    kept = [tuple(bisect_left(tokens.starts, place) for place in span) for span in layout.kept]
    return places, kept, tokens.partners
