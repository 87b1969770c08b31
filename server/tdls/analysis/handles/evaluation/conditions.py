"""Tests written payload operations against the interface, attribute and type conditions of matches.

A test returns None if the text does not decide the condition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.evaluation.payload_operation import (
    SCALARS,
    entries,
    operands_of,
    result_count,
    result_type,
    split,
    type_of,
)
from tdls.analysis.handles.matches import asked, names_in
from tdls.analysis.handles.payload.names import only_trait_of
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.types import comparable
from tdls.syntax.tree import Form, NamedAttribute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.evaluation.payload_operation import PayloadOperation
    from tdls.semantic.model import Operation

ATTRIBUTES = "op_attrs"
"""The attribute of a match with a dictionary of required attributes."""
_OPERAND_TYPES = "filter_operand_types"
_SYMBOL = "sym_name"
_NUMBER = re.compile(r"([+-]?\d+)(?:\s*:\s*(?:i64|index))?", re.ASCII)
_STRING = re.compile(r'"[^"\\]*"', re.ASCII)
_MADE_BY_MLIR = re.compile(r"segment|memoized|indexing_maps", re.IGNORECASE)
"""Attributes that operations may have without being written."""
_WITH_MODELS = frozenset({"linalg", "memref", "tensor"})
"""Dialects whose operations implement interfaces by external models in MLIR itself."""
_HARDLY_TILED = frozenset({
    "FunctionOpInterface", "IsTerminator", "LoopLikeOpInterface", "SymbolTable", "ConstantLike", "TransformOpInterface",
})  # fmt: skip


class Condition(NamedTuple):
    """A condition on payload operations by an attribute of a match."""

    attribute: NamedAttribute
    test: Callable[[PayloadOperation], bool | None]
    """Tests a payload operation; returns None if the answer is not known."""
    asks_for: str
    """Message text for the required property, after "has"."""
    shown: Callable[[PayloadOperation], str | None]
    """Returns message text for the property that an operation has instead; None if there is none."""


def conditions_of(context: Context, match: Operation) -> Iterator[Condition]:
    """Yield the conditions of a match except names: interface, attributes, result type, operand types."""
    interface = asked(match, MatchCriterion.INTERFACE)
    if interface is not None and interface.value is not None:
        name = interface.value
        yield Condition(
            interface, lambda operation: implements(context, operation, name), f"the interface `{name}`", _nothing
        )
    attributes = match.syntax.attribute(ATTRIBUTES)
    if attributes is not None and attributes.value is not None:
        for name, value in entries(attributes.value):
            yield _has_attribute(attributes, name, value)
    wanted = asked(match, MatchCriterion.RESULT_TYPE)
    if wanted is not None and wanted.value is not None:
        yield _has_result_type(context, wanted, wanted.value)
    operand_types = match.syntax.attribute(_OPERAND_TYPES)
    if operand_types is not None and operand_types.value is not None:
        yield _has_operand_types(context, operand_types, operand_types.value)


def _nothing(operation: PayloadOperation) -> str | None:
    """Return None: the condition shows no other property of an operation."""
    del operation
    return None


def implements(context: Context, operation: PayloadOperation, interface: str) -> bool | None:
    """Tell whether an operation implements an interface; None if that is not known."""
    definition = operation.definition(context.catalogue)
    if definition is None:
        return None
    trait = only_trait_of(interface)
    if trait is not None:
        return trait in definition.traits
    if interface in definition.traits:
        return True
    if definition.dialect in SCALARS:
        return False
    can_have_model = definition.dialect in _WITH_MODELS or not definition.versions
    return None if can_have_model or definition.traits.isdisjoint(_HARDLY_TILED) else False


def _has_attribute(place: NamedAttribute, name: str, value: str | None) -> Condition:
    def test(operation: PayloadOperation) -> bool | None:
        """Tell whether `operation` meets the condition; None if that is not known."""
        return has_attribute(operation, name, value)

    def shown(operation: PayloadOperation) -> str | None:
        """Return message text for the attribute of `operation` with the name; None if it has none."""
        own = operation.written.syntax.attribute(name) if operation.written is not None else None
        if own is None:
            return None
        return f"`{name} = {own.value}`" if own.value is not None else f"`{name}`"

    words = f"`{name}`" if value is None else f"`{name} = {value}`"
    return Condition(place, test, words, shown)


def has_attribute(operation: PayloadOperation, name: str, value: str | None) -> bool | None:
    """Tell whether an operation has an attribute with a value, None for a unit; None if that is not known."""
    written = operation.written
    if written is None or name in operation.annotated or _MADE_BY_MLIR.search(name):
        return None
    if name == _SYMBOL and written.syntax.symbol_name is not None:
        return value == f'"{written.syntax.symbol_name}"'
    own = written.syntax.attribute(name)
    if own is not None:
        return _are_equal(own.value, value)
    definition = written.definition
    if definition is None:
        return False if written.syntax.form is Form.GENERIC else None
    if written.syntax.form is Form.STRUCTURAL and _is_mentioned(operation, name):
        return None
    return None if any(attribute.name == name for attribute in definition.attributes) else False


def _is_mentioned(operation: PayloadOperation, name: str) -> bool:
    """Tell whether a name occurs in the text of an operation whose form is only partly known."""
    written, section = operation.written, operation.section
    return written is None or section is None or name in section.text[written.span.start : written.span.end]


def _are_equal(first: str | None, other: str | None) -> bool | None:
    """Tell whether two attributes are equal; None if their spelling does not decide that."""
    if first is None or other is None:
        spelled = first or other
        return True if spelled is None else None if spelled.strip() == "unit" else False
    first, other = first.strip(), other.strip()
    if first == other:
        return None if "#" in first else True
    if _STRING.fullmatch(first) and _STRING.fullmatch(other):
        return False
    numbers = _NUMBER.fullmatch(first), _NUMBER.fullmatch(other)
    if numbers[0] and numbers[1] and numbers[0][1].lstrip("+") != numbers[1][1].lstrip("+"):
        return False
    return None


def _has_result_type(context: Context, place: NamedAttribute, spelled: str) -> Condition:
    wanted = context.types.canonical(spelled)

    def test(operation: PayloadOperation) -> bool | None:
        """Tell whether `operation` meets the condition; None if that is not known."""
        count = result_count(operation)
        if count is not None and count != 1:
            return False
        return _same_type(result_type(operation), wanted)

    return Condition(place, test, f"exactly one result, of type `{spelled}`", _shown_result)


def _shown_result(operation: PayloadOperation) -> str | None:
    own = result_type(operation)
    return f"the result `{own}`" if own is not None else None


def _has_operand_types(context: Context, place: NamedAttribute, spelled: str) -> Condition:
    wanted = [context.types.canonical(entry) for entry in split(spelled.strip()[1:-1])]

    def test(operation: PayloadOperation) -> bool | None:
        """Tell whether `operation` meets the condition; None if that is not known."""
        own = operands_of(operation)
        if own is None:
            return None
        asked_types = wanted * len(own) if len(wanted) == 1 else wanted
        if len(asked_types) != len(own):
            return None
        same = [_same_type(type_of(value), kind) for value, kind in zip(own, asked_types, strict=True)]
        return False if False in same else None if None in same else True

    return Condition(place, test, f"operands of the types `{spelled}`", _nothing)


def _same_type(own: str | None, wanted: str) -> bool | None:
    if own is None:
        return None
    if own == wanted:
        return True
    return False if comparable(own) and comparable(wanted) else None


def names_of_list(match: Operation) -> frozenset[str] | None:
    """Return the names that a match requires; None if it accepts any name."""
    attribute = asked(match, MatchCriterion.NAMES)
    return names_in(attribute.value) if attribute is not None and attribute.value is not None else None
