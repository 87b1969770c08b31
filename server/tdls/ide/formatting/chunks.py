"""A sound file in chunks that are formatted one by one; those that need no change are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.formatting.file_layout import layout_of, line_break_of, shape_of
from tdls.ide.formatting.formatter import Options, applied, format_tokens
from tdls.ide.formatting.indentation import INDENT
from tdls.ide.formatting.layout import Layout
from tdls.syntax.sections.section_facts import SectionMemory
from tdls.syntax.sections.sections import Section
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.ide.formatting.formatter import SpacingEdit
    from tdls.syntax.sections.sections import Piece
    from tdls.text.diagnostic import TextEdit

"""Where a section says for which options it needs no change."""


class WholeFileNeededError(Exception):
    """What belongs together is not certain in some part: it takes the whole file to format it."""


class _Chunk(NamedTuple):
    """Pieces from `first` up to `last` (exclusive), or the halves `first` and `last` of a frame."""

    first: int
    last: int
    column: int
    is_frame: bool = False


def format_chunks(file: SourceFile, tab_size: int) -> Generator[None, None, list[TextEdit]]:
    """Return the edits of the whole file, and yield after each chunk. Raises `WholeFileNeededError`."""
    edits: list[TextEdit] = []
    for chunk in _chunks(file):
        edits += _format_frame(file, chunk, tab_size) if chunk.is_frame else _format_run(file, chunk, tab_size)
        yield
    return sorted(edits, key=lambda edit: edit.span)


def _chunks(file: SourceFile) -> Iterator[_Chunk]:
    """Cut a file at the ends of sections where no line looks at the one behind the cut."""
    pieces = file.sections.pieces
    open_frames: list[int] = []
    first = 0
    for index, piece in enumerate(pieces):
        column = INDENT * len(open_frames)
        if piece.is_half:
            if not piece.begin:
                open_frames.append(index)
            else:
                yield _Chunk(open_frames.pop(), index, column - INDENT, is_frame=True)
            first = index + 1
        elif index + 1 == len(pieces) or pieces[index + 1].is_half or _is_separate(piece):
            yield _Chunk(first, index + 1, column)
            first = index + 1


def _is_separate(piece: Piece) -> bool:
    """Tell whether the last line of `piece` has no comment that others behind it could be aligned with."""
    text = piece.text
    return "//" not in text[text.rfind("\n", 0, len(text) - 1) + 1 :]


def _format_run(file: SourceFile, chunk: _Chunk, tab_size: int) -> list[TextEdit]:
    pieces, starts = file.sections.pieces, file.sections.starts
    options = Options(tab_size, chunk.column, chunk.last == len(pieces), line_break_of(file))
    sections = [piece.section for piece in pieces[chunk.first : chunk.last]]
    start = starts[chunk.first]
    if len(sections) == 1:
        edits = _format_section(sections[0], options, file.catalogue)
    else:
        layout = layout_of(file, map(file.context_of, sections), start)
        edits = _format_text(file.slice(FileSpan(start, starts[chunk.last])), layout, options)
        if edits and layout.rests_on_indentation:
            raise WholeFileNeededError
    return [edit.in_file(start) for edit in edits]


def _format_frame(file: SourceFile, chunk: _Chunk, tab_size: int) -> list[TextEdit]:
    """Format a container as if nothing was in it."""
    pieces, starts = file.sections.pieces, file.sections.starts
    head = pieces[chunk.first]
    options = Options(tab_size, chunk.column, chunk.last + 1 == len(pieces), line_break_of(file))
    return [
        edit.in_file(starts[chunk.first] if edit.span.start < head.length else starts[chunk.last] - head.length)
        for edit in _format_section(head.section, options, file.catalogue)
    ]


def _format_section(section: Section, options: Options, catalogue: Catalogue) -> list[SpacingEdit]:
    """Format one section; not at all where it would be understood in another way then."""
    if options in _formatted_with(section):
        return []
    layout = Layout.of_tree(section.tree)
    edits = _format_text(section.text, layout, options)
    if not edits:
        _formatted_with(section).add(options)
    elif layout.rests_on_indentation:
        result = Section(applied(section.text, edits), section.surroundings, section.kind, catalogue)
        if shape_of(result.text, Layout.of_tree(result.tree)) != shape_of(section.text, layout):
            return []
    return edits


_formatted_with: SectionMemory[set[Options]] = SectionMemory(set)
"""The options with which a section was found to be formatted as it is."""


def _format_text(text: str, layout: Layout, options: Options) -> list[SpacingEdit]:
    if layout.is_damaged:
        raise WholeFileNeededError
    return format_tokens(text, layout, None, options)
