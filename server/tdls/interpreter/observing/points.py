"""The points of a script between two steps of the interpreter, with the handles that are defined at each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.matchers import matcher_names
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Block, Operation
    from tdls.text.span import FileSpan, Span

_STEP = "TransformOpInterface"
_STEPS = (_STEP, "MatchOpInterface", "IsTerminator")
"""Traits of operations that may be in executed regions."""
_BODIES = ("FunctionOpInterface", "RegionBranchOpInterface")
"""Interfaces of transform operations that execute their regions."""
_TERMINATOR = "IsTerminator"


class Handle(NamedTuple):
    """A handle: its span where it is defined, its result number and its spelling (``%a#1``), and its type without
    aliases.
    """

    span: FileSpan
    number: int | None
    shown: str
    type: str
    kind: HandleKind


class Point(Struct, frozen=True):
    """A point of a `script` that the interpreter passes; all positions are offsets in its text.

    `offset` is where inserted text would be executed. `handles` are new at the point: results of the operation at
    `behind`, or arguments of the block that begins there. `following` is the name of the operation that is executed
    next; at the end of a block without terminator, it is the parent operation.
    """

    script: Script
    offset: int
    handles: tuple[Handle, ...]
    behind: FileSpan | None
    following: int
    is_last: bool
    """True if a terminator comes next, written or implicit."""
    may_be_last: bool
    """True if an unknown operation comes next that ends the block, so that it may be a terminator."""
    region: FileSpan
    """The region of the point, including braces."""
    around: FileSpan
    """The operation that owns the region."""
    owner: int
    """Offset of that operation's name."""


def steps_of(*scripts: Script) -> list[Point]:
    """Return the points of a run's scripts in text order. Never raises; parses only sections that may have scripts.

    Left out are regions whose operations the interpreter does not execute as steps (patterns, conversions), and
    matchers: only match operations may be in them.
    """
    matchers = matcher_names(*(script.file for script in scripts))
    points: list[Point] = []
    for script in scripts:
        own: list[Point] = []
        for context in script.file.contexts:
            if mentions_transform(context.section):
                for block in _bodies(context.model.operations, matchers):
                    own.extend(_PointReader(script, context).points(block))
        points += sorted(own, key=lambda point: point.offset)
    return points


def _bodies(operations: list[Operation], matchers: frozenset[str]) -> Iterator[Block]:
    """Yield the blocks that the interpreter executes operation by operation."""
    for operation in operations:
        if symbol_name(operation) in matchers:
            continue
        executes = operation.has_trait(_STEP) and any(map(operation.has_trait, _BODIES))
        for block in operation.blocks():
            if executes and all(
                each.definition is None or any(map(each.has_trait, _STEPS)) for each in block.operations
            ):
                yield block
            yield from _bodies(block.operations, matchers)


class _PointReader:
    def __init__(self, script: Script, context: Context) -> None:
        self._script = script
        self._context = context

    def points(self, block: Block) -> Iterator[Point]:
        """Yield the points of `block`: its beginning, and the ends of its operations."""
        before: Operation | None = None
        for operation in block.operations:
            yield self._point(block, before, operation)
            before = operation
        if before is None or not (before.has_trait(_TERMINATOR) or before.definition is None):
            yield self._point(block, before, None)

    def _point(self, block: Block, before: Operation | None, following: Operation | None) -> Point:
        around = block.region.parent
        values = before.results if before is not None else block.arguments
        return Point(
            script=self._script,
            offset=self._offset(block, before, following),
            handles=tuple(
                Handle(self._span(value.span), value.number, value.shown, value.type, kind)
                for value in values
                if value.type is not None and value.name and (kind := kind_of(self._script.catalogue, value.type))
            ),
            behind=self._span(before.span) if before is not None else None,
            following=self._span((following or around).location).start,
            is_last=following is None or following.has_trait(_TERMINATOR),
            may_be_last=following is not None and following.definition is None and following is block.operations[-1],
            region=self._span(block.region.syntax.span),
            around=self._span(around.span),
            owner=self._span(around.location).start,
        )

    def _offset(self, block: Block, before: Operation | None, following: Operation | None) -> int:
        if before is not None:
            return self._span(before.span).end
        if following is not None:
            return self._span(following.span).start
        if block.syntax is block.region.syntax.blocks[-1]:
            return self._span(block.region.syntax.span).end - 1
        return self._span(block.syntax.span).end

    def _span(self, span: Span) -> FileSpan:
        return self._context.to_file(span)


def stop_at(points: Sequence[Point], offset: int) -> int | None:
    """Return the index of the point behind the operation that contains `offset`, ends there, or comes next.

    Of nested operations it is the innermost one whose siblings the interpreter executes one by one. Before a
    terminator, the run stops there; in the head of a sequence, before its terminator. None where nothing is executed.
    `points` are those of one text.
    """
    here = [index for index, point in enumerate(points) if _is_in(offset, point.region)]
    if here:
        innermost = points[max(here, key=lambda index: points[index].region.start)].region
        return _in_block(points, [index for index in here if points[index].region == innermost], offset)
    outer = [index for index, point in enumerate(points) if _is_in(offset, point.around)]
    return next((index for index in outer if points[index].is_last), None)


def outermost(points: Sequence[Point], offset: int) -> int:
    """Return the offset of the outermost executing operation around `offset`; `points` are those of one text."""
    return min(point.around.start for point in points if point.around.start <= offset < point.around.end)


def _in_block(points: Sequence[Point], block: list[int], offset: int) -> int | None:
    for index in block:
        behind = points[index].behind
        if behind is not None and offset <= behind.end:
            return index
    return next((index for index in reversed(block) if points[index].is_last), None)


def _is_in(offset: int, span: FileSpan) -> bool:
    return span.start <= offset < span.end
