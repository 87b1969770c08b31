"""The rule `use-before-definition`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD103",
    name="use-before-definition",
    level=Level.ERROR,
    summary="A value is used where its definition has not run yet",
    documentation="""\
In a region with control flow a definition must dominate its uses: on every path to the use the
definition comes first. Order in the text is not enough: a value of one branch block does not exist
in the other. Regions that are graphs, such as the body of `builtin.module`, have no such order.

**Fix:** move the definition up, or pass the value on as a block argument.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %matmul "seen" : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %matmul "seen" : !transform.any_op
    transform.yield
  }
}
""",
)
