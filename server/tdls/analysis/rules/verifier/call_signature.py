"""The rule `call-signature`."""

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
    """Report operations whose operands or results do not fit the named sequences that they refer to."""
    for operation in operations:
        for check in verifier_of(operation).calls:
            found = next(check(context, operation), None)
            if found is not None:
                yield found.finding(RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD220",
    name="call-signature",
    level=Level.ERROR,
    summary="An operation hands over or takes other values than the named sequence that it refers to",
    documentation="""\
`transform.include` has to have as many operands and results as the named sequence that it includes;
operands have the types of its arguments. The operands that `transform.collect_matching` and
`transform.foreach_match` pass to a matcher, the values that it yields for the action, and the results of
the action only have to be of the same kind: handles to operations, handles to values, or parameters. A
matcher consumes nothing.

**Fix:** pass the arguments that the sequence takes, or change the signature of the sequence.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%op: !transform.op<"func.func"> {transform.readonly}) {
    transform.annotate %op "seen" : !transform.op<"func.func">
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @mark failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%op: !transform.op<"func.func"> {transform.readonly}) {
    transform.annotate %op "seen" : !transform.op<"func.func">
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.op<"func.func">
    transform.include @mark failures(propagate) (%functions) : (!transform.op<"func.func">) -> ()
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
)
