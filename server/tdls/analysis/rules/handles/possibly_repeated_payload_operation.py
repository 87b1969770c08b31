"""The rule `possibly-repeated-payload-operation`."""

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
    """Report consumed handles that may hold a payload operation more than once."""
    for found in handle_findings(context).repeated:
        if not found.is_certain:
            yield repetition(context, found, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD305",
    name="possibly-repeated-payload-operation",
    level=Level.HINT,
    summary="A consumed handle may hold a payload operation more than once",
    documentation="""\
The parents of two operations may be the same operation, and two handles that are merged may have
operations in common. An operation that consumes such a handle fails, but only with a payload that has
two of them. See `repeated-payload-operation` for certain cases.

**Fix:** let the operation that makes the handle deduplicate.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %function = transform.get_parent_op %matmul {op_name = "func.func"}
        : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %function
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %function = transform.get_parent_op %matmul {deduplicate, op_name = "func.func"}
        : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %function
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    ranks_fixes=True,
    shows_when_run=True,
    fix=FixKind.UNSAFE,
)
