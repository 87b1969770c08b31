"""Uses of a handle after it may have been freed, as the pass `transform-dialect-check-uses` finds them.

The analysis is that of `TransformOpMemFreeAnalysis` (mlir/lib/Dialect/Transform/Transforms/CheckUses.cpp): a value is
allocated where it is defined and never again; an operation frees a value if it, or an operation nested in it, consumes
it; a use is reported if such an operation lies on some path from the definition to the use.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.effects import EffectAnalysis
    from tdls.semantic.control_flow import Reachability
    from tdls.semantic.model import Block, Model, Operation, Value


@dataclass(frozen=True, slots=True)
class UseAfterFree:
    """Operand number `operand` of `operation` may be used after `deleters` freed it."""

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
        """Yield the findings in the order of the text."""
        if not self._freed_by:
            return
        for operation in self._model.walk():
            for number, value in enumerate(operation.operands):
                if value is None or id(value) not in self._freed_by:
                    continue
                deleters = self._deleters(operation, value)
                if deleters:
                    yield UseAfterFree(operation, number, value, deleters)

    def freed_before(self, value: Value, operation: Operation) -> tuple[Operation, ...]:
        """Return what may free `value` on a path from its definition to `operation`, which need not use it."""
        return self._deleters(operation, value) if id(value) in self._freed_by else ()

    @cached_property
    def _freed_by(self) -> dict[int, dict[int, Operation]]:
        """Operations that free a value themselves or by what is nested in them, by the value's identity."""
        freed_by: dict[int, dict[int, Operation]] = {}
        for operation in self._model.operations:
            self._collect(operation, None, freed_by)
        return freed_by

    def _collect(self, operation: Operation, root: Operation | None, freed_by: dict[int, dict[int, Operation]]) -> None:
        """Record what `operation` frees; `root` is the outermost transform operation around it, if any."""
        if root is None and _is_transform(operation):
            root = operation
        if root is not None:
            for value in self._effects.consumed_operands(operation):
                _record(freed_by.setdefault(id(value), {}), operation, root)
        for block in operation.blocks():
            for nested in block.operations:
                self._collect(nested, root, freed_by)

    def _deleters(self, user: Operation, value: Value) -> tuple[Operation, ...]:
        """Return what may free `value` between its definition and `user`, looking from the outermost region inwards."""
        deleters = self._freed_by[id(value)]
        definition_block = value.owner_block
        chain = _ancestors_up_to(user, definition_block)
        for ancestor in chain:
            outermost = ancestor is chain[0]
            partial = outermost and value.operation is not None
            found = self._before(ancestor, value, deleters, partial=partial)
            if found:
                return found
            block = ancestor.block
            if block is None:
                continue
            start = definition_block if outermost and definition_block is not None else block.region.blocks[0]
            found = self._on_paths(start, block, deleters, include_start=not partial)
            if found:
                return found
        return ()

    def _before(
        self, ancestor: Operation, value: Value, deleters: dict[int, Operation], *, partial: bool
    ) -> tuple[Operation, ...]:
        """Look at the straight line before `ancestor`, and behind the definition if it is in the same region."""
        same_block = ancestor.block is value.owner_block
        if partial and value.operation is not None:
            siblings = self._siblings(value.operation)
            end = ancestor.index if same_block else len(siblings)
            found = _first(siblings[value.operation.index + 1 : end], deleters)
            if found or same_block:
                return found
        return _first(self._siblings(ancestor)[: ancestor.index][::-1], deleters)

    def _siblings(self, operation: Operation) -> list[Operation]:
        return operation.block.operations if operation.block is not None else self._model.operations

    def _on_paths(
        self, start: Block, end: Block, deleters: dict[int, Operation], *, include_start: bool
    ) -> tuple[Operation, ...]:
        """Look at all blocks on paths from `start` to `end`; `end` itself counts if it is on a cycle."""
        sources = self._reachability.to_block(end)
        if id(start) not in sources:
            return ()
        between = {key: block for key, block in self._reachability.from_block(start).items() if key in sources}
        if include_start:
            between[id(start)] = start
        blocks = sorted(between.values(), key=lambda block: block.index)
        return tuple(operation for block in blocks for operation in block.operations if id(operation) in deleters)


def _record(deleters: dict[int, Operation], operation: Operation, root: Operation) -> None:
    current: Operation | None = operation
    while current is not None:
        deleters[id(current)] = current
        if current is root:
            return
        current = current.parent


def _first(operations: list[Operation], deleters: dict[int, Operation]) -> tuple[Operation, ...]:
    found = next((operation for operation in operations if id(operation) in deleters), None)
    return (found,) if found is not None else ()


def _ancestors_up_to(user: Operation, block: Block | None) -> list[Operation]:
    """Return `user` and its ancestors up to the region of `block`, outermost first."""
    chain = [user]
    while chain[-1].block is not None and (block is None or chain[-1].block.region is not block.region):
        parent = chain[-1].parent
        if parent is None:
            break
        chain.append(parent)
    return chain[::-1]


def _is_transform(operation: Operation) -> bool:
    """Tell whether the operation implements `TransformOpInterface`, as far as is known."""
    return operation.has_trait("TransformOpInterface")
