"""Describes uses of invalid handles: cause, certainty, and the handle that could replace the invalid one.

A successor is a result of the consumer whose catalogue relation (`LIKE`, `REPLACES`) names the consumed operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.analysis.handles.matches import finds_called, looks_for_kinds
from tdls.catalogue.model import PayloadEffect, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalidation import Reach
    from tdls.analysis.handles.payload.names import PayloadNames
    from tdls.analysis.handles.payload.sets import PayloadSet
    from tdls.semantic.model import Block, Operation, Value


def successors(value: Value, consumer: Operation) -> list[Value]:
    """Return the results of `consumer` that replace the consumed `value`."""
    return list(_successors(consumer, value))


def is_visible(value: Value, user: Operation) -> bool:
    """Tell whether `value` is an operation's result in scope at `user`, in block order."""
    maker = value.operation
    return maker is not None and _is_visible(maker, user)


def use_instead(operation: Operation, operand: int, successor: Value) -> SectionFix:
    """Return the fix that replaces an operand of `operation` by `successor`."""
    place = operation.syntax.operands[operand].span
    return SectionFix(f"Use `{successor.shown}`", (SectionEdit(place, successor.shown),))


def _successors(consumer: Operation, value: Value) -> Iterator[Value]:
    """Yield the results of `consumer` that hold operations like those of `value`, or its only result if it replaces."""
    definition = consumer.definition
    operands = {name for name in consumer.syntax.operand_groups or {} if value in consumer.group(name)}
    for result in definition.results if definition is not None else ():
        group = consumer.result_group(result.name)
        kinds = {relation.kind for relation in result.relations if relation.other in operands}
        is_only_one = RelationKind.REPLACES in kinds and len(consumer.results) == 1
        if (RelationKind.LIKE in kinds or is_only_one) and len(group) == 1:
            yield group[0]


def _is_visible(consumer: Operation, user: Operation) -> bool:
    """Tell whether results of `consumer` can be used by `user`, which comes later in its block or is nested there."""
    block: Block | None = consumer.block
    around = [user, *user.ancestors()]
    return (
        any(surrounding.block is block and consumer.index < surrounding.index for surrounding in around)
        and consumer is not user
    )


_TERMINATOR = "IsTerminator"
"""The interpreter does not check the operands of terminators: an invalid handle there may have no effect."""
_MOST_SUCCESSORS = 16
"""Maximum number of successive consumed successors to follow."""


class Cause(NamedTuple):
    """The cause of an invalid handle: `consumer` consumed its operand number `operand`, `consumed`.

    `reach` leads from the set of `consumed` to that of the handle; None if that reach is only possible.
    """

    consumer: Operation
    operand: int
    consumed: Value
    reach: Reach | None
    is_assumed: bool = False
    """True if the operand is consumed only if the operands are written in the order of the definition."""


class InvalidUse(NamedTuple):
    """Operand number `operand` of `operation` is an invalid handle, certainly or possibly."""

    operation: Operation
    operand: int
    value: Value
    cause: Cause
    is_certain: bool
    """True if the interpreter stops here, provided that the handles are not empty."""
    successor: Value | None = None
    """The valid handle that replaces the consumed one, if there is exactly one."""
    can_be_made_again: bool = False
    """True if there is no successor, and the operation that found the handle could be repeated before the use."""


class RepeatedConsumption(NamedTuple):
    """A consumed operand, number `operand` of `operation`, that holds a payload operation more than once."""

    operation: Operation
    operand: int
    value: Value
    is_certain: bool
    is_nested: bool
    """True if the handle holds an operation before one nested in it, rather than the same one twice."""


class Used(Protocol):
    """The part of a run that descriptions of invalid uses need."""

    context: Context
    names: PayloadNames

    def set_of(self, value: Value) -> PayloadSet:
        """Return the payload set of `value`."""

    def cause_of(self, value: Value) -> Cause | None:
        """Return the cause by which `value` is certainly invalid now; None if there is none."""

    def may_be_invalid(self, value: Value) -> bool:
        """Tell whether `value` may have become invalid up to now."""

    def has_erased_since(self, cause: Cause) -> bool:
        """Tell whether patterns or passes, which may erase any operation, were applied after the consumer."""


def invalid_use(run: Used, operation: Operation, number: int, value: Value, cause: Cause) -> InvalidUse:
    """Return the description of operand `number` of `operation`, invalid by `cause`, with a possible replacement."""
    successor = _successor(run, operation, value, cause)
    again = successor is None and _can_be_made_again(run, value) and _is_there_still(run, value, cause)
    is_certain = _is_certain(run, value, cause) and not operation.has_trait(_TERMINATOR)
    return InvalidUse(operation, number, value, cause, is_certain, successor, again)


def _is_certain(run: Used, value: Value, cause: Cause) -> bool:
    """Tell whether `value` is invalid for every payload; a consumed handle is, even if it is empty."""
    if cause.reach is None or cause.is_assumed:
        return False
    if value is cause.consumed:
        return True
    taken = (run.set_of(value), run.set_of(cause.consumed), cause.reach.part)
    return not any(payload.may_be_empty for payload in taken)


def _can_be_made_again(run: Used, value: Value) -> bool:
    """Tell whether the operation with the only result `value` just reads the payload, from valid operands."""
    maker = value.operation
    if maker is None or maker.definition is None or len(maker.results) != 1 or maker.regions:
        return False
    only_reads = maker.definition.payload_effect in (PayloadEffect.READS, PayloadEffect.NONE)
    operands = [operand for operand in maker.operands if operand is not None]
    return only_reads and bool(operands) and not any(run.may_be_invalid(operand) for operand in operands)


def _is_there_still(run: Used, value: Value, cause: Cause) -> bool:
    """Tell whether the kinds that the maker of `value` searches for survive `cause`: in place, or in the successor."""
    maker = value.operation
    if maker is None or not looks_for_kinds(maker):
        return True
    if run.has_erased_since(cause):
        return False
    if _is_left_in_place(run, value, cause):
        return True
    successor, later = _last_successor(run, cause)
    if successor is None or (later is not None and not _is_left_in_place(run, successor, later)):
        return False
    names = run.set_of(successor).facts.names
    return names is not None and finds_called(maker, names, run.context.catalogue)


def _is_left_in_place(run: Used, value: Value, cause: Cause) -> bool:
    """Tell whether the payload of `value` is inside consumed operations that are rewritten around it."""
    names, consumed = run.set_of(value).facts.names, run.set_of(cause.consumed).facts.names
    if names is None or consumed is None or not names.isdisjoint(consumed):
        return False
    return not run.names.are_structured(consumed)


def _successor(run: Used, operation: Operation, value: Value, cause: Cause) -> Value | None:
    """Return the valid handle that `operation` could take in place of `value`."""
    if run.set_of(value) is not run.set_of(cause.consumed):
        return None
    found, later = _last_successor(run, cause)
    if found is None or later is not None or found.type != value.type or not is_visible(found, operation):
        return None
    return found if run.names.are_akin(run.set_of(value).facts.names, run.set_of(found).facts.names) else None


def _last_successor(run: Used, cause: Cause) -> tuple[Value | None, Cause | None]:
    """Return the handle that replaces the consumed one, and the cause if that handle is invalid.

    Follows successors that were consumed themselves; None unless each step has exactly one successor.
    """
    for _ in range(_MOST_SUCCESSORS):
        found = successors(cause.consumed, cause.consumer)
        if len(found) != 1:
            break
        later = run.cause_of(found[0])
        if later is None or run.set_of(later.consumed) is not run.set_of(found[0]):
            return found[0], later
        cause = later
    return None, None
