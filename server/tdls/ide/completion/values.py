"""Values in scope at a cursor, each with the operation that consumed it before the cursor, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.findings import stale_handles
from tdls.catalogue.model import EffectSource, HandleEffect
from tdls.semantic.resolver import is_isolated
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.completion.site import Site
    from tdls.semantic.model import Block, Operation, Value


class VisibleValue(NamedTuple):
    """A value in scope; `consumer` is an operation before the cursor that makes it stale."""

    value: Value
    distance: int
    """The number of values that are defined between this one and the cursor."""
    consumer: Operation | None


def visible_values(site: Site) -> list[VisibleValue]:
    """Return the values in scope at the cursor, latest definition first."""
    values = list(_values(site))
    handles = {id(value) for value in values if value.type is None or value.type.startswith("!")}
    consumers = _consumers(site, handles) if handles else {}
    return [VisibleValue(value, number, consumers.get(id(value))) for number, value in enumerate(values)]


def _values(site: Site) -> Iterator[Value]:
    """Yield the values from the cursor outwards, up to an operation that is isolated from above."""
    block, before = site.block, _finished(site)
    if block is None and site.enclosing is None:
        yield from _results(before)
        return
    yield from _of_block(block, before)
    operation = site.enclosing
    while operation is not None and not is_isolated(operation):
        outer = operation.block
        earlier = (
            outer.operations[: operation.index]
            if outer is not None
            else site.context.model.operations[: operation.index]
        )
        yield from _of_block(outer, earlier)
        operation = operation.parent


def _finished(site: Site) -> Sequence[Operation]:
    """Return the operations before the cursor without the one that contains it."""
    return site.before[:-1] if site.current is not None else site.before


def _of_block(block: Block | None, before: Sequence[Operation]) -> Iterator[Value]:
    yield from _results(before)
    if block is None:
        return
    yield from reversed(block.arguments)
    for other in reversed(_dominating(block)):
        yield from _results(other.operations)
        yield from reversed(other.arguments)


def _dominating(block: Block) -> list[Block]:
    """Return the entry block, the only one that is certain to dominate `block`; empty if `block` is it."""
    first = block.region.blocks[0]
    return [first] if first is not block else []


def _results(operations: Sequence[Operation]) -> Iterator[Value]:
    for operation in reversed(operations):
        yield from operation.results


def _consumers(site: Site, handles: set[int]) -> dict[int, Operation]:
    """Return for each of `handles` (identities) the first operation before the cursor that made it stale, if any."""
    consumers: dict[int, Operation] = {}
    consuming: dict[int, bool] = {}
    stale = stale_handles(site.context)
    for earlier in _earlier(site):
        for inner in earlier.walk():
            definition = inner.definition
            if id(definition) not in consuming:
                consuming[id(definition)] = _may_consume(definition)
            if not consuming[id(definition)]:
                continue
            for value in (*site.context.effects.consumed_operands(inner), *stale.made_by.get(inner, ())):
                if id(value) in handles:
                    consumers.setdefault(id(value), earlier)
    return consumers


def _may_consume(definition: OperationDefinition | None) -> bool:
    if definition is None:
        return False
    if definition.effect_source is not EffectSource.FIXED:
        return True
    return any(operand.effect is HandleEffect.CONSUMES or operand.effect_when for operand in definition.operands)


def _earlier(site: Site) -> Iterator[Operation]:
    """Yield the operations that are certain to be executed before the cursor is reached, outer ones first."""
    levels: list[Sequence[Operation]] = [_finished(site), *_entry_operations(site.block)]
    operation = site.enclosing
    while operation is not None and operation.block is not None and not is_isolated(operation):
        levels += [operation.block.operations[: operation.index], *_entry_operations(operation.block)]
        operation = operation.parent
    for level in reversed(levels):
        yield from level


def _entry_operations(block: Block | None) -> list[Sequence[Operation]]:
    return [entry.operations for entry in _dominating(block)] if block is not None else []
