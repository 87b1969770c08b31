"""The rule `fails-when-run`."""

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
    """Report operations that no payload makes succeed, and as hints those that another tool has to complete first."""
    for operation in operations:
        verifier = verifier_of(operation)
        for check in verifier.crashes:
            yield from (wrong.finding(RULE.name, Level.ERROR) for wrong in check(context, operation))
        for check in verifier.fails:
            yield from (wrong.finding(RULE.name, RULE.level) for wrong in check(context, operation))
        for check in verifier.may_fail:
            yield from (wrong.finding(RULE.name, Level.HINT) for wrong in check(context, operation))


RULE: Final = Rule(
    code="TD228",
    name="fails-when-run",
    level=Level.WARNING,
    summary="An operation fails whatever the payload is",
    documentation="""\
MLIR accepts the operation when it reads the script, but its values fit no payload: an order of loops
that names a loop twice or not at all, an interval of 0 by which MLIR divides, more threads than MLIR
launches, a value of another type than the parameter that holds it. When the script runs, the
operation fails, some versions of MLIR crash, and some say nothing.

It is an error where the interpreter crashes in every version of MLIR that does not reject the script:
a payload operation such as `arith.constant` in a body that it executes (named sequences, `foreach`,
alternatives).

It is a hint where the script may be a form that another tool completes before it runs: the interpreter
refuses `transform.tune.knob` without `selected` value and `transform.tune.alternatives` without
`selected_region`, and no operand of `transform.smt.constrain_params` can be a `!transform.any_param`,
of which the solver does not know whether it is an integer.

**Fix:** give the attribute a value that fits, or select one.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %factor = transform.tune.knob<"factor"> options = [2, 4] -> !transform.param<i64>
    transform.annotate %root "my.factor" = %factor : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %factor = transform.tune.knob<"factor"> = 4 from options = [2, 4] -> !transform.param<i64>
    transform.annotate %root "my.factor" = %factor : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    shows_when_run=True,
)
