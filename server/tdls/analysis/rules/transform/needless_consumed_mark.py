"""The rule `needless-consumed-mark`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.meaning.sequences import marks_of
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import HandleEffect
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import BlockArgument


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report arguments marked as consumed that the body does not consume; MLIR warns of them, too."""
    for sequence in sequences:
        signature = sequence.syntax.signature
        body = sequence.body
        if signature is None or sequence.syntax.broken or body is None:
            continue
        for number, (argument, value) in enumerate(zip(signature.arguments, body.arguments, strict=False)):
            if marks_of(argument) == {CONSUMED} and _is_kept(context, value):
                yield _finding(number, argument)


def _is_kept(context: Context, value: Value) -> bool:
    """Whether the body is known not to consume `value`, itself or through another handle."""
    if handle_findings(context).may_be_invalid_at_end(value):
        return False
    return all(_reads(context, user, value) for user in context.users.get(value, ()))


def _reads(context: Context, user: Operation, value: Value) -> bool:
    """Whether `user` does not consume `value`; one that was read by its structure only may consume it."""
    effects = {effect for effect, other in context.effects.effects(user) if other is value}
    return bool(effects) and effects.isdisjoint({HandleEffect.CONSUMES, HandleEffect.UNKNOWN})


def _finding(number: int, argument: BlockArgument) -> Finding:
    mark = next(attribute for attribute in argument.attributes if attribute.name == CONSUMED)
    return Finding(
        RULE.name,
        RULE.level,
        f"argument #{number} is marked `{CONSUMED}`, but nothing in the body consumes it",
        mark.span,
        help=f"callers may go on using it if it is marked `{READONLY}`",
        fixes=(SectionFix(f"Mark the argument `{READONLY}`", (SectionEdit(mark.span, READONLY),)),),
    )


RULE: Final = Rule(
    code="TD207",
    name="needless-consumed-mark",
    level=Level.HINT,
    check=check,
    looks_at=NAMED_SEQUENCE,
    fix=FixKind.UNSAFE,
)
