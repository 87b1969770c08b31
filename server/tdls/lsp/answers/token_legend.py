"""How our kinds of tokens are called in the protocol.

Types are all standard ones, so that every editor has colours for them. What is special about transform scripts is said
by modifiers of our own, which editors that do not know them ignore.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from lsprotocol import types

from tdls.ide.tokens.token_kinds import TokenKind, TokenModifier, kind_of, modifiers_of

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
    """Return the index of the type and the bits of the modifiers that stand for a style of `token_kinds`."""
    kind, special = _TYPES[kind_of(style)]
    given = modifiers_of(style)
    names = [*special, *(name for modifier, name in _MODIFIERS.items() if modifier in given)]
    bits = sum(1 << TOKEN_MODIFIERS.index(name) for name in names)
    return TOKEN_TYPES.index(kind.value), bits
