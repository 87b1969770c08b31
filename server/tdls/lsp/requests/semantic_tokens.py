"""``textDocument/semanticTokens``: ``full``, ``full/delta`` and ``range``.

Encoded tokens are cached for each section, so that an edit encodes only changed sections again.
"""

from __future__ import annotations

import itertools
import re
from array import array
from functools import cache
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from tdls.analysis.file.prefilter import mentions_transform
from tdls.ide.document.semantic_tokens import (
    TokenKind,
    TokenModifier,
    kind_of_style,
    modifiers_of,
    pieces_in,
    source_of_tokens,
    tokens_of_piece,
)
from tdls.lsp.protocol.conversions import to_span
from tdls.lsp.session.document_queue import in_steps
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State
    from tdls.syntax.sections.sections import Section
    from tdls.text.positions import PositionEncoding
    from tdls.text.span import FileSpan

_Types = types.SemanticTokenTypes
_Modifiers = types.SemanticTokenModifiers

_TYPES: Final[dict[TokenKind, tuple[types.SemanticTokenTypes, tuple[str, ...]]]] = {
    TokenKind.HANDLE: (_Types.Variable, ("handle",)),
    TokenKind.PARAMETER: (_Types.Parameter, ()),
    TokenKind.VALUE_HANDLE: (_Types.Variable, ("valueHandle",)),
    TokenKind.VALUE: (_Types.Variable, ()),
    TokenKind.BLOCK_ARGUMENT: (_Types.Variable, ("argument",)),
    TokenKind.PAYLOAD_OPERATION: (_Types.Macro, ()),
    TokenKind.TRANSFORM_OPERATION: (_Types.Method, ()),
    TokenKind.MATCHER_OPERATION: (_Types.Method, ("matcher",)),
    TokenKind.SYMBOL: (_Types.Function, ()),
    TokenKind.ATTRIBUTE_NAME: (_Types.Property, ()),
    TokenKind.ATTRIBUTE: (_Types.EnumMember, ()),
    TokenKind.TYPE: (_Types.Type, ()),
    TokenKind.KEYWORD: (_Types.Keyword, ()),
    TokenKind.NUMBER: (_Types.Number, ()),
    TokenKind.STRING: (_Types.String, ()),
    TokenKind.COMMENT: (_Types.Comment, ()),
    TokenKind.LABEL: (_Types.Label, ()),
}
_MODIFIERS: Final[dict[TokenModifier, str]] = {
    TokenModifier.DEFINITION: _Modifiers.Definition.value,
    TokenModifier.CONSUMED: "consumed",
    TokenModifier.STALE: "stale",
    TokenModifier.DEPRECATED: _Modifiers.Deprecated.value,
    TokenModifier.READONLY: _Modifiers.Readonly.value,
    TokenModifier.MODIFICATION: _Modifiers.Modification.value,
}

TOKEN_TYPES: Final = tuple(dict.fromkeys(name.value for name, _ in _TYPES.values()))
TOKEN_MODIFIERS: Final = (*_MODIFIERS.values(), *dict.fromkeys(name for _, names in _TYPES.values() for name in names))


@cache
def encoded_style(style: int) -> tuple[int, int]:
    """Return the index of the type and the bits of the modifiers in the legend for a token style of `ide`."""
    kind, special = _TYPES[kind_of_style(style)]
    given = modifiers_of(style)
    names = [*special, *(name for modifier, name in _MODIFIERS.items() if modifier in given)]
    bits = sum(1 << TOKEN_MODIFIERS.index(name) for name in names)
    return TOKEN_TYPES.index(kind.value), bits


_LINE_END = re.compile(r"\r\n|\n|\r")
LARGE = 2_000_000
"""Size in code points above which only range requests include tokens of payload: a million more numbers would keep the
editor busy for seconds, and its own grammar colours payload as well."""


class EncodedPiece(NamedTuple):
    """The encoded tokens of a piece of a file, which begins at a line start; the first token is relative to it."""

    data: array[int]
    last_line: int
    """Line of the last token, relative to the first line of the piece."""


class TokenStream:
    """Joins the tokens of consecutive pieces, and makes their lines relative to that of the previous token.

    No two pieces share a line, so that the column of a piece's first token is that in its line.
    """

    def __init__(self) -> None:
        self.data = array("I")
        self._line = 0

    def add(self, piece: EncodedPiece, line: int) -> None:
        """Append `piece`, whose first line is the 0-based `line` of the file."""
        if not piece.data:
            return
        at = len(self.data)
        self.data.extend(piece.data)
        self.data[at] = line + piece.data[0] - self._line
        self._line = line + piece.last_line


