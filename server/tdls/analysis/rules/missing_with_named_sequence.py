"""The rule `missing-with-named-sequence`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD202",
    name="missing-with-named-sequence",
    level=Level.ERROR,
    summary="A named sequence stands in a module that is not marked for it",
    documentation="""\
`transform.named_sequence` is allowed only in an operation with the attribute
`transform.with_named_sequence`. The attribute tells MLIR to verify the module as a transform
library.

**Fix:** write `module attributes {transform.with_named_sequence} {`.
""",
    example_bad="""\
module {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
""",
)
