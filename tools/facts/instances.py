"""Instances of an operation: texts in generic form, made from its definition, for MLIR to judge.

Not every instance verifies; MLIR says which do. Operands come from an unregistered operation, so the texts need
``--allow-unregistered-dialect``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Any

from facts import instance_parts as parts
from facts.instance_text import (
    RegionShape,
    consumed_argument,
    generic_form,
    i32_array,
    module_start,
    producers,
    region_text,
    wrapped,
)
from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition, ResultDefinition

LINES = 3
LINE = 2
_LIMIT = 1000


@dataclass(frozen=True)
class Instance:
    """One spelling of an operation, between the `start` and `end` of the enclosing operation."""

    definition: OperationDefinition
    operand_counts: tuple[int, ...]
    result_counts: tuple[int, ...]
    operand_types: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]
    consumed_places: frozenset[int]
    """Which handles among its block arguments some region consumes: 0 is the first, -1 the last."""
    consumed_arguments: frozenset[int]
    """Numbers of the block arguments that some region consumes."""
    operation: str
    start: str = ""
    end: str = ""

    @property
    def text(self) -> str:
        """A module of `LINES` lines, with the operation in line `LINE` at `column`."""
        given = producers(self.operand_types, first_is_given=bool(self.start))
        return f"{module_start(self._symbols)}{given}\n{self.start}{self.operation}{self.end}\n}}"

    @property
    def column(self) -> int:
        """Column of the operation in its line of `text`, 1-based."""
        return len(self.start) + 1

    @property
    def wrapped(self) -> str:
        """A module with the operation in a named sequence whose arguments are the operands."""
        inside = f"{self.start}{self.operation}{self.end}"
        return wrapped(self.operand_types, inside, self._symbols, first_is_given=bool(self.start))

    @property
    def _symbols(self) -> str:
        refers = any(attribute.constraint.startswith("SymbolRef") for attribute in self.definition.attributes)
        return parts.SYMBOLS if refers else ""


def instances(definition: OperationDefinition, deviations: int) -> list[Instance]:
    """Instances that deviate from a plain one in exactly this many choices; at most a thousand."""
    picks = islice(_picks(list(_choices(definition)), deviations), _LIMIT)
    return [_instance(definition, picked) for picked in picks]


@dataclass(frozen=True)
class _Choice:
    """One open question about an instance; the first option is the plain one."""

    kind: str
    index: int
    options: tuple[Any, ...]


_Picked = dict[tuple[str, int], Any]


def _choices(definition: OperationDefinition) -> Iterator[_Choice]:
    yield from _value_choices("operand", definition.operands)
    yield from _value_choices("result", definition.results)
    for index, attribute in enumerate(definition.attributes):
        special = parts.SPECIAL_ATTRIBUTES.get((definition.name, attribute.name))
        plain = (parts.DYNAMIC,) if _has_dynamic_part(definition, attribute) else ()
        values = [*plain, *(special or attribute_values(attribute))]
        yield _Choice("attribute", index, tuple(dict.fromkeys(values)))
    for index, region in enumerate(definition.regions):
        shapes = parts.SPECIAL_REGIONS.get(definition.name) or _region_shapes(definition)
        yield _Choice("region count", index, (1, 2, 0) if region.variadic else (1,))
        yield _Choice("region", index, shapes)


def _has_dynamic_part(definition: OperationDefinition, attribute: AttributeDefinition) -> bool:
    """Does an operand group give the sizes that the attribute leaves open? ``static_sizes``, ``$dynamic_sizes``."""
    static, _, rest = attribute.name.partition("_")
    groups = [operand.name for operand in definition.operands if operand.arity is Arity.VARIADIC]
    is_array = attribute.constraint == "DenseI64ArrayAttr"
    return is_array and static == "static" and any(name.endswith(rest) for name in groups)


def _value_choices(kind: str, values: Sequence[OperandDefinition] | Sequence[ResultDefinition]) -> Iterator[_Choice]:
    for index in range(len(values)):
        value: OperandDefinition | ResultDefinition = values[index]
        types = (value.type,) if value.type else parts.TYPES.get(value.constraint, (parts.OP,))
        yield _Choice(f"{kind} count", index, _counts(value.arity))
        yield _Choice(f"{kind} type", index, types)


def _counts(arity: Arity) -> tuple[int, ...]:
    if arity is Arity.ONE:
        return (1,)
    return (1, 0) if arity is Arity.OPTIONAL else (1, 0, 2, 3)


def attribute_values(attribute: AttributeDefinition) -> tuple[str | None, ...]:
    """Spellings in generic form; None is absence."""
    values: tuple[str, ...] = parts.ATTRIBUTES.get(attribute.constraint, ())
    if attribute.mnemonic and attribute.cases:
        values = tuple(f"#{attribute.mnemonic}<{case}>" for case in attribute.cases)
    elif attribute.cases:
        values = tuple(f"{number} : {attribute.type}" for number in range(1, len(attribute.cases) + 1))
    if attribute.optional or attribute.default is not None:
        return (None, *values)
    return values or (None,)


def _region_shapes(definition: OperationDefinition) -> tuple[RegionShape, ...]:
    """Return the possible shapes of the blocks in the definition's regions, the most likely first."""
    asked_for = [name for trait, name in parts.TERMINATORS.items() if trait in definition.traits]
    return tuple(
        RegionShape(arguments, terminator, consumes)
        for terminator in asked_for or [*parts.TERMINATORS.values(), "smt.yield"]
        for consumes in (None, 0, -1)
        for arguments in ("operands", "none", "handle")
    )


