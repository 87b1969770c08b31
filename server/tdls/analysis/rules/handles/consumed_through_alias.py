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
    check=check,
    looks_at=NAMED_SEQUENCE,
    is_silent=True,
)
