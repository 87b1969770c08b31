"""The rule `fails-on-payload`."""

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
    """Report operations that fail on the payload of the script."""
    return about_shortfalls(context, RULE, _FAILURES)


_FAILURES: Final = frozenset(ShortfallKind) - {ShortfallKind.EMPTY, ShortfallKind.UNMET, ShortfallKind.WRONG}


RULE: Final = Rule(
    code="TD309",
    name="fails-on-payload",
    level=Level.WARNING,
    summary="An operation fails on the payload of the script, which does not have what it requires",
    documentation="""\
The payload stands in the same part of the file as the script, or in the one file that a comment
`// tdls: payload=FILE` a `RUN:` line or the setting `payload` names, or that an editor has the script
run on. It is followed through the script as far as the effect of each operation on it is known. Here the
script requires something that the payload does not have, and fails: for a parent that nothing is in, for
the producer of a block argument, for an operand or a result that an operation does not have, for as many
handles as there are not operations, for a match in a handle that is empty or holds several, for a loop
over handles that hold different numbers of operations, for several results of one match without
`flatten_results`, or for `scf.forall` loops on a GPU that have no mapping to it or too many iterations. It
also fails where sizes or a dimension do not fit the loops of a payload operation, where it transforms
operations of another kind than it takes, where a loop or a structured operation does not have what its
transformation asks (a nest to coalesce, a constant trip count to unroll and jam, no results to convert,
tensors to pack or fuse, memrefs to lower to loops, ...), where a reduction cannot be split, where a value of
another type pads, and where it applies patterns, passes or alternatives to an operation around itself. A failure in a
called sequence is reported at the call. What fails on every payload is reported as `never-succeeds`.

Nothing is reported after operations with unknown effects on the payload, nor where `RUN:` lines change
it before the script runs.

**Fix:** require operations that the payload has. `transform.get_parent_op` returns an empty handle
instead of failing with `allow_empty_results`; `transform.split_handle` takes fewer operations with
`{fail_on_payload_too_small = false}`, and more with `{overflow_result = N}`.
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
    %loop = transform.get_parent_op %matmul {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %loop "around" : !transform.any_op
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
    %func = transform.get_parent_op %matmul {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %func "around" : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    shows_when_run=True,
)
