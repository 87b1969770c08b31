"""The rule `recursive-sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report named sequences that call themselves, directly or through others."""
    for sequence in sequences:
        name = symbol_name(sequence)
        if sequence.syntax.broken or name is None:
            continue
        if sequence.parent is None and not (context.is_called(name) and context.may_call_itself(name)):
            continue
        call = _call_that_returns(context, sequence)
        if call is not None:
            message = f"the named sequence `@{name}` calls itself, which is not allowed"
            note = SectionNote(f"by this call `@{name}` is reached again", call.location)
            yield Finding(
                RULE.name, RULE.level, message, sequence.syntax.symbol_span or sequence.location, (note,), help=_HELP
            )


def _call_that_returns(context: Context, sequence: Operation) -> Operation | None:
    """Return a call in the body of `sequence` through which it is reached again."""
    for call in _calls(sequence):
        seen: set[int] = set()
        pending = [call]
        while pending:
            callee = context.effects.callee(pending.pop())
            if callee is None or id(callee) in seen:
                continue
            is_here = context.definition_of(callee).context.section is context.section
            if callee is sequence or (is_here and callee.span == sequence.span):
                return call
            seen.add(id(callee))
            context.budget.spend()
            pending += _calls(callee)
    return None


def _calls(sequence: Operation) -> list[Operation]:
    """Return the calls in the body, without operations that only pass operands to others."""
    calls = (operation for operation in sequence.walk() if operation.has_trait("CallOpInterface"))
    return [call for call in calls if not call.syntax.broken]


_HELP = "let a `transform.foreach` or a pass do what is to be repeated"


RULE: Final = Rule("recursive-sequence", check=check, holds_for_any_definition=True)
