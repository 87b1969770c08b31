"""Operations of a written payload in text order, and those that MLIR adds to what is written.

The index of an operation in the list is its place (see `PlaceTree`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.names import STRUCTURED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.syntax.tree import Operation


_SCALAR_DIALECTS = frozenset({"arith", "complex", "math"})
_ENDS_WITH_YIELD = "SingleBlockImplicitTerminator<YieldOp>"
_ELEMENT = re.compile(r"(?:(?<![\w%.#@$-])|(?<=[0-9?*]x))(b?f[0-9]+|i[0-9]+|index|complex)(?=[>,)\s])", re.ASCII)
"""An element type, alone or behind dimensions."""
_OF_STRUCTURED_BODIES = frozenset({"linalg.index", "linalg.yield"})
"""Operations of unwritten structured bodies, in addition to those of `_SCALAR_DIALECTS`."""


class Use(NamedTuple):
    """A use of the result with index `result` by the operation with index `user`."""

    result: int
    user: int


class WrittenOperation(NamedTuple):
    """A written payload operation, in a list of all in text order; the first is the root."""

    name: str
    parent: int
    """The index of the operation around it; the root for operations in modules, which are not listed."""
    end: int
    """The index after the last operation in it."""
    has_more: bool = False
    """True if MLIR adds unlisted operations to it: a body, or terminators."""
    operands: tuple[int, ...] = ()
    """The indices of the operations that define its operands, without block arguments."""
    uses: tuple[Use, ...] = ()
    """The uses of its results, one for each operand."""
    is_made: bool = False
    """True if it is not written, but added by MLIR, so that its operands are not known."""


def is_of_scalars(name: str) -> bool:
    """Tell whether MLIR may add operations called `name` when it builds bodies of structured operations."""
    return name.partition(".")[0] in _SCALAR_DIALECTS or name in _OF_STRUCTURED_BODIES


def added_by_mlir(operation: Operation, text: str) -> tuple[str, ...]:
    """Return the names of the unwritten operations directly in an operation; () if not all of them are known."""
    end = _end_that_is_made(operation)
    body = _made_body(operation, text) if _has_unwritten_body(operation) else ()
    return (*body, *((end,) if end is not None else ())) if body is not None else ()


def _has_unwritten_body(operation: Operation) -> bool:
    """Tell whether an operation is a structured one whose body MLIR builds."""
    definition = operation.definition
    return definition is not None and STRUCTURED in definition.traits and not operation.regions


def _made_body(operation: Operation, text: str) -> tuple[str, ...] | None:
    """Return the names of the operations that MLIR puts in a body, without the terminator; None if not known."""
    definition = operation.definition
    if definition is None or definition.made_body is None or _end_that_is_made(operation) is None:
        return None
    elements = {found[1] for found in _ELEMENT.finditer(text, operation.span.start, operation.span.end)}
    is_one = len(elements) == 1 and next(iter(elements)).startswith(("f", "bf"))
    return definition.made_body if is_one else None


def hides_operations(operation: Operation, text: str) -> bool:
    """Tell whether MLIR adds operations to `operation` that are neither written nor in `added_by_mlir`."""
    definition = operation.definition
    if _has_unwritten_body(operation) and _made_body(operation, text) is not None:
        return False
    if definition is None or (definition.regions and not operation.regions):
        return True
    blocks = (block for region in operation.regions for block in region.blocks)
    return _end_that_is_made(operation) is None and any(not _ends(block.operations) for block in blocks)


def _end_that_is_made(operation: Operation) -> str | None:
    """Return the name of the terminator that MLIR adds to the only block of an operation; None if there is none."""
    definition = operation.definition
    if definition is None or _ENDS_WITH_YIELD not in definition.traits or len(definition.regions) != 1:
        return None
    blocks = [block for region in operation.regions for block in region.blocks]
    if (
        len(blocks) > 1
        or (blocks and _ends(blocks[0].operations))
        or (not blocks and STRUCTURED not in definition.traits)
    ):
        return None
    return f"{definition.dialect}.yield"


def _ends(operations: Sequence[Operation]) -> bool:
    """Tell whether the last of the operations of a block is a terminator, as far as is known."""
    definition = operations[-1].definition if operations else None
    return definition is not None and "IsTerminator" in definition.traits
