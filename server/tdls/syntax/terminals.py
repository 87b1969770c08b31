"""Names the terminals that a grammar accepts next for error messages, with one phrase for a group of terminals."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from tdls.grammars import parser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark.parsers.lalr_interactive_parser import InteractiveParser

_END_OF_TEXT = "$END"
_NAMES = {
    "SCALAR_TYPE": "a scalar type",
    "TYPE_ALIAS": "a type alias",
    "DIALECT_TYPE": "a dialect type",
    "DIALECT_TYPE_HEAD": "a dialect type",
    "ATTRIBUTE_ALIAS": "an attribute alias",
    "DIALECT_ATTRIBUTE": "a dialect attribute",
    "DIALECT_ATTRIBUTE_HEAD": "a dialect attribute",
    "BOOL": "`true` or `false`",
    "DIMENSION": "a size",
    "INTEGER": "an integer",
    "FLOAT": "a floating-point number",
    "STRING": "a string",
    "BARE_IDENTIFIER": "an identifier",
    "SYMBOL": "a symbol name such as `@name`",
    "VALUE": "an SSA value such as `%name`",
    "RESULT_NUMBER": "a result number such as `#0`",
    "BLOCK": "a block label such as `^bb0`",
    "REGION": "a region",
    "AFFINE_OPERATOR": "an operator",
}
_GROUPS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"INTEGER", "BARE_IDENTIFIER", "LPAR", "MINUS"}), "an affine expression"),
    (frozenset({"PLUS", "MINUS", "TIMES", "AFFINE_OPERATOR"}), "an operator"),
    (frozenset({"MINUS", "INTEGER", "FLOAT"}), "a number"),
    (frozenset({"INTEGER", "FLOAT"}), "a number"),
    (frozenset({"_UNKNOWN", "_FUSED", "_CALLSITE", "STRING"}), "a location"),
)
"""A group replaces all of its terminals; next to a group, terminals of `_ONLY_IN_GROUP` are left out."""
_ONLY_IN_GROUP = {
    "an affine expression": frozenset({"VALUE", "_SYMBOL"}),
    "a location": frozenset({"ATTRIBUTE_ALIAS", "DIALECT_ATTRIBUTE", "DIALECT_ATTRIBUTE_HEAD"}),
}
_BODY = frozenset({"BODY_TEXT", "STRING", "LESS", "LPAR", "LSQB", "LBRACE"})


def readable(terminals: Iterable[str], start: str) -> tuple[str, ...]:
    """Return sorted, readable names for `terminals` of ``mlir.lark`` in a text of the start symbol `start`."""
    remaining = set(terminals)
    names = set()
    if "BODY_TEXT" in remaining:
        remaining -= _BODY
    for group, name in (*_symbol_groups(), *_GROUPS):
        if group <= remaining:
            remaining -= group | _ONLY_IN_GROUP.get(name, frozenset())
            names.add(name)
    for terminal in remaining:
        spelled = literals().get(terminal) or terminal.lstrip("_").lower()
        is_end = terminal == _END_OF_TEXT
        names.add(f"the end of the {start.replace('_', ' ')}" if is_end else _NAMES.get(terminal) or f"`{spelled}`")
    return tuple(sorted(names))


def acceptable(state: InteractiveParser) -> frozenset[str]:
    """Return the names of the terminals that can stand next."""
    return frozenset(cast("set[str]", state.accepts()))  # type: ignore[no-untyped-call]


@cache
def literals() -> dict[str, str]:
    """Return the text of each terminal with a fixed text; keywords are patterns, but named as they are spelled."""
    terminals = parser("mlir").terminals
    return {terminal.name: terminal.pattern.value for terminal in terminals if terminal.pattern.type == "str"}


@cache
def _symbol_groups() -> tuple[tuple[frozenset[str], str], ...]:
    """Return the terminals that begin an attribute value or a type; an attribute may be a type, so it comes first."""
    mlir = parser("mlir")
    types = acceptable(mlir.parse_interactive("", "type"))
    attributes = acceptable(mlir.parse_interactive("", "attribute"))
    plain_types = types - {"LPAR"}
    return ((attributes, "an attribute value"), (types, "a type"), (plain_types, "a type"))
