"""The rule `consumed-twice`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report handles that MLIR does not allow to be consumed more than once in a body."""
    for operation in operations:
        for check in verifier_of(operation).consumed:
            for found in check(context, operation):
                yield found.finding(RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD222",
    name="consumed-twice",
    level=Level.ERROR,
    summary="A handle is consumed more than once in a `transform.sequence`",
    documentation="""\
MLIR does not read a `transform.sequence` in which more than one operation consumes a handle, even if
only one of them is executed. A yield of the handle counts, too. In a `transform.named_sequence` only
what is executed matters.

**Fix:** go on with the results of the first operation, find the operations again, or write a named
sequence.
""",
    example_bad="""\
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.tune.alternatives<"factor"> selected_region = 0 {
    transform.loop.unroll %loop { factor = 4 } : !transform.any_op
    transform.yield
  }, {
    transform.loop.unroll %loop { factor = 8 } : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"factor"> selected_region = 0 {
      transform.loop.unroll %loop { factor = 4 } : !transform.any_op
      transform.yield
    }, {
      transform.loop.unroll %loop { factor = 8 } : !transform.any_op
      transform.yield
    }
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    holds_for_any_definition=True,
)
