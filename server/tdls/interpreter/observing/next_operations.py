"""The operations behind the points of scripts: their names, operands, and consumed handles."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.prefilter import mentions_transform
from tdls.catalogue.model import HandleEffect
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Operation, Value

_HandleKey = tuple[str, int, "int | None"]
"""Name of the script, offset of the handle's name in its text, result number."""


class Consumed(NamedTuple):
    """Handle `number` of those that are new at `point` is consumed; only possibly if not `is_certain`."""

    point: int
    number: int
    is_certain: bool


class NextOperation(NamedTuple):
    """The operation behind a point: its name, and the name's length in the text in code points.

    `operands` and `consumed` refer to handles by the points at which they are new.
    """

    name: str
    length: int
    operands: tuple[tuple[int, int], ...]
    consumed: tuple[Consumed, ...]


def next_operations_of(points: Sequence[Point], *, is_end_unknown: bool = False) -> tuple[NextOperation | None, ...]:
    """Return the operation that is executed behind each of `points`.

    Returns None for terminators, written or implicit: they are not steps, and nothing in the region follows them. So no
    point tells that an unknown operation in their place has ended; it is left out unless `is_end_unknown`.
    """
    handles = {
        (point.script.name, handle.span.start, handle.number): (number, index)
        for number, point in enumerate(points)
        for index, handle in enumerate(point.handles)
    }
    operations = _operations(points)
    return tuple(
        _next_operation(*operations[point.script.name, point.following], point.script, handles)
        if not point.is_last and (is_end_unknown or not point.may_be_last)
        else None
        for point in points
    )


def _operations(points: Sequence[Point]) -> Mapping[tuple[str, int], tuple[Context, Operation]]:
    """Return the operations of the scripts of `points`, by script and offset of the name."""
    scripts = {point.script.name: point.script for point in points}
    return {
        (script.name, context.to_file(operation.location).start): (context, operation)
        for script in scripts.values()
        for context in script.file.contexts
        if mentions_transform(context.section)
        for operation in context.model.walk()
    }


def _next_operation(
    context: Context, operation: Operation, script: Script, handles: Mapping[_HandleKey, tuple[int, int]]
) -> NextOperation:
    def key(value: Value) -> tuple[int, int] | None:
        return handles.get((script.name, context.to_file(value.span).start, value.number))

    operands = dict.fromkeys(number for value in operation.operands if value and (number := key(value)))
    certain: dict[tuple[int, int], bool] = {}
    for value, is_certain in _taken(context, operation):
        if (number := key(value)) is not None:
            certain[number] = certain.get(number, False) or is_certain
    consumed = (Consumed(point, index, is_certain) for (point, index), is_certain in certain.items())
    return NextOperation(
        name=operation.name,
        length=operation.location.end - operation.location.start,
        operands=tuple(operands),
        consumed=tuple(consumed),
    )


def _taken(context: Context, operation: Operation) -> Iterator[tuple[Value, bool]]:
    """Yield the values that `operation` consumes, and whether that is certain."""
    effects = context.effects.effects(operation)
    for effect, value in effects:
        if effect in (HandleEffect.CONSUMES, HandleEffect.UNKNOWN):
            yield value, effect is HandleEffect.CONSUMES
    if operation.definition is None or operation.syntax.form is Form.STRUCTURAL:
        known = {value for _, value in effects}
        yield from ((value, False) for value in operation.operands if value is not None and value not in known)


def handles_in_scope(points: Sequence[Point], here: Point) -> list[Handle]:
    """Return the handles in scope at a point that are not certainly consumed before it, in their order."""
    scope = [
        (number, point)
        for number, point in enumerate(points)
        if point.offset <= here.offset and point.region.start < here.offset < point.region.end
    ]
    following = next_operations_of(points)
    consumed = {
        (each.point, each.number)
        for number, point in scope
        if point is not here and (operation := following[number]) is not None
        for each in operation.consumed
        if each.is_certain
    }
    return [handle for n, point in scope for index, handle in enumerate(point.handles) if (n, index) not in consumed]
