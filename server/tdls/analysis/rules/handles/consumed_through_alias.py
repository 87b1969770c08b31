"""The rule `consumed-through-alias`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import READONLY
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.meaning.sequences import marks_of
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.handle_state import Cause
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report the consumption, through another handle, of operations that an argument marked as read only holds."""
    for sequence in sequences:
        signature, body = sequence.syntax.signature, sequence.body
        is_called = symbol_name(sequence) != ENTRY_POINT
        if signature is None or body is None or not is_called:
            continue
        for argument, value in zip(signature.arguments, body.arguments, strict=False):
            cause = handle_findings(context).cause_at_end(value)
            if marks_of(argument) == {READONLY} and cause is not None and cause.consumed is not value:
                yield _finding(argument, cause)


def _finding(argument: BlockArgument, cause: Cause) -> Finding:
    consumer, consumed = cause.consumer, cause.consumed
    return Finding(
        RULE.name,
        RULE.level,
        f"`{consumed.shown}`, which is consumed here, stands for operations of `{argument.name}`, an argument that is "
        f"marked `{READONLY}`",
        consumer.syntax.operands[cause.operand].span,
        (SectionNote(f"`{argument.name}` is marked here", argument.span),),
        "mark the argument as consumed, and consume it itself: callers go on with a handle that stands for nothing",
    )


RULE: Final = Rule(
    code="TD307",
    name="consumed-through-alias",
    level=Level.HINT,
    summary="An argument that is marked as read only is consumed through another handle to the same",
    documentation="""\
Callers of a named sequence go on with the handles that it only reads. MLIR checks this promise for the
argument itself, and not for other handles to the same operations, such as one that `transform.cast`
made. At run time the interpreter looks at the handles of the sequence that it executes, so that the
caller's handle is silently empty from then on, and operations on it do nothing.

**Fix:** mark the argument `transform.consumed`, and consume it itself.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @generalize(%matmul: !transform.any_op {transform.readonly}) {
    %typed = transform.cast %matmul : !transform.any_op to !transform.op<"linalg.matmul">
    %generic = transform.structured.generalize %typed
        : (!transform.op<"linalg.matmul">) -> !transform.op<"linalg.generic">
    transform.annotate %generic "seen" : !transform.op<"linalg.generic">
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.include @generalize failures(propagate) (%matmul) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @generalize(%matmul: !transform.any_op {transform.consumed}) {
    %generic = transform.structured.generalize %matmul
        : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.annotate %generic "seen" : !transform.op<"linalg.generic">
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.include @generalize failures(propagate) (%matmul) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    check=check,
    looks_at=NAMED_SEQUENCE,
    is_silent=True,
)
