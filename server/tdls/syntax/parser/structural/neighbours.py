"""Which tokens can stand side by side in the custom form of an operation.

No operation of MLIR puts, say, two values next to each other without something between them. Where a format is C++ and
so not known here, this is what tells a slip of the keyboard from a form nobody has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.lexing import scanner

if TYPE_CHECKING:
    from tdls.syntax.parser.cursor import TokenCursor

_BUILTIN_TYPE = "type"
NAME = "name"
_OPENING = frozenset({",", "(", "[", "=", ":", "->", "*", "+", "-", "/", NAME})
"""Tokens that something must follow, and the operation's own name."""
_IMPOSSIBLE_BEFORE: dict[str, frozenset[str]] = {
    scanner.VALUE: frozenset({scanner.VALUE, scanner.TYPE, scanner.NUMBER, scanner.ATTRIBUTE, _BUILTIN_TYPE}),
    scanner.NUMBER: frozenset({scanner.VALUE, scanner.TYPE, scanner.NUMBER, _BUILTIN_TYPE, ")"}),
    scanner.TYPE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, _BUILTIN_TYPE, ")", "]"}),
    _BUILTIN_TYPE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, _BUILTIN_TYPE, ")", "]"}),
    scanner.ATTRIBUTE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, scanner.ATTRIBUTE}),
    scanner.STRING: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, scanner.STRING}),
    ",": _OPENING,
    ")": _OPENING - {"(", NAME},
    "]": _OPENING - {"["},
    "}": _OPENING,
    ":": _OPENING,
    "=": _OPENING,
    "->": _OPENING - {NAME},
}
_ANGLES = frozenset("<>")


def may_follow(cursor: TokenCursor, index: int, *, first: bool = False) -> bool:
    """Tell whether token `index` can stand where it does in the custom form of some known operation.

    `first` says that it is the first one behind the operation's name.
    """
    kind = _kind(cursor, index)
    impossible = _IMPOSSIBLE_BEFORE.get(kind)
    if impossible is not None:
        return (NAME if first else _kind(cursor, index - 1)) not in impossible
    if kind in _ANGLES:
        return index in cursor.tokens.partners
    return kind != scanner.BAD


def _kind(cursor: TokenCursor, index: int) -> str:
    kind = cursor.kinds[index]
    return _BUILTIN_TYPE if kind == scanner.IDENTIFIER and cursor.at_type(index) else kind
