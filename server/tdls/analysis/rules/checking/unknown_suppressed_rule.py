"""The rule `unknown-suppressed-rule`; `suppression/silencing.py` reports it."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD902",
    name="unknown-suppressed-rule",
    level=Level.WARNING,
    summary="A comment silences a rule that does not exist",
    documentation="""\
A name that is no rule's silences nothing: it is mistyped, or belongs to another tool or to another
version of tdls. `tdls explain` lists all rules; codes such as `TD301` do as well as names.

**Fix:** correct the name.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  // tdls: ignore-file[use-after-fre]
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "my.seen" : !transform.any_op
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
    fix=FixKind.UNSAFE,
)
