"""The rule `wrong-reduction`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.shortfalls import ShortfallKind
from tdls.analysis.rule import Rule
from tdls.analysis.rules.handles.finds_nothing import about_shortfalls
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report reductions of the payload that tiling changes."""
    return about_shortfalls(context, RULE, frozenset({ShortfallKind.WRONG}))


RULE: Final = Rule(
    code="TD311",
    name="wrong-reduction",
    level=Level.WARNING,
    summary="Tiling changes the result of a reduction",
    documentation="""\
The iterations of `scf.forall` may run at the same time. Tiles along a loop that is a reduction write to
the same elements of the result, so that sums are lost. MLIR tiles such a loop all the same, and only
warns ("tiling is not thread safe"). `transform.structured.fuse` moves the operation that initializes the
result, such as `linalg.fill`, into all loops: in one along a reduction, each step begins with the initial
value again, so that only the last one counts. MLIR does not warn of that. Which loops are reductions is
known by the names, the maps and the iterator types of the operations in the payload in the script's file.

**Fix:** give that loop the size 0, or one thread, and tile it with `transform.structured.tile_using_for`
afterwards; or split the reduction with `transform.structured.tile_reduction_using_forall`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %matmul tile_sizes [2, 2, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %matmul tile_sizes [2, 2, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    find=find,
    shows_when_run=True,
)
