"""The scripts of a section, and which of them get the payload root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def scripts_of(context: Context) -> Iterator[Operation]:
    """Yield named sequences, and operations of the dialect that stand outside of others of it."""
    todo = list(reversed(context.model.operations))
    while todo:
        operation = todo.pop()
        if is_transform_operation(operation):
            yield operation
        else:
            todo.extend(nested for block in operation.blocks() for nested in reversed(block.operations))


def is_applied_to_root(operation: Operation) -> bool:
    """Tell whether an operation outside of named sequences gets the payload root: it takes no handle of another one."""
    return not operation.operands and operation.has_trait("PossibleTopLevelTransformOpTrait")
