"""The shape of a module as tdls parsed it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from oracle.structure import BlockShape, Definition, OperationShape, Scope
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.syntax.tree import Block, Operation, Region, Successor, Tree, ValueUse


def from_tree(tree: Tree) -> list[OperationShape]:
    """Return the shapes of the top-level operations of `tree`, uses resolved with MLIR's scopes."""
    return _Builder(tree).top_level()


class _Builder:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.operations = 0
        self.blocks = 0
        self.pending: list[tuple[OperationShape, Operation, Scope]] = []
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", tree.text))]

    def top_level(self) -> list[OperationShape]:
        scope = Scope()
        shapes = [self.operation(operation, scope, {}) for operation in self.tree.top_level()]
        for shape, operation, scope in self.pending:
            shape.operands = _resolved(operation.operands, scope)
            passed = (use for successor in operation.successors for use in successor.arguments)
            shape.successor_operands = _resolved(passed, scope)
        return shapes

    def operation(self, operation: Operation, scope: Scope, labels: dict[str, int]) -> OperationShape:
        shape = OperationShape(self.operations, operation.name, 0, place=self._place(operation))
        self.operations += 1
        for group in operation.results:
            scope.define(group.name, "result", shape.index, shape.results, group.count)
            shape.results += group.count
        shape.named_results = shape.results > 0
        if not shape.named_results and operation.result_types is not None:
            shape.results = len(operation.result_types)
        shape.exact = operation.form is not Form.STRUCTURAL
        shape.generic = operation.form is Form.GENERIC
        shape.successors = tuple(_block_number(successor, labels) for successor in operation.successors)
        self.pending.append((shape, operation, scope))
        shape.regions = [self._region(region, Scope(scope)) for region in operation.regions]
        return shape

    def _region(self, region: Region, scope: Scope) -> list[BlockShape]:
        labels = {block.label: number for number, block in enumerate(region.blocks) if block.label}
        return [self._block(block, scope, labels) for block in region.blocks]

    def _block(self, block: Block, scope: Scope, labels: dict[str, int]) -> BlockShape:
        shape = BlockShape(self.blocks, len(block.arguments))
        self.blocks += 1
        for number, argument in enumerate(block.arguments):
            scope.define(argument.name, "argument", shape.index, number)
        shape.operations = [self.operation(operation, scope, labels) for operation in block.operations]
        return shape

    def _place(self, operation: Operation) -> tuple[int, int]:
        start = operation.name_span.start
        line = bisect_right(self.line_starts, start) - 1
        return line, len(self.tree.text[self.line_starts[line] : start].encode()) + 1


def _block_number(successor: Successor, labels: dict[str, int]) -> int:
    return labels.get(successor.label, -1)


def _resolved(uses: Iterable[ValueUse], scope: Scope) -> tuple[Definition, ...]:
    return tuple(scope.resolve(use.name if use.number is None else f"{use.name}#{use.number}") for use in uses)
