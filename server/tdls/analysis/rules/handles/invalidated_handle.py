"""The rule `invalidated-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import invalid_use
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report uses of handles that were invalidated through another handle."""
    for use in handle_findings(context).invalid:
        if use.is_certain:
            yield invalid_use(context, use, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD302",
    name="invalidated-handle",
    level=Level.WARNING,
    summary="A handle is used after its payload was consumed through another handle",
    documentation="""\
An operation that consumes a handle makes every handle invalid that stands for one of the same payload
operations, or for one nested in them: handles to the loops inside of a loop that was unrolled, to a part
of merged handles, to operations found in a function that was rewritten. The interpreter stops at the
next use of such a handle, or crashes where its checks are compiled out.

The rule follows the payload of handles through casts, parts and unions, navigation, loops around tiled
operations, and bodies. It takes for granted that the handles stand for something: a handle to nothing
does no harm. Possible cases are reported as `possibly-invalidated-handle`.

**Fix:** use the handle before the other one is consumed, take a handle that the consuming operation
returns, or match the payload again.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %loops#0 { factor = 2 } : !transform.any_op
    transform.loop.unroll %loops#1 { factor = 2 } : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %loops#1 { factor = 2 } : !transform.any_op
    transform.loop.unroll %loops#0 { factor = 2 } : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    ranks_fixes=True,
    shows_when_run=True,
    holds_for_any_definition=True,
)
