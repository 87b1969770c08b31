"""The rule `use-after-free`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD301",
    name="use-after-free",
    level=Level.WARNING,
    summary="A handle may be used after an operation consumed it",
    documentation="""\
A handle stands for operations of the payload. An operation that rewrites or erases them consumes
the handle: from then on it stands for nothing, and using it makes the interpreter stop, or crash
where its checks are compiled out. The message points at the use; the notes say where the handle was
made and where it was consumed.

The rule follows values through regions, branches and loops, as the pass
`transform-dialect-check-uses` does: a use counts when some path leads from the consuming operation
to it.

**Fix:** use the handle before it is consumed, take the new handle that the consuming operation
returns, or match the payload again.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled : !transform.any_op
    transform.yield
  }
}
""",
)
