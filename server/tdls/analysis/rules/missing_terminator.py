"""The rule `missing-terminator`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD108",
    name="missing-terminator",
    level=Level.ERROR,
    summary="A block does not end with the operation that has to end it",
    documentation="""\
The body of a `transform.named_sequence` ends with `transform.yield`, that of a function with a
return, and so on for most operations with regions. Some, such as `transform.foreach`, add the
terminator themselves when it is left out and nothing has to be yielded; the others do not.

**Fix:** end the block with the terminator the message names.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "seen" : !transform.any_op
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "seen" : !transform.any_op
    transform.yield
  }
}
""",
)
