"""Formatting of documents and ranges: white space only, and only where MLIR's printer has one style.

A file is formatted in chunks of sections. If indentation decides how tokens group, the whole file is formatted, and the
result is discarded unless it parses to the same layout.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.formatting.formatter import Options, applied, format_tokens
from tdls.ide.formatting.indentation import INDENT
from tdls.ide.formatting.layout import Layout
from tdls.limits import FORMATTED_RANGE, FORMATTED_SIZE
from tdls.structs import NamedTuple
from tdls.syntax.layout import indent_of
from tdls.syntax.scanner import scan
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import Section, SectionKind
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.ide.formatting.formatter import SpacingEdit
    from tdls.limits import Limit
    from tdls.syntax.sections.sections import SectionRange
    from tdls.text.diagnostic import TextEdit


def layout_of(file: SourceFile, contexts: Iterable[Context], start: int = 0) -> Layout:
    """Collect the places of sections, relative to offset `start` of the file."""
    layout = Layout()
    for context in contexts:
        of_section = Layout.of_tree(context.tree)
        if file.sections.pieces[context.index].is_half:
            _add_frame(layout, of_section, file, context)
        else:
            layout.add(of_section, file.sections.starts[context.index] - start)
    layout.kept.sort()
    return layout


def line_break_of(file: SourceFile) -> str:
    """Return the first line break of `file`, ``\\n`` if it has none."""
    first = next((piece.text for piece in file.sections.pieces if "\n" in piece.text), "")
    return "\r\n" if first[: first.find("\n")].endswith("\r") else "\n"


def shape_of(text: str, layout: Layout) -> tuple[object, ...]:
    """Return the layout and the bracket pairs in terms of token indices, which formatting must not change."""
    tokens = scan(text)
    places = [sorted(bisect_left(tokens.starts, place) for place in places) for places in layout.places]
    kept = [tuple(bisect_left(tokens.starts, place) for place in span) for span in layout.kept]
    return places, kept, tokens.partners


def _add_frame(layout: Layout, frame: Layout, file: SourceFile, context: Context) -> None:
    """Add the places of a container without its members; if it is damaged, only its own lines are kept."""

    def placed(offsets: Iterable[int]) -> set[int]:
        return {context.to_file(Span(offset, offset + 1)).start for offset in offsets}

    for own, others in zip(layout.places, frame.places, strict=True):
        own |= placed(others)
    layout.is_damaged |= frame.is_damaged
    if frame.kept:
        layout.kept.extend(_halves(file, context))


def _halves(file: SourceFile, context: Context) -> Iterator[Span]:
    """Yield the spans of the two halves of a frame, without surrounding white space."""
    for number, piece in enumerate(file.sections.pieces):
        if piece.section is context.section:
            start = file.sections.starts[number]
            text = piece.text
            yield Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


class WholeFileNeededError(Exception):
    """The grouping of tokens in some part depends on indentation, so the whole file has to be formatted at once."""


class _Chunk(NamedTuple):
    """Pieces from `first` up to `last` (exclusive), or the halves `first` and `last` of a frame."""

    first: int
    last: int
    column: int
    is_frame: bool = False


def format_chunks(file: SourceFile, wanted: Options) -> Generator[None, None, list[TextEdit]]:
    """Return the edits of the whole file; yields after each chunk. Raises `WholeFileNeededError`."""
    edits: list[TextEdit] = []
    for chunk in _chunks(file):
        edits += _format_frame(file, chunk, wanted) if chunk.is_frame else _format_run(file, chunk, wanted)
        yield
    return sorted(edits, key=lambda edit: edit.span)


def _chunks(file: SourceFile) -> Iterator[_Chunk]:
    """Split a file at the ends of sections where the lines before and after the cut are formatted independently."""
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


def _is_separate(piece: SectionRange) -> bool:
    """Return whether the last line of `piece` has no comment with which following comments could be aligned."""
    text = piece.text
    return "//" not in text[text.rfind("\n", 0, len(text) - 1) + 1 :]


def _format_run(file: SourceFile, chunk: _Chunk, wanted: Options) -> list[TextEdit]:
    pieces, starts = file.sections.pieces, file.sections.starts
    options = wanted._replace(column=chunk.column, ends_file=chunk.last == len(pieces))
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


def _format_frame(file: SourceFile, chunk: _Chunk, wanted: Options) -> list[TextEdit]:
    """Format the two halves of a container as if it had no members."""
    pieces, starts = file.sections.pieces, file.sections.starts
    head = pieces[chunk.first]
    options = wanted._replace(column=chunk.column, ends_file=chunk.last + 1 == len(pieces))
    return [
        edit.in_file(starts[chunk.first] if edit.span.start < head.length else starts[chunk.last] - head.length)
        for edit in _format_section(head.section, options, file.catalogue)
    ]


def _format_section(section: Section, options: Options, catalogue: Catalogue) -> list[SpacingEdit]:
    """Format one section; return no edits if the result would parse differently."""
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


@Fact
def _formatted_with(section: Section) -> set[Options]:
    """Store the options for which a section is known to need no edits."""
    del section
    return set()


def _format_text(text: str, layout: Layout, options: Options) -> list[SpacingEdit]:
    if layout.is_damaged:
        raise WholeFileNeededError
    return format_tokens(text, layout, None, options)


def format_file(file: SourceFile, *, tab_size: int = INDENT, width: int = 0) -> list[TextEdit]:
    """Return the sorted edits that format `file`.

    Tokens and comments are not changed, nor is the division into lines unless there is a `width`; a tab in an
    indentation extends to the next multiple of `tab_size` columns. Sections with syntax errors are left alone. If
    indentation may decide how tokens group, there are no edits unless the result parses in the same way.
    """
    steps = format_in_steps(file, Options(tab_size, width))
    try:
        while True:
            next(steps)
    except StopIteration as done:
        edits: list[TextEdit] = done.value
        return edits


def format_range(file: SourceFile, span: FileSpan, *, tab_size: int = INDENT, width: int = 0) -> list[TextEdit]:
    """Format the lines that `span` touches as `format_file` does, parsing only their sections if possible."""
    sections = file.sections
    first, last = sections.piece_at(span.start), sections.piece_at(max(span.end - 1, span.start))
    pieces = sections.pieces[first : last + 1]
    start, end = sections.starts[first], sections.starts[last + 1]
    is_simple = all(_is_simple(piece) and piece.is_on_level_of(pieces[0]) for piece in pieces)
    if not is_simple or not (start == 0 or file.slice(FileSpan(start - 1, start)) == "\n"):
        return _format_whole(file, span, Options(tab_size, width))
    layout = layout_of(file, (file.context_of(piece.section) for piece in pieces), start)
    options = Options(tab_size, width, _column(pieces[0]), end == file.length, line_break_of(file))
    edits = format_tokens(file.slice(FileSpan(start, end)), layout, Span(span.start - start, span.end - start), options)
    if edits and layout.rests_on_indentation:
        return _format_whole(file, span, options)
    return [edit.in_file(start) for edit in edits]


def formatting_limit(file: SourceFile, span: FileSpan | None = None) -> Limit | None:
    """Return the limit that an interactive request to format a file, or the lines of `span`, would exceed."""
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


def format_in_steps(file: SourceFile, options: Options) -> Generator[None, None, list[TextEdit]]:
    """Return the edits of `format_file`, in steps."""
    if file.sections.is_regular:
        try:
            return (yield from format_chunks(file, options._replace(line_break=line_break_of(file))))
        except WholeFileNeededError:
            yield
    return _format_whole(file, None, options)


def _format_whole(file: SourceFile, span: FileSpan | None, options: Options) -> list[TextEdit]:
    layout = layout_of(file, file.contexts)
    lines = Span(*span) if span is not None else None
    options = Options(options.tab_size, options.width, line_break=line_break_of(file))
    edits = format_tokens(file.text, layout, lines, options)
    if edits and (layout.rests_on_indentation or not file.sections.is_regular):
        result = SourceFile.of(applied(file.text, edits), file.catalogue, split=file.sections.mode)
        if shape_of(result.text, layout_of(result, result.contexts)) != shape_of(file.text, layout):
            return []
    return [edit.in_file(0) for edit in edits]


def _is_simple(piece: SectionRange) -> bool:
    return not piece.is_half and (piece.section.kind is SectionKind.PLAIN or piece.section.tree.balanced)


def _column(piece: SectionRange) -> int:
    """Return the column of the operations at the level of `piece`, if the line that opens its frame is formatted."""
    return indent_of(piece.frame.text) + INDENT if piece.frame is not None else 0
