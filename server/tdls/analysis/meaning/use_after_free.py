"""Uses of a handle after it may have been freed, as the pass `transform-dialect-check-uses` finds them.

The analysis is that of `TransformOpMemFreeAnalysis` (mlir/lib/Dialect/Transform/Transforms/CheckUses.cpp): a value is
allocated where it is defined and never again; an operation frees a value if it, or an operation nested in it, consumes
it; a use is reported if such an operation lies on some path from the definition to the use.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from tdls.limits import NOTES
from tdls.structs import Struct
from tdls.syntax.sections.facts import Fact
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.effects import EffectAnalysis
    from tdls.semantic.model import Block, Model, Operation, Region, Value
    from tdls.semantic.reachability import BlockSet, Reachability


class UseAfterFree(Struct, frozen=True):
    """A use of operand number `operand` of `operation` that may come after `deleters` freed `value`."""

    operation: Operation
    operand: int
    value: Value
    deleters: tuple[Operation, ...]


class UseAfterFreeAnalysis:
    """Finds uses after free in one model."""

    def __init__(self, model: Model, effects: EffectAnalysis, reachability: Reachability) -> None:
        self._model = model
        self._effects = effects
        self._reachability = reachability

    def findings(self) -> Iterator[UseAfterFree]:
        """Yield the findings in text order."""
        if not self._freed_by:
            return
        for operation in self._model.walk():
            for number, value in enumerate(operation.operands):
                if value is None or value not in self._freed_by:
                    continue
                deleters = self._deleters(operation, value)
                if deleters:
                    yield UseAfterFree(operation, number, value, deleters)

    def freed_before(self, value: Value, operation: Operation) -> tuple[Operation, ...]:
        """Return operations that may free `value` between its definition and `operation`, which need not use it."""
        return self._deleters(operation, value) if value in self._freed_by else ()

    @cached_property
    def _freed_by(self) -> dict[Value, _Deleters]:
        """For each value, the operations that free it themselves or by a nested operation."""
        freed_by: dict[Value, dict[int, Operation]] = {}
        for operation in self._model.operations:
            self._collect(operation, None, freed_by)
        return {value: _Deleters(operations.values()) for value, operations in freed_by.items()}

    def _collect(
        self, operation: Operation, root: Operation | None, freed_by: dict[Value, dict[int, Operation]]
    ) -> None:
        """Record the values freed by `operation`; `root` is the outermost transform operation around it, if any."""
        if root is None and operation.has_trait("TransformOpInterface"):
            root = operation
        if root is not None:
            for value in self._effects.consumed_operands(operation):
                _record(freed_by.setdefault(value, {}), operation, root)
        for block in operation.blocks():
            for nested in block.operations:
                self._collect(nested, root, freed_by)

    def _deleters(self, user: Operation, value: Value) -> tuple[Operation, ...]:
        """Return operations that may free `value` between its definition and `user`, searching outer regions first."""
        deleters = self._freed_by[value]
        definition_block = value.owner_block
        chain = _ancestors_up_to(user, definition_block)
        for ancestor in chain:
            outermost = ancestor is chain[0]
            partial = outermost and value.operation is not None
            deleting = self._before(ancestor, value, deleters, partial=partial)
            if deleting:
                return deleting
            block = ancestor.block
            if block is None:
                continue
            start = definition_block if outermost and definition_block is not None else block.region.blocks[0]
            deleting = self._on_paths(start, block, deleters, include_start=not partial)
            if deleting:
                return deleting
        return ()

    def _before(
        self, ancestor: Operation, value: Value, deleters: _Deleters, *, partial: bool
    ) -> tuple[Operation, ...]:
        """Return deleters in the block of `ancestor` before it, or behind the definition if `partial`."""
        same_block = ancestor.block is value.owner_block
        if partial and value.operation is not None:
            deleting = deleters.first_between(value.operation, ancestor if same_block else None)
            if deleting or same_block:
                return deleting
        return deleters.last_before(ancestor)

    def _on_paths(self, start: Block, end: Block, deleters: _Deleters, *, include_start: bool) -> tuple[Operation, ...]:
        """Return deleters in all blocks on paths from `start` to `end`; `end` itself counts if it is on a cycle."""
        if len(end.region.blocks) == 1 and not end.successors:
            return ()
        if not self._reachability.reaches(start, end):
            return ()
        between = self._reachability.between(start, end)
        if include_start:
            between |= 1 << start.index
        return deleters.in_blocks(end.region, between)


@Fact
def use_after_free_of(context: Context) -> UseAfterFreeAnalysis:
    """Return the use-after-free analysis of a section."""
    return UseAfterFreeAnalysis(context.model, context.effects, context.reachability)


class _Deleters:
    """The operations that free one value, by their blocks."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_block: dict[int, list[Operation]] = {}
        self._blocks: dict[int, BlockSet] = {}
        """The blocks of each region with a deleter, by the identity of the region."""
        for operation in operations:
            self._by_block.setdefault(id(operation.block), []).append(operation)
        for siblings in self._by_block.values():
            siblings.sort(key=_index)
            block = siblings[0].block
            if block is not None:
                self._blocks[id(block.region)] = self._blocks.get(id(block.region), 0) | 1 << block.index

    def first_between(self, begin: Operation, end: Operation | None) -> tuple[Operation, ...]:
        """Return the first deleter behind `begin` in its block, if it is before `end`."""
        siblings = self._by_block.get(id(begin.block), [])
        place = bisect_right(siblings, begin.index, key=_index)
        first = siblings[place : place + 1]
        return tuple(deleter for deleter in first if end is None or deleter.index < end.index)

    def last_before(self, end: Operation) -> tuple[Operation, ...]:
        """Return the last deleter before `end` in its block."""
        siblings = self._by_block.get(id(end.block), [])
        place = bisect_left(siblings, end.index, key=_index)
        return tuple(siblings[max(0, place - 1) : place])

    def in_blocks(self, region: Region, blocks: BlockSet) -> tuple[Operation, ...]:
        """Return the deleters in some blocks of a region, in text order; at most `NOTES` of them."""
        operations: list[Operation] = []
        left = blocks & self._blocks.get(id(region), 0)
        while left and len(operations) < NOTES.most:
            lowest = left & -left
            left ^= lowest
            operations += self._by_block[id(region.blocks[lowest.bit_length() - 1])]
        return tuple(operations[: NOTES.most])


def _index(operation: Operation) -> int:
    return operation.index


def _record(deleters: dict[int, Operation], operation: Operation, root: Operation) -> None:
    current: Operation | None = operation
    while current is not None:
        deleters[id(current)] = current
        if current is root:
            return
        current = current.parent


def _ancestors_up_to(user: Operation, block: Block | None) -> list[Operation]:
    """Return `user` and its ancestors up to the region of `block`, outermost first."""
    chain = [user]
    while chain[-1].block is not None and (block is None or chain[-1].block.region is not block.region):
        parent = chain[-1].parent
        if parent is None:
            break
        chain.append(parent)
    return chain[::-1]
