"""The rule `unmet-condition`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.evaluation.payload_run import ShortfallKind
from tdls.analysis.rule import Rule
from tdls.analysis.rules.handles.empty_handle import about_shortfalls
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report searches that may have no result, and have none in the payload of the script."""
    return about_shortfalls(context, RULE, frozenset({ShortfallKind.UNMET}))


RULE: Final = Rule(
    code="TD310",
    name="unmet-condition",
    level=Level.HINT,
    summary="An optional search finds nothing in the payload of the script",
    documentation="""\
The payload stands in the same part of the file as the script, or in the one file that a comment
`// tdls: payload=FILE` a `RUN:` line or the setting `payload` names, or that an editor has the script
run on. It is followed through the script as far as the effect of each operation on it is known. No
matcher of a `transform.foreach_match` accepts anything there, so that no action is run, or a
`transform.get_parent_op` that allows empty results finds no parent. That may well be meant: it is a
hint. See `empty-handle` for empty handles that are hardly meant, and for called sequences.

**Fix:** require operations that the payload has.
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
    %outer = transform.get_parent_op %matmul {allow_empty_results, op_name = "scf.for"}
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %outer "outer" : !transform.any_op
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
    %outer = transform.get_parent_op %matmul {allow_empty_results, op_name = "func.func"}
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %outer "outer" : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
)
