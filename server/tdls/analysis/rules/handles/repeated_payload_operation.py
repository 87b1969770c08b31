"""The rule `repeated-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import repetition
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report consumed handles that hold a payload operation more than once."""
    for found in handle_findings(context).repeated:
        if found.is_certain:
            yield repetition(context, found, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD304",
    name="repeated-payload-operation",
    level=Level.WARNING,
    summary="A consumed handle holds a payload operation more than once",
    documentation="""\
An operation that consumes a handle with a payload operation in it twice would rewrite or erase that
twice. The interpreter refuses to do that: the script fails with a silenceable error. So it does where
the handle holds an operation before another one that is nested in it, which goes with the first.

**Fix:** let the operation that makes the handle deduplicate, use one of the handles, or merge the inner
operations before the outer ones.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %matmul, %matmul : !transform.any_op
    %generic = transform.structured.generalize %both : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles deduplicate %matmul, %matmul : !transform.any_op
    %generic = transform.structured.generalize %both : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    ranks_fixes=True,
    shows_when_run=True,
    fix=FixKind.UNSAFE,
)
