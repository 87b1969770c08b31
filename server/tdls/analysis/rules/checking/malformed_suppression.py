"""The rule `malformed-suppression`; `suppression/silencing.py` reports it."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD903",
    name="malformed-suppression",
    level=Level.WARNING,
    summary="A comment is meant to silence a rule and is not written as such comments are",
    documentation="""\
The comments that silence rules are

- `// tdls: ignore[rule]` behind code for its line, or alone in a line for the next line of code,
- `// tdls: ignore-begin[rule]` and `// tdls: ignore-end[rule]` for all lines from the one to the other,
- `// tdls: ignore-file[rule]` for the whole file.

They name the rules that they silence, several with commas between them; none silences everything.
A reason may follow behind the brackets: `// tdls: ignore[rule]: the payload has one loop only`.

**Fix:** write the comment in one of these ways. To leave a whole file out, `exclude` it in `tdls.toml`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "my.seen" : !transform.any_op  // tdls: ignore
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "my.seen" : !transform.any_op
    transform.yield
  }
}
""",
    is_silent=True,
)
