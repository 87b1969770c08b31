"""The rule `possibly-invalidated-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import invalid_use
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report uses of handles that may have been invalidated through another handle."""
    for use in handle_findings(context).invalid:
        if not use.is_certain:
            yield invalid_use(context, use, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD303",
    name="possibly-invalidated-handle",
    level=Level.HINT,
    summary="A handle may be used after its payload was consumed through another handle",
    documentation="""\
Whether two handles stand for the same payload operations, or one for operations nested in those of the
other, depends on the payload where both come from matches. Then a use is possibly wrong after the other
handle was consumed. So are yielded handles: the interpreter does not check that, but may crash of it.
Operands of an operation that C++ parses are assumed to stand in the order of its definition, unless a
catalogue file gives their order (`operand_order`). See `invalidated-handle` for what is certain.

**Fix:** match operations nested in the consumed handle only afterwards, match in a narrower scope, or
use the handle before the other one is consumed.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 2 } : !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 2 } : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    ranks_fixes=True,
    fix=FixKind.UNSAFE,
    shows_when_run=True,
    holds_for_any_definition=True,
)
