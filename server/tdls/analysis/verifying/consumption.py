"""How often handles of a body may be consumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionNote
from tdls.analysis.verifying.complaint import Complaint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value

_INTERFACES = ("TransformOpInterface", "MatchOpInterface")


def consumed_once(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that not two operations consume a handle that the body defines, wherever they stand in it.

    What is no operation that the interpreter executes counts as one that consumes: `transform.yield` does.
    """
    for block in operation.blocks():
        values = [*block.arguments, *(result for child in block.operations for result in child.results)]
        for value in values:
            consumers = [user for user in context.users.get(value, ()) for _ in range(_times(context, user, value))]
            if len(consumers) < 2:
                continue
            first, second = consumers[:2]
            others = (SectionNote("it is also consumed here", first.location),) if first is not second else ()
            around = SectionNote("not more than once in this body", operation.location)
            yield Complaint(f"`{value.shown}` is consumed more than once", second.location, (*others, around))


def _times(context: Context, operation: Operation, value: Value) -> int:
    """Return as how many operands an operation consumes a value; 0 where that is not certain."""
    definition = operation.definition
    if definition is None or operation.syntax.broken:
        return 0
    if context.effects.consumes(operation, value) or (
        definition.versions and not any(operation.has_trait(name) for name in _INTERFACES)
    ):
        return sum(operand is value for operand in operation.operands)
    return 0
