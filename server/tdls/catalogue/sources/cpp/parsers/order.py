"""The order of an operation's operands in the text, from what its parser reads and in which order it resolves that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import PARSER_STEPS
from tdls.catalogue.model import Arity
from tdls.catalogue.sources.cpp.parsers.following import follow
from tdls.catalogue.sources.cpp.parsers.operands import UnclearError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import OperandDefinition
    from tdls.catalogue.sources.cpp.parsers.following import Find
    from tdls.catalogue.sources.cpp.parsers.function import ParserFunction
    from tdls.catalogue.sources.cpp.parsers.operands import ParsedOperands, Read


class _ReadPart(NamedTuple):
    """Operand groups that what was read by some calls belongs to."""

    reads: Sequence[Read]
    groups: Sequence[OperandDefinition]


def operand_order(function: ParserFunction, definitions: Sequence[OperandDefinition], find: Find) -> tuple[str, ...]:
    """Return the names of operands in the order of the text, as `OperationDefinition.operand_order`; none where that is
    not certain. `find` gives the functions that the parser calls."""
    try:
        operands = follow(function, find, Budget(PARSER_STEPS))
    except (UnclearError, OverBudget):
        return ()
    if not operands.read or set(operands.read) != set(operands.resolved):
        return ()
    if operands.read == operands.resolved:
        return tuple(definition.name for definition in definitions)
    if operands.has_alternatives:
        return ()
    return _ordered(operands, _parts(operands.resolved, definitions))


def _ordered(operands: ParsedOperands, parts: Sequence[_ReadPart] | None) -> tuple[str, ...]:
    """Return the groups of `parts` as what they read stands in the text."""
    order: list[str] = []
    position = 0
    part_of = {read: part for part in parts or () for read in part.reads}
    while part_of and position < len(operands.read):
        part = part_of[operands.read[position]]
        behind = position + len(part.reads)
        found = operands.read[position:behind]
        if set(found) != set(part.reads) or (len(part.groups) > 1 and found != list(part.reads)):
            return ()
        order += (group.name for group in part.groups)
        position = behind
    return tuple(order)


def _parts(resolved: Sequence[Read], groups: Sequence[OperandDefinition]) -> list[_ReadPart] | None:
    """Return which groups get what, in the order of the operation; None where that is not certain."""
    count = min(len(resolved), len(groups))
    first = next((i for i in range(count) if not _is_one(resolved[i], groups[i])), count)
    last = next((i for i in range(count - first) if not _is_one(resolved[-1 - i], groups[-1 - i])), count - first)
    between = resolved[first : len(resolved) - last], groups[first : len(groups) - last]
    inner = _inner(*between)
    if inner is None:
        return None
    before = [_ReadPart([read], [group]) for read, group in zip(resolved[:first], groups[:first], strict=True)]
    behind = zip(resolved[len(resolved) - last :], groups[len(groups) - last :], strict=True)
    return [*before, *inner, *(_ReadPart([read], [group]) for read, group in behind)]


def _inner(reads: Sequence[Read], groups: Sequence[OperandDefinition]) -> list[_ReadPart] | None:
    """Return which groups get what between those that are certain to be one operand each."""
    if not reads:
        return None if any(group.arity is Arity.ONE for group in groups) else []
    if not groups:
        return None
    if len(groups) == 1 or len(reads) == 1:
        return [_ReadPart(reads, groups)]
    if len(reads) != len(groups):
        return None
    if any(group.arity is Arity.ONE and not _is_one(read, group) for read, group in zip(reads, groups, strict=True)):
        return None
    return [_ReadPart([read], [group]) for read, group in zip(reads, groups, strict=True)]


def _is_one(read: Read, group: OperandDefinition) -> bool:
    """Is this one operand, and the group one, too, whatever the text is?"""
    return group.arity is Arity.ONE and read.certain and not read.many
