"""The rule `dimension-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.findings import HeldNames, listed
from tdls.analysis.meaning.payload_names import integers_in, loops_of
from tdls.analysis.rule import Rule
from tdls.catalogue.model import LoopFit
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Level
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import LoopNumbers
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report sizes and dimensions that do not fit the loops of the held operations, if known from their names."""
    held = HeldNames(context)
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        for described in definition.attributes:
            attribute = operation.syntax.attribute(described.name) if described.per_loop is not None else None
            if described.per_loop is not None and attribute is not None:
                yield from _about(held, operation, attribute, described.per_loop)


def _about(
    held: HeldNames, operation: Operation, attribute: NamedAttribute, per_loop: LoopNumbers
) -> Iterator[Finding]:
    target = next(iter(operation.group(per_loop.operand)), None)
    names = held.of(target) if target is not None else None
    loops = loops_of(held.context.catalogue, names)
    is_index = per_loop.fit is LoopFit.INDEX
    message = _about_dimension(attribute, loops) if is_index else _about_sizes(per_loop.fit, attribute, loops)
    if names and message is not None:
        numbers = " or ".join(map(str, sorted(loops)))
        message = f"{listed(names)} has {numbers} loops, but {message}"
        yield Finding(RULE.name, RULE.level, message, attribute.span)


def _about_sizes(fit: LoopFit, attribute: NamedAttribute, loops: frozenset[int]) -> str | None:
    given = integers_in(attribute.value or "")
    if given is None or not loops or (fit is LoopFit.EACH_OR_NONE and not given):
        return None
    count = len(given)
    fits = count <= max(loops) if fit is LoopFit.AT_MOST else count in loops
    return (
        None if fits else f"{count or 'no'} size{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} given here"
    )


def _about_dimension(attribute: NamedAttribute, loops: frozenset[int]) -> str | None:
    number = integer((attribute.value or "").partition(":")[0].strip())
    if number is None or not loops or number < max(loops):
        return None
    return f"the dimension {number} is asked for, which counts from 0"


RULE: Final = Rule(
    code="TD211",
    name="dimension-count",
    level=Level.WARNING,
    summary="Sizes or a dimension do not fit the loops of the operation",
    documentation="""\
A structured operation has a loop for each of its dimensions: `linalg.matmul` has three. There can
be no more tile sizes than loops; packing and vectorizing need exactly one size for each; and a
dimension to be split is one of them, counted from 0. Otherwise the operation fails when the script
runs. Only operations whose name tells the number of loops are judged.

**Fix:** give a size for each loop; tiling leaves a dimension as it is where its size is 0.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    shows_when_run=True,
)
