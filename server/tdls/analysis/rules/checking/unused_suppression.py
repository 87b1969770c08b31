"""The rule `unused-suppression`; `suppression/silencing.py` reports it after all other rules have run."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD901",
    name="unused-suppression",
    level=Level.WARNING,
    summary="A comment silences a rule that finds nothing there",
    documentation="""\
Such a comment says that something is wrong which is not, and it will hide the next mistake of its
kind. Most of them are left over from code that was put right.

A comment counts as used whether or not the settings select the silenced rule: rules that are off, and
findings that are only possible, are looked for all the same. In a file with errors nothing is said: more
may be found when they are put right.

**Fix:** remove the comment, or the name of the rule from its list.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "my.seen" : !transform.any_op  // tdls: ignore[use-after-free]: freed by a pass
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
    fix=FixKind.SAFE,
)
