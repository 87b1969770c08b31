"""Which operation a place of a section stands in."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.semantic.model import Block, Model, Operation, Region


def operation_at(model: Model, offset: int) -> Operation | None:
    """Return the innermost operation whose text contains `offset` of the section, or ends there."""
    found = _containing(model.operations, offset)
    inner = found
    while inner is not None:
        found, inner = inner, _operation_in(inner, offset)
    return found


def _containing(operations: Sequence[Operation], offset: int) -> Operation | None:
    index = bisect_right(operations, offset, key=lambda operation: operation.span.start) - 1
    return operations[index] if index >= 0 and offset <= operations[index].span.end else None


def _operation_in(operation: Operation, offset: int) -> Operation | None:
    for region in operation.regions:
        if region.syntax.span.start <= offset < region.syntax.span.end:
            block = _block_in(region, offset)
            return _containing(block.operations, offset) if block is not None else None
    return None


def _block_in(region: Region, offset: int) -> Block | None:
    index = bisect_right(region.blocks, offset, key=lambda block: block.syntax.start) - 1
    return region.blocks[index] if index >= 0 else None
