"""Styles of tokens as far as the text alone tells: all that payload needs, and it costs no parsing."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from tdls.ide.tokens.token_kinds import TokenKind, TokenModifier, style
from tdls.syntax import scanner
from tdls.syntax.layout import comments
from tdls.syntax.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens

_BUILTIN_TYPE = re.compile(r"[su]?i\d+|b?f\d\w*|tf32|index|none|tensor|memref|vector|complex|tuple", re.ASCII)
_DIMENSIONS = (scanner.NUMBER, "?", "*", "]")
"""What stands in front of the ``x`` of ``4xf32``."""
_SIMPLE = {
    scanner.VALUE: style(TokenKind.VALUE),
    scanner.NUMBER: style(TokenKind.NUMBER),
    scanner.STRING: style(TokenKind.STRING),
    scanner.SYMBOL: style(TokenKind.SYMBOL),
    scanner.TYPE: style(TokenKind.TYPE),
    scanner.ATTRIBUTE: style(TokenKind.ATTRIBUTE),
    scanner.BLOCK: style(TokenKind.LABEL),
}
_DEFINED_BY_EQUALS = (scanner.VALUE, scanner.TYPE, scanner.ATTRIBUTE)
_COMMENT = style(TokenKind.COMMENT)
_KEYWORD = style(TokenKind.KEYWORD)
_TYPE = style(TokenKind.TYPE)
_ATTRIBUTE_NAME = style(TokenKind.ATTRIBUTE_NAME)
_OPERATION = style(TokenKind.PAYLOAD_OPERATION)


def lexical_styles(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and style of each token that has one; punctuation has none, and comments are no tokens."""
    kinds, ends = tokens.kinds, tokens.ends
    for index, (kind, start) in enumerate(zip(kinds, tokens.starts, strict=True)):
        if kind == scanner.IDENTIFIER:
            yield start, ends[index], _identifier(tokens, index)
        elif kind in _SIMPLE:
            yield start, ends[index], _SIMPLE[kind] | _definition(kinds, index)


def with_comments(text: str, styles: Iterator[tuple[int, int, int]]) -> array[int]:
    """Return the triples of `styles`, flattened, with those of the comments of `text` in their places."""
    flat = array("i")
    if "//" not in text:
        for triple in styles:
            flat.extend(triple)
        return flat
    for triple in sorted([*styles, *((*comment.span, _COMMENT) for comment in comments(text))]):
        flat.extend(triple)
    return flat


def lexical_tokens(text: str) -> array[int]:
    """Return start, end and style of each token of `text`, one after the other. Never raises; takes linear time."""
    return with_comments(text, lexical_styles(scan(text)))


def _definition(kinds: list[str], index: int) -> int:
    """Return the bits of a definition for what stands in front of ``=``, or of ``:2 =``."""
    if kinds[index] not in _DEFINED_BY_EQUALS:
        return 0
    following = kinds[index + 1]
    counted = following == ":" and kinds[index + 2] == scanner.NUMBER and kinds[index + 3] == "="
    return style(TokenKind(0), TokenModifier.DEFINITION) if following == "=" or counted else 0


def _identifier(tokens: Tokens, index: int) -> int:
    kinds = tokens.kinds
    text = tokens.text[tokens.starts[index] : tokens.ends[index]]
    if kinds[index + 1] == "=":
        return _ATTRIBUTE_NAME
    if "." in text:
        return _dotted(kinds, index)
    return _TYPE if _BUILTIN_TYPE.fullmatch(text) or _goes_on_shape(tokens, index, text) else _KEYWORD


def _goes_on_shape(tokens: Tokens, index: int, text: str) -> bool:
    """Tell whether a word is the rest of a shape: ``x8xf32`` of ``4x8xf32``, which the scanner takes apart."""
    joined = index > 0 and tokens.ends[index - 1] == tokens.starts[index]
    return joined and text.startswith("x") and tokens.kinds[index - 1] in _DIMENSIONS


def _dotted(kinds: list[str], index: int) -> int:
    """A name with a dot is an operation's, or a unit attribute's in a dictionary: ``{a.b, c.d}``."""
    before, after = kinds[index - 1] if index else "", kinds[index + 1]
    return _ATTRIBUTE_NAME if before in ("{", ",") and after in ("}", ",") else _OPERATION
