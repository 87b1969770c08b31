"""The rule `argument-effect-attributes`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD203",
    name="argument-effect-attributes",
    level=Level.ERROR,
    summary="An argument of a named sequence does not say, or says wrongly, what happens to it",
    documentation="""\
An argument of a named sequence carries `transform.consumed` or `transform.readonly`. Callers are
checked against this promise without reading the body, so a body that consumes an argument marked
`transform.readonly` would leave its callers with dead handles.

A sequence without a body must have one of the two on every argument. One with a body must mark what
the body consumes as `transform.consumed`, and nothing may carry both.

**Fix:** mark the argument `transform.consumed` when an operation of the body consumes it, and
`transform.readonly` otherwise.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.readonly}) {
    transform.loop.unroll %loop { factor = 4 } : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop { factor = 4 } : !transform.any_op
    transform.yield
  }
}
""",
)
