"""The rule `empty-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.evaluation.payload_run import ShortfallKind
from tdls.analysis.handles.evaluation.running import evaluated
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import handle_count, impossible_match, unknown_payload_operation
from tdls.bounds.budget import OverBudget
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.evaluation.payload_run import Shortfall
    from tdls.text.span import Span


def find(context: Context) -> Iterator[Finding]:
    """Report what finds nothing in the payload that is written beside the script."""
    return about_shortfalls(context, RULE, frozenset({ShortfallKind.EMPTY}))


def about_shortfalls(context: Context, rule: Rule, kinds: frozenset[ShortfallKind]) -> Iterator[Finding]:
    """Yield what a rule says of shortfalls of some kinds, unless another rule says so whatever the payload is."""
    known = evaluated(context)
    if known.given_up is not None:
        raise OverBudget(known.given_up)
    shortfalls = [shortfall for shortfall in known.shortfalls if shortfall.kind in kinds]
    said = _said_otherwise(context) if shortfalls else frozenset()
    for shortfall in shortfalls:
        span, place = shortfall.operation.span, _place(shortfall)
        if not any(span.start <= other.start < span.end for other in said):
            yield Finding(rule.name, rule.level, shortfall.message, place, tuple(_notes(shortfall)), shortfall.help)


def _said_otherwise(context: Context) -> frozenset[Span]:
    """Return the places of findings that hold whatever the payload is."""
    others = (impossible_match, unknown_payload_operation, handle_count)
    return frozenset(finding.span for other in others for finding in other.find(context))


def _place(shortfall: Shortfall) -> Span:
    return shortfall.attribute.span if shortfall.attribute is not None else shortfall.operation.location


def _notes(shortfall: Shortfall) -> Iterator[SectionNote]:
    if shortfall.cause is not None:
        yield SectionNote(f"`{shortfall.cause.name}` is here", shortfall.cause.location)


RULE: Final = Rule(
    code="TD308",
    name="empty-handle",
    level=Level.WARNING,
    summary="What is looked for is not in the payload that is written beside the script",
    documentation="""\
The payload stands in the same part of the file as the script, or in the one file that a comment
`// tdls: payload=FILE` a `RUN:` line or the setting `payload` names, or that an editor has the script
run on. It is followed through the script as far as it is known what each operation makes of it. A
match, a selection or a matcher finds nothing there: no operation has the name, the interface, the
attribute or the type that is asked for, or none where it is looked for, or none any more after the
operations before. Then the handle is empty, and the rest of the script succeeds and does nothing.

Nothing is said after operations that may bring what is looked for, nor where `RUN:` lines change the
payload before the script runs. What no payload can have is reported as `impossible-match`.

**Fix:** look for what is there. After an operation that makes others of what a handle holds, take its
result, or look for what it makes.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
)
