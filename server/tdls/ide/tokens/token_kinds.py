"""What a piece of a script's text is, for colouring: kinds and modifiers, as plain numbers that are cheap to keep."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from functools import cache


class TokenKind(IntEnum):
    """What a token stands for."""

    HANDLE = 0
    """A handle to payload operations."""
    PARAMETER = 1
    """A parameter, such as ``!transform.param<i64>``."""
    VALUE_HANDLE = 2
    """A handle to payload values."""
    VALUE = 3
    """Any other value: one of the payload, or one whose type is not known."""
    BLOCK_ARGUMENT = 4
    """A block argument of the payload."""
    PAYLOAD_OPERATION = 5
    """The name of an operation that is no transform operation, bare or in a string."""
    TRANSFORM_OPERATION = 6
    MATCHER_OPERATION = 7
    """A transform operation that does nothing but succeed or fail by what its operands stand for."""
    SYMBOL = 8
    ATTRIBUTE_NAME = 9
    ATTRIBUTE = 10
    """``#name``: an alias or a dialect's attribute."""
    TYPE = 11
    KEYWORD = 12
    NUMBER = 13
    STRING = 14
    COMMENT = 15
    LABEL = 16


class TokenModifier(IntFlag):
    """What else is known of a token."""

    DEFINITION = 1
    CONSUMED = 2
    """A use that ends what the handle stands for, or an argument that is consumed."""
    STALE = 4
    """A use of a handle that may have been consumed before."""
    DEPRECATED = 8
    """An operation name that LLVM gave up."""
    READONLY = 16
    """An argument of a named sequence that its callers may go on to use."""
    MODIFICATION = 32
    """An operation that changes the payload."""


MODIFIER_SHIFT = 5
"""A style is a kind plus modifiers shifted by this much."""


def style(kind: TokenKind, modifiers: int = 0) -> int:
    """Return kind and modifiers as one number."""
    return kind | modifiers << MODIFIER_SHIFT


def kind_of(token_style: int) -> TokenKind:
    """Return the kind in a style."""
    return _KINDS[token_style & (1 << MODIFIER_SHIFT) - 1]


@cache
def modifiers_of(token_style: int) -> TokenModifier:
    """Return the modifiers in a style."""
    return TokenModifier(token_style >> MODIFIER_SHIFT)


_KINDS = tuple(TokenKind)
