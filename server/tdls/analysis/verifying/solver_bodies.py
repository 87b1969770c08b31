"""The bodies of operations that hand parameters to a solver: their arguments, operations and what they yield."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionNote
from tdls.analysis.verifying.complaint import Complaint, counted
from tdls.analysis.verifying.types import result_types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.verifying.complaint import Check
    from tdls.semantic.model import Operation

_DIALECT = "smt."
_PARAMETER = re.compile(r"!transform\.param<(.*)>")
_INTEGER = re.compile(r"[su]?i(\d+)")
_VECTOR = re.compile(r"!smt\.bv<(\d+)>")


def arguments_stand_for_parameters(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that there is an argument for each operand, of a type of the solver that holds what the operand holds."""
    del context
    for block in operation.blocks():
        if len(block.arguments) != len(operation.operands):
            operands = counted(len(operation.operands), "operand")
            arguments = counted(len(block.arguments), "argument")
            message = f"`{operation.name}` has {operands}, but its body takes {arguments}"
            yield Complaint(message, operation.location)
            return
        for argument, operand in zip(block.arguments, operation.operands, strict=True):
            wanted = _unlike(argument.type, operand.type if operand is not None else None)
            if wanted is not None:
                yield Complaint(f"`{argument.shown}` has to be {wanted}, not `{argument.type}`", argument.span)


def operations_of_solver(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that all operations of the body are the solver's."""
    del context
    for block in operation.blocks():
        for child in block.operations:
            if child.definition is not None and not child.name.startswith(_DIALECT) and not child.has_trait(_ENDS):
                message = f"`{child.name}` cannot stand in the body of `{operation.name}`"
                notes = (SectionNote("in this body", operation.location),)
                yield Complaint(message, child.location, notes, "only operations of the `smt` dialect can")


_ENDS = "IsTerminator"


def yields_to_parameters(terminator: str) -> Check:
    """Return a check that `terminator` yields a value for each result, of a type that fits."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        types = result_types(context, operation)
        for block in operation.blocks():
            last = block.terminator
            if types is None or last is None or last.name != terminator or last.syntax.broken:
                continue
            if len(last.operands) != len(types):
                results, found = counted(len(types), "result"), counted(len(last.operands), "value")
                message = f"`{operation.name}` has {results}, but {found} is yielded here"
                yield Complaint(message, last.location)
                return
            for value, type_ in zip(last.operands, types, strict=True):
                wanted = _unlike(value.type if value is not None else None, type_)
                if value is not None and wanted is not None:
                    message = f"`{value.shown}` has to be {wanted} for the result, not `{value.type}`"
                    yield Complaint(message, last.location)

    return check


def _unlike(solved: str | None, parameter: str | None) -> str | None:
    """Return what a type of the solver should be to hold what a parameter holds; None where it may do so."""
    if solved is None or "." not in solved:
        return None if solved is None else _ANY
    if not solved.startswith(("!smt.bool", "!smt.int", "!smt.bv<")):
        return _ANY
    match = _PARAMETER.fullmatch(parameter or "")
    if match is None:
        return None
    integer, vector = _INTEGER.fullmatch(match[1]), _VECTOR.fullmatch(solved)
    width = int(integer[1]) if integer is not None and len(integer[1]) < 9 else None
    if solved == "!smt.int":
        return None
    is_fitting = width == 1 if solved == "!smt.bool" else vector is None or vector[1] == str(width)
    return None if is_fitting else f"as wide as `{parameter}`"


_ANY = "`!smt.int`, `!smt.bool` or `!smt.bv`"
