"""The text of an instance in MLIR's generic form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from facts import instance_parts as parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class RegionShape:
    """A region of one block. `arguments` says where the types of its arguments come from.

    `consumes` is the place of the block argument that the body consumes among all that are operation handles.
    """

    arguments: str
    terminator: str
    consumes: int | None


def module_start(symbols: str) -> str:
    """The beginning of every module: symbols and values that operations may refer to."""
    return f"module attributes {{transform.with_named_sequence}} {{ {symbols}{parts.OUTSIDE_VALUES}"


def wrapped(operand_types: Sequence[str], operation: str, symbols: str, *, first_is_given: bool) -> str:
    """A module with a named sequence ``@wrapper`` whose arguments are the operands and the values from outside."""
    names = [f"%{number}" for number in range(len(operand_types))] + list(parts.OUTSIDE.values())
    if first_is_given and operand_types:
        names[0] = "%given"
    types = [*operand_types, *parts.OUTSIDE]
    arguments = ", ".join(f"{name}: {value_type}" for name, value_type in zip(names, types, strict=True))
    return (
        f"module attributes {{transform.with_named_sequence}} {{ {symbols}"
        f'"transform.named_sequence"() ({{^bb0({arguments}): {operation} "transform.yield"() : () -> ()}}) '
        f'{{sym_name = "wrapper", function_type = ({", ".join(types)}) -> ()}} : () -> () }}'
    )


def generic_form(
    name: str,
    operand_types: Sequence[str],
    result_types: Sequence[str],
    attributes: Sequence[tuple[str, str]],
    regions: Sequence[str],
) -> str:
    """The operation with operands ``%0``, ``%1``... and unnamed results."""
    operands = ", ".join(f"%{number}" for number in range(len(operand_types)))
    region_list = f" ({', '.join(regions)})" if regions else ""
    dictionary = ", ".join(f"{key} = {value}" for key, value in attributes)
    types = f"({', '.join(operand_types)}) -> ({', '.join(result_types)})"
    return f'"{name}"({operands}){region_list} {{{dictionary}}} : {types}'


def producers(types: Sequence[str], *, first_is_given: bool) -> str:
    """Definitions of ``%0``, ``%1``...; without ``%0`` where something else defines it."""
    return "".join(
        f'%{number} = "x.x"() : () -> {value_type} '
        for number, value_type in enumerate(types)
        if number > 0 or not first_is_given
    )


def region_text(shape: RegionShape, operand_types: Sequence[str], result_types: Sequence[str]) -> str:
    """A region whose terminator yields values of the result types."""
    types = _argument_types(shape, operand_types)
    names = {f"%b{number}": value_type for number, value_type in enumerate(types)}
    header = ", ".join(f"{name}: {value_type}" for name, value_type in names.items())
    body = f"^bb0({header}): " if header else ""
    yielded = ", ".join(_value_of_type(value_type, names) for value_type in result_types)
    consumed = consumed_argument(shape, operand_types)
    if consumed is not None:
        body += parts.CONSUMER.format(f"%b{consumed}")
    if shape.terminator:
        body += f'"{shape.terminator}"({yielded}) : ({", ".join(result_types)}) -> ()'
    return f"{{{body}}}"


def consumed_argument(shape: RegionShape, operand_types: Sequence[str]) -> int | None:
    """Number of the block argument that the body of a region consumes."""
    types = _argument_types(shape, operand_types)
    handles = [number for number, value_type in enumerate(types) if value_type == parts.OP]
    return handles[shape.consumes] if shape.consumes is not None and handles else None


def i32_array(numbers: Sequence[int]) -> str:
    """A dense array attribute."""
    return f"array<i32: {', '.join(map(str, numbers))}>" if numbers else "array<i32>"


def _argument_types(shape: RegionShape, operand_types: Sequence[str]) -> list[str]:
    return {"operands": list(operand_types), "none": [], "handle": [parts.OP]}[shape.arguments]


def _value_of_type(value_type: str, names: Mapping[str, str]) -> str:
    """A block argument of the type, else a value from outside."""
    inside = (name for name, type_of_name in names.items() if type_of_name == value_type)
    return next(inside, parts.OUTSIDE.get(value_type, "%h"))
