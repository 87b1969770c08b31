"""Values in scope at a cursor, each with the operation that consumed it before the cursor, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.findings import stale_handles
from tdls.catalogue.model import EffectSource, HandleEffect
from tdls.ide.completion.site import site_at
from tdls.ide.runs.labels import label_of
from tdls.ide.snapshot import Location
from tdls.semantic.handle_types import interfaces_of, kind_by
from tdls.semantic.resolver import is_isolated
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.completion.site import Site
    from tdls.ide.snapshot import Snapshot
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


class HandleInReach(Struct, frozen=True):
    """A handle in scope; `consumer` is the location of an operation before that consumes it, None if it is live.

    `contents` is a short label of its contents in the last run, "" if unknown.
    """

    name: str
    type: str
    location: Location
    consumer: Location | None
    contents: str


def handles_in_reach(snapshot: Snapshot, uri: str, offset: int) -> list[HandleInReach]:
    """Return the handles and parameters in scope at `offset` of a file, in textual order."""
    file = snapshot.file(uri)
    if file is None:
        return []
    site = site_at(file, offset)
    visible = reversed(visible_values(site))
    handles = (_handle(snapshot, uri, site.context, value) for value in visible)
    return [handle for handle in handles if handle is not None]


def _handle(snapshot: Snapshot, uri: str, context: Context, visible: VisibleValue) -> HandleInReach | None:
    value = visible.value
    if value.type is None or not _is_of_script(context, value.type):
        return None
    marks = snapshot.marks.get(uri)
    span = context.to_file(value.span)
    mark = marks.handle_at(span.start) if marks is not None else None
    consumer = visible.consumer
    place = Location(uri, context.to_file(consumer.location)) if consumer is not None else None
    contents = label_of(mark, value.number) if mark is not None else ""
    return HandleInReach(value.shown, value.type, Location(uri, span), place, contents)


def _is_of_script(context: Context, type_text: str) -> bool:
    """Return whether values of a type are handles or parameters; an unknown type is judged by its dialect."""
    interfaces = interfaces_of(context.file.catalogue, type_text)
    return kind_by(interfaces) is not None if interfaces is not None else is_transform_name(type_text.removeprefix("!"))
