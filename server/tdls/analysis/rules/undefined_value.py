"""The rule `undefined-value`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD101",
    name="undefined-value",
    level=Level.ERROR,
    summary="A value is used that nothing defines",
    documentation="""\
Every `%name` must be the result of an operation or an argument of a block that encloses the use.
Values do not cross into regions that are isolated from above: the body of a
`transform.named_sequence` or of a `func.func` sees nothing from outside.

**Fix:** correct the name, define the value, or hand it over as an argument. Of an operation with
several results `%name:2`, the single ones are `%name#0` and `%name#1`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 4 } : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loops { factor = 4 } : !transform.any_op
    transform.yield
  }
}
""",
)
