"""The rule `type-mismatch`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD106",
    name="type-mismatch",
    level=Level.ERROR,
    summary="The type spelled at a use is not the type of the value",
    documentation="""\
A value has the type its definition gives it, and every later spelling has to repeat it: a handle
made as `!transform.op<"linalg.matmul">` is not an `!transform.any_op` two lines further down.

**Fix:** spell the type of the definition. To go from a specific handle type to a general one or
back, use `transform.cast`; the way back is checked when the script runs.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.annotate %matmul "seen" : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.annotate %matmul "seen" : !transform.op<"linalg.matmul">
    transform.yield
  }
}
""",
)
