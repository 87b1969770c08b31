"""The rule `yielded-values`."""

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
    """Report bodies whose yielded values differ from the results of the operation around them."""
    for operation in operations:
        for check in verifier_of(operation).yielded:
            for found in check(context, operation):
                yield found.finding(RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD218",
    name="yielded-values",
    level=Level.ERROR,
    summary="A body yields other values than the operation around it has results",
    documentation="""\
The operands of `transform.yield` become the results of the operation around it, so the two have to agree
in number and type: those of a `transform.named_sequence` stand behind the `->` of its signature, those
of a `transform.foreach` or `transform.sequence` behind its own.

**Fix:** yield the values of the signature, or change the signature.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @parent(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @parent(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield %op : !transform.any_op
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
)
