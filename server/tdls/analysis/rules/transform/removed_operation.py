"""The rule `removed-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform.not_in_target_llvm import absent_names
from tdls.settings.keys import LLVM_VERSIONS
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that the newest LLVM version lacks, in scripts without a target version."""
    if context.catalogue.target is None:
        yield from absent_names(context, LLVM_VERSIONS[-1], RULE)


RULE: Final = Rule(
    code="TD231",
    name="removed-operation",
    level=Level.HINT,
    summary="The newest LLVM version has no payload operation of this name",
    documentation="""\
The script looks for a payload operation that older LLVM versions have, and the newest one lacks. With
that version the search succeeds and finds nothing. `not-in-target-llvm` reports it as a warning for
scripts that are for such a version (setting `target-llvm`, option `--target-llvm`).

**Fix:** look for the operation that replaced it, which the message names where it is known; in scripts
for several versions, for both.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %add "seen" : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %add "seen" : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
)