def _picks(choices: Sequence[_Choice], deviations: int) -> Iterator[_Picked]:
    plain = {(choice.kind, choice.index): choice.options[0] for choice in choices}
    open_choices = [choice for choice in choices if len(choice.options) > 1]
    for deviating in combinations(open_choices, deviations):
        keys = [(choice.kind, choice.index) for choice in deviating]
        for options in product(*(choice.options[1:] for choice in deviating)):
            yield {**plain, **dict(zip(keys, options, strict=True))}


def _instance(definition: OperationDefinition, picked: _Picked) -> Instance:
    operand_counts, operand_types = _values(picked, "operand", len(definition.operands))
    result_counts, result_types = _values(picked, "result", len(definition.results))
    attributes = tuple(
        (attribute.name, picked["attribute", index])
        for index, attribute in enumerate(definition.attributes)
        if picked["attribute", index] is not None
    )
    segments = _segments(definition, operand_counts, result_counts)
    regions = _regions(definition, picked, operand_types, result_types)
    return Instance(
        definition,
        operand_counts,
        result_counts,
        tuple(operand_types),
        attributes,
        frozenset(_consumed_places(definition, picked)),
        frozenset(_consumed_arguments(definition, picked, operand_types)),
        generic_form(definition.name, operand_types, result_types, (*attributes, *segments), regions),
        *(parts.MATCHER_PARENT if "StructuredOpPredicateOpTrait" in definition.traits else ()),
    )


def _values(picked: _Picked, kind: str, groups: int) -> tuple[tuple[int, ...], list[str]]:
    counts = tuple(picked[f"{kind} count", index] for index in range(groups))
    types = [picked[f"{kind} type", index] for index in range(groups) for _ in range(counts[index])]
    return counts, types


def _segments(
    definition: OperationDefinition, operand_counts: tuple[int, ...], result_counts: tuple[int, ...]
) -> list[tuple[str, str]]:
    segments = []
    if "AttrSizedOperandSegments" in definition.traits:
        segments.append(("operandSegmentSizes", i32_array(operand_counts)))
    if "AttrSizedResultSegments" in definition.traits:
        segments.append(("resultSegmentSizes", i32_array(result_counts)))
    return segments


def _regions(
    definition: OperationDefinition, picked: _Picked, operand_types: Sequence[str], result_types: Sequence[str]
) -> list[str]:
    texts: list[str] = []
    for index in range(len(definition.regions)):
        shape = picked["region", index]
        text = shape if isinstance(shape, str) else region_text(shape, operand_types, result_types)
        texts += [text] * picked["region count", index]
    return texts


def _consumed_places(definition: OperationDefinition, picked: _Picked) -> Iterator[int]:
    for index in range(len(definition.regions)):
        shape = picked["region", index]
        if isinstance(shape, str):
            yield from (0, -1) if parts.CONSUMER[:20] in shape else ()
        elif shape.consumes is not None:
            yield shape.consumes


def _consumed_arguments(
    definition: OperationDefinition, picked: _Picked, operand_types: Sequence[str]
) -> Iterator[int]:
    for index in range(len(definition.regions)):
        shape = picked["region", index]
        if isinstance(shape, str):
            yield from (0,) if parts.CONSUMER[:20] in shape else ()
        elif (number := consumed_argument(shape, operand_types)) is not None:
            yield number