def encode_file(file: SourceFile, encoding: PositionEncoding) -> Generator[None, None, array[int]]:
    """Return the encoded tokens of a file, of a large one without those of payload; yields after each piece."""
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
    """Return the encoded tokens that overlap `span`; yields after each piece."""
    stream = TokenStream()
    for index in pieces_in(file, span):
        start = file.piece_span(index).start
        text, tokens = _whole(file, index)
        inside = array("i")
        for at in range(0, len(tokens), 3):
            if tokens[at] + start < span.end and span.start < tokens[at + 1] + start:
                inside.extend(tokens[at : at + 3])
        piece = encode(text, inside, encoding)
        stream.add(piece, file.position(start).line)
        yield
    return stream.data


def _encoded(file: SourceFile, index: int, encoding: PositionEncoding) -> EncodedPiece:
    piece = file.sections.pieces[index]
    if file.is_cut(index):
        return encode(*_whole(file, index), encoding)
    source = source_of_tokens(file, index)
    kept = _encoded_pieces(piece.section)
    known = kept.get(piece.begin)
    if known is None or known.source is not source or known.encoding is not encoding:
        encoded = encode(piece.text, tokens_of_piece(file, index), encoding)
        known = kept[piece.begin] = _Kept(source, encoding, encoded)
    return known.piece


def _whole(file: SourceFile, index: int) -> tuple[str, array[int]]:
    """Return the text of a piece as it is in the file, and its tokens there."""
    tokens = tokens_of_piece(file, index)
    if not file.is_cut(index):
        return file.sections.pieces[index].text, tokens
    start, span = file.sections.starts[index], file.piece_span(index)
    places = [file.cuts.offset(place + start) - span.start for place in tokens]
    places[2::3] = tokens[2::3]
    return file.slice(span), array("i", places)


class _Kept(NamedTuple):
    """The encoded tokens of a piece with the inputs that they were made from."""

    source: object
    encoding: PositionEncoding
    piece: EncodedPiece


@Fact
def _encoded_pieces(section: Section) -> dict[int, _Kept]:
    """Store the last encoded tokens of a section's pieces, by the offset of the piece in the section."""
    del section
    return {}


def encode(text: str, tokens: array[int], encoding: PositionEncoding) -> EncodedPiece:
    """Encode `tokens`, triples of start, end (code points in `text`) and style, as LSP numbers."""
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
    return EncodedPiece(data, last_line)


_LEGEND = types.SemanticTokensLegend(TOKEN_TYPES, TOKEN_MODIFIERS)


def register(host: Host, state: State) -> None:
    """Answer with semantic tokens."""
    tokens = _Tokens(state)

    @host.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    def semantic_tokens_full(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        """Return the tokens of a whole document, or None for an unknown document."""
        return tokens.full(params.text_document.uri)

    @host.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, _LEGEND)
    def semantic_tokens_full_delta(
        params: types.SemanticTokensDeltaParams,
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        """Return the difference from the previous answer, or all tokens if that is no longer known."""
        return tokens.delta(params.text_document.uri, params.previous_result_id)

    @host.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
    def semantic_tokens_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        """Return the tokens in a range of a document, or None for an unknown document."""
        file = state.file(params.text_document.uri)
        if file is None:
            return None
        span = to_span(file, params.range, state.encoding)
        return types.SemanticTokens(in_steps(encode_span(file, span, state.encoding)).tolist())


class _Tokens:
    """Computes tokens and deltas; keeps the last answer for each open document."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answers: dict[str, tuple[str, array[int]]] = {}
        self._numbers = itertools.count()

    def full(self, uri: str) -> types.SemanticTokens | None:
        """Return all tokens of a document, or None for an unknown document."""
        data = self._data(uri)
        return types.SemanticTokens(data.tolist(), self._remember(uri, data)) if data is not None else None

    def delta(self, uri: str, previous: str) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        """Return the difference from the answer `previous`, or all tokens if that is no longer known."""
        data = self._data(uri)
        known = self._answers.get(uri)
        if data is None or known is None or known[0] != previous:
            return types.SemanticTokens(data.tolist(), self._remember(uri, data)) if data is not None else None
        begin, end_before, end_after = ChangedRange.between(known[1], data)
        edit = types.SemanticTokensEdit(begin, end_before - begin, data[begin:end_after].tolist())
        return types.SemanticTokensDelta([edit] if known[1] != data else [], self._remember(uri, data))

    def _data(self, uri: str) -> array[int] | None:
        file = self._session.file(uri)
        return in_steps(encode_file(file, self._session.encoding)) if file is not None else None

    def _remember(self, uri: str, data: array[int]) -> str:
        """Store an answer, and return its identity; answers for closed documents are dropped."""
        identity = str(next(self._numbers))
        for known in list(self._answers):
            if known not in self._session.documents:
                self._answers.pop(known, None)
        self._answers[uri] = (identity, data)
        return identity
