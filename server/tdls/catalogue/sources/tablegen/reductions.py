"""Callbacks of lark's parser that make nodes: one function for each rule of ``tablegen.lark`` that has a node.

Each takes the parts of its rule without keywords and punctuation; None stands for a part that is left out.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from lark.lexer import Lexer

from tdls.catalogue.sources.tablegen.nodes import (
    Argument,
    Assignment,
    BitSelection,
    BitsType,
    ClassCall,
    ClassNode,
    Dag,
    DagItem,
    DefinitionSet,
    DefStatement,
    DefvarStatement,
    Field,
    FieldAccess,
    Foreach,
    IfThen,
    Include,
    Let,
    ListType,
    ListValue,
    Multiclass,
    MultiDefinition,
    Name,
    Operator,
    Parameter,
    Paste,
    Pieces,
    Range,
    Slice,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.sources.tablegen.nodes import Value
    from tdls.catalogue.sources.tablegen.scanner import Token

_Parts = list[Any]
_MOST_PASTED = 100
"""Maximum number of parts of one node; more are nested, since each further part copies all parts before it."""


class ScannedTokens(Lexer):
    """A lexer for lark's parser whose input is tokens."""

    def __init__(self, _: Any) -> None: ...

    def lex(self, tokens: Iterable[Token]) -> Iterator[Token]:  # type: ignore[override]
        return iter(tokens)


def callbacks() -> SimpleNamespace:
    """Return the transformer for lark, with an attribute for each rule."""
    return SimpleNamespace(**_CALLBACKS)


def _class(parts: _Parts) -> ClassNode:
    name, parameters, parents, items = parts
    return ClassNode(name.value, parameters or (), parents or (), items, name.start_pos)


def _definition(parts: _Parts) -> DefStatement:
    keyword, name, parents, items = parts
    return DefStatement(name, parents or (), items, keyword.start_pos)


def _multiclass(parts: _Parts) -> Multiclass:
    name, parameters, parents, statements = parts
    return Multiclass(name.value, parameters or (), parents or (), statements, name.start_pos)


def _if_then(parts: _Parts) -> IfThen:
    condition, statements, otherwise = parts
    return IfThen(condition, statements, otherwise or ())


def _without_none(parts: _Parts) -> tuple[Any, ...]:
    return tuple([part for part in parts if part is not None])


def _assignment(parts: _Parts) -> Assignment:
    mode, name, pieces, value = parts
    return Assignment(name.value, pieces, value, mode.value if mode else "")


def _field(parts: _Parts) -> Field:
    type_, name, value = parts
    return Field(type_, name.value, value)


def _parameter(parts: _Parts) -> Parameter:
    type_, name, default = parts
    return Parameter(type_, name.value, default)


def _class_call(parts: _Parts) -> ClassCall:
    name, arguments = parts
    return ClassCall(name.value, arguments or ())


def _argument(parts: _Parts) -> Argument:
    (value,) = parts
    return value if isinstance(value, Argument) else Argument(None, value)


def _paste(parts: _Parts) -> Paste:
    left, right = parts
    before = left.parts if isinstance(left, Paste) else (left,)
    if len(before) >= _MOST_PASTED:
        before = (Paste(before),)
    return Paste((*before, "" if right is None else right))


def _slice(parts: _Parts) -> Slice:
    value, pieces = parts
    items = pieces.items
    return Slice(value, pieces, len(items) == 1 and not isinstance(items[0], Range))


def _operator(parts: _Parts) -> Operator:
    name, type_, operands = parts
    return Operator(name.value, type_, operands or ())


def _operand(parts: _Parts) -> tuple[Value, ...]:
    first, second = parts
    return (first,) if second is None else (first, second)


def _dag(parts: _Parts) -> Dag:
    operator, items = parts
    return Dag(operator, items or ())


def _dag_item(parts: _Parts) -> DagItem:
    value, name = parts
    return DagItem(value, name.value if name else None)


def _integer(parts: _Parts) -> int:
    (token,) = parts
    return int(token.value) if token.type == "INTEGER" else int(token.type == "TRUE")


_CALLBACKS = {
    "include": lambda parts: Include(parts[0]),
    "class_definition": _class,
    "definition": _definition,
    "multi_definition": lambda parts: MultiDefinition(parts[1], parts[2], parts[0].start_pos),
    "multiclass": _multiclass,
    "let": lambda parts: Let(parts[0], parts[1]),
    "foreach": lambda parts: Foreach(parts[0].value, parts[1], parts[2]),
    "if_then": _if_then,
    "defvar": lambda parts: DefvarStatement(parts[0].value, parts[1]),
    "defset": lambda parts: DefinitionSet(parts[1].value, parts[2]),
    "deftype": lambda _: None,  # types are ignored except for widths of bits, which fields spell out
    "assertion": lambda _: None,
    "dump": lambda _: None,
    "block": _without_none,
    "body": _without_none,
    "let_items": tuple,
    "let_item": _assignment,
    "template_parameters": tuple,
    "parameter": _parameter,
    "parents": tuple,
    "class_reference": _class_call,
    "field": _field,
    "let_field": _assignment,
    "simple_type": lambda parts: parts[0].value,
    "bits_type": lambda parts: BitsType(parts[0].value),
    "list_type": lambda parts: ListType(parts[0]),
    "paste": _paste,
    "name_paste": _paste,
    "field_access": lambda parts: FieldAccess(parts[0], parts[1].value),
    "name_field": lambda parts: FieldAccess(parts[0], parts[1].value),
    "slice": _slice,
    "name_slice": _slice,
    "bit_selection": lambda parts: BitSelection(parts[0], parts[1]),
    "name": lambda parts: Name(parts[0].value),
    "string": lambda parts: parts[0].value if len(parts) == 1 else "".join([part.value for part in parts]),
    "code": lambda parts: parts[0].value,
    "integer": _integer,
    "binary": lambda parts: Pieces(tuple(int(bit) for bit in parts[0].value)),
    "unset": lambda _: None,
    "bits": lambda parts: parts[0] or Pieces(()),
    "list": lambda parts: ListValue(parts[0] or ()),  # a type behind it is ignored, since values have their own
    "values": tuple,
    "class_call": _class_call,
    "operator": _operator,
    "operands": tuple,
    "operand": _operand,
    "arguments": tuple,
    "argument": _argument,
    "named_argument": lambda parts: Argument(parts[0].value, parts[1]),
    "dag": _dag,
    "dag_items": tuple,
    "dag_item": _dag_item,
    "dag_name": lambda parts: DagItem(None, parts[0].value),
    "pieces": lambda parts: Pieces(tuple(parts)),
    "piece": lambda parts: parts[0],
    "range": lambda parts: Range(parts[0], parts[1]),
    "touching_range": lambda parts: Range(parts[0], -parts[1].value),
}
