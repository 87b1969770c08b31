"""The layout of a file, put together from those of its sections."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tdls.ide.formatting.layout import Layout
from tdls.syntax.scanner import scan
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile


def layout_of(file: SourceFile, contexts: Iterable[Context], start: int = 0) -> Layout:
    """Collect the places of sections, counted from offset `start` of the file."""
    layout = Layout()
    for context in contexts:
        found = Layout.of_tree(context.tree)
        if file.sections.pieces[context.index].is_half:
            _add_frame(layout, found, file, context)
        else:
            layout.add(found, file.sections.starts[context.index] - start)
    layout.kept.sort()
    return layout


def line_break_of(file: SourceFile) -> str:
    """Return the line break that `file` has first."""
    first = next((piece.text for piece in file.sections.pieces if "\n" in piece.text), "")
    return "\r\n" if first[: first.find("\n")].endswith("\r") else "\n"


def shape_of(text: str, layout: Layout) -> tuple[object, ...]:
    """Return the layout and the pairs of brackets by the numbers of tokens, which formatting does not change."""
    tokens = scan(text)
    places = [sorted(bisect_left(tokens.starts, place) for place in places) for places in layout.places]
    kept = [tuple(bisect_left(tokens.starts, place) for place in span) for span in layout.kept]
    return places, kept, tokens.partners


def _add_frame(layout: Layout, frame: Layout, file: SourceFile, context: Context) -> None:
    """Add the places of a container without its members; a damaged one keeps its own lines only."""

    def placed(offsets: Iterable[int]) -> set[int]:
        return {context.to_file(Span(offset, offset + 1)).start for offset in offsets}

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
