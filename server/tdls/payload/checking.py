"""What checks of payload operations get and return, and the types that they compare.

A check gets an operation that was read without a problem, in a form whose operands and types are known.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import Struct
from tdls.syntax.tree import Form
from tdls.syntax.types import UNKNOWN, Type, same_type, type_tree
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import TypeUse
    from tdls.text.span import Span

    Check: TypeAlias = Callable[["Surroundings", Operation], Iterator["Problem"]]


class Surroundings(Struct, frozen=True):
    """What is around an operation: its definitions, type aliases, symbols in reach, and attribute aliases."""

    catalogue: Catalogue
    canonical: Callable[[str], str]
    lookup: Callable[[Sequence[str], Operation], Operation | None]
    aliases: Mapping[str, str]
    may_define: Callable[[str], bool]
    """Whether text that is not read, or in another symbol table, may define a symbol."""

    def attribute(self, operation: Operation, name: str) -> str | None:
        """Return the spelled value of an attribute, or that of the alias there, or None without a value."""
        spelled = operation.spelled(name)
        return self.aliases.get(spelled, spelled) if spelled is not None else None


class Problem(Struct, frozen=True):
    """What MLIR rejects, and where."""

    message: str
    place: Span


def is_type_known(value: Value) -> bool:
    """Whether the type of a value is that of its definition, not one that the structure of a text suggests."""
    if value.block is not None:
        owner = value.block.region.parent.syntax
        return owner.form is not Form.STRUCTURAL or value.block.syntax.label is not None
    syntax = value.operation.syntax if value.operation is not None else None
    if syntax is None or syntax.form is not Form.EXACT or syntax.definition is None:
        return syntax is not None and syntax.form is Form.GENERIC
    is_upstream = bool(syntax.definition.versions)
    return is_upstream or type_tree(value.type or "").is_shaped  # a project may spell `i8` for a type of its own


def types_of(values: Sequence[Value | None]) -> list[Type | None]:
    """Return the types of values, None for those that are not known."""
    return [
        known_type(value.type) if value is not None and value.type is not None and is_type_known(value) else None
        for value in values
    ]


def known_type(text: str) -> Type | None:
    """Return the tree of a canonical type, None if it cannot be read."""
    found = type_tree(text)
    return found if found.kind != UNKNOWN else None


def spelled_type(payload: Surroundings, type_: TypeUse | None) -> Type | None:
    """Return the tree of a spelled type, or None if the text has only its parameters."""
    return known_type(payload.canonical(type_.text)) if type_ is not None and not type_.text.startswith("<") else None


def operand_types(payload: Surroundings, operation: Operation) -> list[Type | None]:
    """Return the types of operands: as spelled, which `type-mismatch` compares with the values, or else theirs."""
    known = types_of(operation.operands)
    spelled = operation.syntax.operand_types or ()
    return [spelled_type(payload, each) or type_ for type_, each in zip_longest(known, spelled[: len(known)])]


def result_types(payload: Surroundings, operation: Operation) -> list[Type | None] | None:
    """Return the types of results, None if the text does not tell their number."""
    types = operation.syntax.result_types
    return [spelled_type(payload, each) for each in types] if types is not None else None


def group_types(payload: Surroundings, operation: Operation, *names: str) -> list[Type | None]:
    """Return the types of the operands of the first of these groups that the operation has."""
    groups = operation.syntax.operand_groups or {}
    begin, end = next((groups[name] for name in names if name in groups), (0, 0))
    return operand_types(payload, operation)[begin:end]


def only_type(types: Sequence[Type | None] | None) -> Type | None:
    """Return the only one of some types, None if there is another number, or it is not known."""
    return types[0] if types is not None and len(types) == 1 else None


def are_other(first: Type | None, second: Type | None) -> bool:
    """Whether two types certainly differ."""
    return first is not None and second is not None and same_type(first, second) is False


def are_of_other_shape(first: Type, second: Type) -> bool:
    """Whether the shapes of two types cannot be equal: one is a scalar, or ranks or static sizes differ."""
    ours, theirs = first.dimensions, second.dimensions
    if ours is None or theirs is None:
        return first.is_shaped != second.is_shaped
    return len(ours) != len(theirs) or any(
        one != other and one.isdigit() and other.isdigit() for one, other in zip(ours, theirs, strict=True)
    )


def pairs(
    operation: Operation, given: Sequence[Type | None], wanted: Sequence[Type | None], what: str, noun: str = "operand"
) -> Iterator[Problem]:
    """Compare the types of operands, or results, with those that another place says, in number and one by one."""
    if len(given) != len(wanted):
        message = f"`{operation.name}` has {counted(len(given), noun)}, but {what} has {len(wanted)}"
        yield Problem(message, operation.location)
        return
    for number, (first, second) in enumerate(zip(given, wanted, strict=True)):
        if first is not None and second is not None and are_other(first, second):
            message = f"{noun} #{number} of `{operation.name}` is a `{first.text}`, but {what} has `{second.text}`"
            yield Problem(message, operation.location)
            return
