"""Semantic tokens: what each name in a script stands for, and what becomes of handles where they are used."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import TrackedFact
from tdls.analysis.file.prefilter import mentions_transform
from tdls.ide.tokens.lexical_tokens import lexical_styles, lexical_tokens, with_comments
from tdls.ide.tokens.meaning_of_tokens import meanings
from tdls.ide.tokens.token_kinds import TokenKind, TokenModifier, kind_of, modifiers_of
from tdls.syntax.scanner import scan
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot

_STEP = 3


class SemanticToken(NamedTuple):
    """A token with its place in the file; it never goes over a line's end."""

    span: FileSpan
    kind: TokenKind
    modifiers: TokenModifier


def semantic_tokens(snapshot: Snapshot, uri: str, span: FileSpan | None = None) -> Iterator[SemanticToken]:
    """Yield the tokens that touch `span`, or all of the file, in the order of the text."""
    file = snapshot.file(uri)
    if file is None:
        return
    wanted = span if span is not None else FileSpan(0, file.length)
    for index in pieces_in(file, wanted):
        offset = file.sections.starts[index]
        tokens = tokens_of_piece(file, index)
        for at in range(0, len(tokens), _STEP):
            start, end = tokens[at] + offset, tokens[at + 1] + offset
            if start < wanted.end and wanted.start < end:
                yield SemanticToken(FileSpan(start, end), kind_of(tokens[at + 2]), modifiers_of(tokens[at + 2]))


def pieces_in(file: SourceFile, span: FileSpan) -> range:
    """Return the indices of the pieces of the file that `span` touches."""
    sections = file.sections
    if not sections.pieces:
        return range(0)
    return range(sections.piece_at(span.start), sections.piece_at(max(span.start, span.end - 1)) + 1)


def tokens_of_piece(file: SourceFile, index: int) -> array[int]:
    """Return start, end and style (see `token_kinds`) of each token of piece `index`, one after the other.

    Places count from the start of the piece. What the section's meaning decides is kept with the section, and made
    again when it or what it refers to changes; what its text alone decides is not kept, as it is quickly found.
    """
    piece = file.sections.pieces[index]
    if piece.section.is_left_out:
        return array("i")
    if not mentions_transform(piece.section):
        return lexical_tokens(piece.text)
    tokens = _tokens_of_section(file.context_of(piece.section))
    return _cut(tokens, piece.begin, piece.begin + piece.length) if piece.is_half else tokens


def source_of_tokens(file: SourceFile, index: int) -> object:
    """Return what the tokens of piece `index` follow from: as long as it is the same object, so are they."""
    section = file.sections.pieces[index].section
    has_meaning = mentions_transform(section) and not section.is_left_out
    return _tokens_of_section(file.context_of(section)) if has_meaning else section


def _cut(tokens: array[int], begin: int, end: int) -> array[int]:
    """Return the tokens between two places, counted from the first one."""
    found = array("i")
    for at in range(0, len(tokens), _STEP):
        if begin <= tokens[at] < end:
            found.extend((tokens[at] - begin, tokens[at + 1] - begin, tokens[at + 2]))
    return found


@TrackedFact
def _tokens_of_section(context: Context) -> array[int]:
    return with_comments(context.section.text, _styles(context))


def _styles(context: Context) -> Iterator[tuple[int, int, int]]:
    tokens = scan(context.section.text)
    meaning = meanings(context, tokens)
    for start, end, lexical in lexical_styles(tokens):
        yield start, end, meaning.get(start, lexical)
