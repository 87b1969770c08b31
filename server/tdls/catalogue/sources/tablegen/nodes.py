"""Syntax tree of TableGen files, made by `parser.parse`.

Nodes are named tuples, since hundreds of thousands are made and kept. Literals are Python values: `str`, `int`, and
None for ``?``; None also stands for a missing value.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class BitsType(NamedTuple):
    """``bits<width>``."""

    width: int


class ListType(NamedTuple):
    """``list<element>``."""

    element: TypeNode


TypeNode: TypeAlias = str | BitsType | ListType
"""A type; `str` is ``bit``, ``int``, ``string``, ``code``, ``dag`` or the name of a class."""


class Name(NamedTuple):
    """An identifier that stands for a value."""

    text: str


class Pieces(NamedTuple):
    """``{...}`` or ``[...]`` with single values and ranges: bits, or the selectors of a slice."""

    items: tuple[Value, ...]


class Range(NamedTuple):
    """``first...last`` in `Pieces`, both inclusive."""

    first: Value
    last: Value


class ListValue(NamedTuple):
    """``[items]``."""

    items: tuple[Value, ...]


class Dag(NamedTuple):
    """``(operator items)``; each part with the name behind its colon."""

    operator: DagItem
    items: tuple[DagItem, ...]


class DagItem(NamedTuple):
    """``value:$name``."""

    value: Value
    name: str | None


class Argument(NamedTuple):
    """A template argument; `name` is None for a positional one."""

    name: str | None
    value: Value


class ClassCall(NamedTuple):
    """``name<arguments>``: a class with arguments, as a parent or as an anonymous record."""

    name: str
    arguments: tuple[Argument, ...]


class Operator(NamedTuple):
    """``!name<type>(operands)``; an operand of two values is written with a colon (`!cond`)."""

    name: str
    type: TypeNode | None
    operands: tuple[tuple[Value, ...], ...]


class FieldAccess(NamedTuple):
    """``value.field``."""

    value: Value
    field: str


class Slice(NamedTuple):
    """``value[pieces]``."""

    value: Value
    pieces: Pieces
    single: bool
    """True if the result is an element and no list."""


class BitSelection(NamedTuple):
    """``value{pieces}``."""

    value: Value
    pieces: Pieces


class Paste(NamedTuple):
    """``part # part``; a missing last part is an empty text."""

    parts: tuple[Value, ...]


Value: TypeAlias = (
    str
    | int
    | Name
    | Pieces
    | Range
    | ListValue
    | Dag
    | ClassCall
    | Operator
    | FieldAccess
    | Slice
    | BitSelection
    | Paste
    | None
)


class Parameter(NamedTuple):
    """A template parameter."""

    type: TypeNode
    name: str
    default: Value


class Field(NamedTuple):
    """``type name = value;``"""

    type: TypeNode
    name: str
    value: Value


class Assignment(NamedTuple):
    """``let name{pieces} = value;`` in a body or before ``in``. `mode` is ``append``, ``prepend`` or empty."""

    name: str
    pieces: Pieces | None
    value: Value
    mode: str


class DefvarStatement(NamedTuple):
    """``defvar name = value;``"""

    name: str
    value: Value


BodyItem: TypeAlias = Field | Assignment | DefvarStatement


class Include(NamedTuple):
    """``include "path"``."""

    path: str


class ClassNode(NamedTuple):
    """``class name<parameters> : parents { items }``."""

    name: str
    parameters: tuple[Parameter, ...]
    parents: tuple[ClassCall, ...]
    items: tuple[BodyItem, ...]
    offset: int


class DefStatement(NamedTuple):
    """``def name : parents { items }``; `name` is None if it is left out."""

    name: Value
    parents: tuple[ClassCall, ...]
    items: tuple[BodyItem, ...]
    offset: int


class MultiDefinition(NamedTuple):
    """``defm name : parents;``"""

    name: Value
    parents: tuple[ClassCall, ...]
    offset: int


class Multiclass(NamedTuple):
    """``multiclass name<parameters> : parents { statements }``."""

    name: str
    parameters: tuple[Parameter, ...]
    parents: tuple[ClassCall, ...]
    statements: tuple[Statement, ...]
    offset: int


class Let(NamedTuple):
    """``let assignments in { statements }``."""

    assignments: tuple[Assignment, ...]
    statements: tuple[Statement, ...]


class Foreach(NamedTuple):
    """``foreach name = values in { statements }``."""

    name: str
    values: Value
    statements: tuple[Statement, ...]


class IfThen(NamedTuple):
    """``if condition then { statements } else { otherwise }``."""

    condition: Value
    statements: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


class DefinitionSet(NamedTuple):
    """``defset type name = { statements }``."""

    name: str
    statements: tuple[Statement, ...]


def is_deeper(node: object, most: int) -> bool:
    """Whether more than `most` nodes are nested in each other. Without recursion."""
    level = [node]
    for _ in range(most + 1):
        level = [part for outer in level if isinstance(outer, tuple) for part in outer]
        if not level:
            return False
    return True


Statement: TypeAlias = (
    Include
    | ClassNode
    | DefStatement
    | MultiDefinition
    | Multiclass
    | Let
    | Foreach
    | IfThen
    | DefvarStatement
    | DefinitionSet
)
