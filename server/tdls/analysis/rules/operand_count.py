"""The rule `operand-count`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD104",
    name="operand-count",
    level=Level.ERROR,
    summary="An operation has too few or too many operands",
    documentation="""\
The operation takes another number of values than are given, or the number of values differs from
the number of types after the colon. In MLIR the script does not parse, or the verifier rejects it.

**Fix:** compare with `tdls catalogue show OP`, which lists operands by name and says which ones are
optional or may be repeated.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %parent = "transform.get_parent_op"() : () -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %parent = "transform.get_parent_op"(%root) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
)
