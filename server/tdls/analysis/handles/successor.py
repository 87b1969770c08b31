"""The handle that takes the place of a consumed one, where an operation returns such a handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.model import RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.semantic.model import Block, Operation, Value


def successors(value: Value, consumer: Operation) -> list[Value]:
    """Return the handles that took the place of `value`, which `consumer` consumed."""
    return list(_successors(consumer, value))


def is_visible(value: Value, user: Operation) -> bool:
    """Tell whether `user`, which comes later than the operation that made `value`, could name that."""
    maker = value.operation
    return maker is not None and _is_visible(maker, user)


def use_instead(operation: Operation, operand: int, successor: Value) -> SectionFix:
    """Return the fix that lets `operation` use `successor` as its operand."""
    place = operation.syntax.operands[operand].span
    return SectionFix(f"Use `{successor.shown}`", (SectionEdit(place, successor.shown),))


def _successors(consumer: Operation, value: Value) -> Iterator[Value]:
    """Yield the results of `consumer` that stand for operations like those of `value`, in their place."""
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
