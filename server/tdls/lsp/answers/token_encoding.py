"""Semantic tokens as the protocol has them: five numbers each, places counted from the token before.

The numbers of a section are kept with it, so that after an edit only those of one section are made again.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.prefilter import mentions_transform
from tdls.ide.tokens.semantic_tokens import pieces_in, source_of_tokens, tokens_of_piece
from tdls.lsp.answers.token_legend import encoded_style
from tdls.syntax.sections.section_facts import SectionMemory

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.positions import PositionEncoding
    from tdls.text.span import FileSpan

_LINE_END = re.compile(r"\r\n|\n|\r")
LARGE = 2_000_000
"""Code points above which payload has no colours but where they are asked for by a range: a million numbers more would
keep the editor busy for seconds, to say what its grammar says as well."""


class EncodedPiece(NamedTuple):
    """The tokens of a piece of a file, which begins with a line. The first token's place counts from its start."""

    data: array[int]
    last_line: int
    """Line of the last token, counted from the first line of the piece."""
    last_column: int


class TokenStream:
    """Joins the tokens of one piece after the other."""

    def __init__(self) -> None:
        self.data = array("I")
        self._line = 0
        self._column = 0

    def add(self, piece: EncodedPiece, line: int) -> None:
        """Go on with `piece`, whose first line has the number `line` in the file."""
        if not piece.data:
            return
        at = len(self.data)
        self.data.extend(piece.data)
        lines = line + piece.data[0] - self._line
        self.data[at] = lines
        self.data[at + 1] = piece.data[1] - (self._column if lines == 0 else 0)
        self._line, self._column = line + piece.last_line, piece.last_column


def encode_file(file: SourceFile, encoding: PositionEncoding) -> Generator[None, None, array[int]]:
    """Return the numbers of all tokens of a file, of a large one without those of payload; yields after each piece."""
    stream = TokenStream()
    line = 0
    is_large = file.length > LARGE
    for index, piece in enumerate(file.sections.pieces):
        if not is_large or mentions_transform(piece.section):
            stream.add(_encoded(file, index, encoding), line)
        line += piece.line_breaks
        yield
    return stream.data


def encode_span(file: SourceFile, span: FileSpan, encoding: PositionEncoding) -> Generator[None, None, array[int]]:
    """Return the numbers of the tokens that touch `span`; yields after each piece."""
    stream = TokenStream()
    for index in pieces_in(file, span):
        start = file.sections.starts[index]
        tokens = tokens_of_piece(file, index)
        inside = array("i")
        for at in range(0, len(tokens), 3):
            if tokens[at] + start < span.end and span.start < tokens[at + 1] + start:
                inside.extend(tokens[at : at + 3])
        piece = encode(file.sections.pieces[index].text, inside, encoding)
        stream.add(piece, file.position(start).line)
        yield
    return stream.data


def _encoded(file: SourceFile, index: int, encoding: PositionEncoding) -> EncodedPiece:
    piece = file.sections.pieces[index]
    source = source_of_tokens(file, index)
    kept = _encoded_pieces(piece.section)
    known = kept.get(piece.begin)
    if known is None or known.source is not source or known.encoding is not encoding:
        encoded = encode(piece.text, tokens_of_piece(file, index), encoding)
        known = kept[piece.begin] = _Kept(source, encoding, encoded)
    return known.piece


class _Kept(NamedTuple):
    """The tokens of a piece with what they were made of."""

    source: object
    encoding: PositionEncoding
    piece: EncodedPiece


_encoded_pieces: SectionMemory[dict[int, _Kept]] = SectionMemory(dict)
"""What was encoded last of a section's pieces, by where these begin in it."""


def encode(text: str, tokens: array[int], encoding: PositionEncoding) -> EncodedPiece:
    """Return the numbers of `tokens`: start, end and style of each, in `text`."""
    data = array("I")
    is_plain = encoding.is_trivial or text.isascii()
    line = line_start = last_line = last_column = 0
    ends = _LINE_END.finditer(text)
    end = next(ends, None)
    for at in range(0, len(tokens), 3):
        start, stop, style = tokens[at], tokens[at + 1], tokens[at + 2]
        while end is not None and end.end() <= start:
            line, line_start = line + 1, end.end()
            end = next(ends, None)
        column, length = start - line_start, stop - start
        if not is_plain:
            before = encoding.units(text[line_start:start], column)
            column, length = before, encoding.units(text[start:stop], length)
        data.extend((line - last_line, column - (last_column if line == last_line else 0), length))
        data.extend(encoded_style(style))
        last_line, last_column = line, column
    return EncodedPiece(data, last_line, last_column)
