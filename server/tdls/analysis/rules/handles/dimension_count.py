"""The rule `dimension-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.evaluation.loops import misfit
from tdls.analysis.handles.evaluation.payload_run import ShortfallKind
from tdls.analysis.handles.findings import HeldNames, listed
from tdls.analysis.handles.passed_names import in_called
from tdls.analysis.meaning.payload_names import loops_of
from tdls.analysis.rule import Rule
from tdls.analysis.rules.handles.empty_handle import about_shortfalls
from tdls.syntax.tree import Form
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report sizes and dimensions that do not fit the loops of the held operations.

    The number of loops is that of all operations of a name, or that of the operations in the written payload.
    """
    held = HeldNames(context)
    by_name = [finding for operation in operations for finding in _by_name(held, operation)]
    by_name += in_called(held, operations, _by_name)
    yield from by_name
    reported = {finding.span for finding in by_name}
    of_payload = about_shortfalls(context, RULE, frozenset({ShortfallKind.LOOPS}))
    yield from (finding for finding in of_payload if finding.span not in reported)


def _by_name(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    definition = operation.definition
    if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
        return
    for described in definition.attributes:
        attribute = operation.syntax.attribute(described.name) if described.per_loop is not None else None
        if described.per_loop is None or attribute is None:
            continue
        target = next(iter(operation.group(described.per_loop.operand)), None)
        names = held.of(target) if target is not None else None
        loops = loops_of(held.context.catalogue, names)
        message = misfit(attribute, described.per_loop.fit, loops)
        if names and message is not None:
            numbers = " or ".join(map(str, sorted(loops)))
            message = f"{listed(names)} has {numbers} loops, but {message}"
            yield Finding(RULE.name, RULE.level, message, attribute.span)


RULE: Final = Rule(
    code="TD211",
    name="dimension-count",
    level=Level.WARNING,
    summary="Sizes or a dimension do not fit the loops of the operation",
    documentation="""\
A structured operation has a loop for each of its dimensions: `linalg.matmul` has three. There can be no
more tile sizes than loops; packing, vectorizing and interchanging need exactly one number for each; and
a dimension to be split is one of them, counted from 0. Otherwise the operation fails when the script
runs. The number of loops is known by name, or, as for `linalg.generic`, by the maps and types of the
operations in the payload in the script's file.

**Fix:** give a number for each loop; tiling leaves a dimension as it is where its size is 0.
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
