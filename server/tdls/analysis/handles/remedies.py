"""What puts a use of an invalid handle right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.edits.own_lines import own_lines
from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.analysis.handles.successor import use_instead
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalid_uses import InvalidUse
    from tdls.semantic.model import Operation, Value


def remedies(context: Context, use: InvalidUse) -> tuple[SectionFix, ...]:
    """Return the fixes for `use`, the best first.

    That is the handle that took the place of the consumed one. Without one, a use that can be moved comes before
    finding the same again: that finds what is there then.
    """
    if use.successor is not None:
        return (use_instead(use.operation, use.operand, use.successor),)
    fixes = (_move_before(context, use), _make_later(context, use) or _make_again(context, use))
    return tuple(fix for fix in fixes if fix is not None)


def _make_later(context: Context, use: InvalidUse) -> SectionFix | None:
    """Move the operation that found the handle before its only use; None where it has others."""
    maker, operation, text = use.value.operation, use.operation, context.section.text
    if maker is None or not use.can_be_made_again or maker.block is not operation.block:
        return None
    own, place = own_lines(text, maker.span), own_lines(text, operation.span)
    if own is None or place is None or context.users.get(use.value) != [operation]:
        return None
    edits = (SectionEdit(own, ""), SectionEdit(Span(place.start, place.start), text[own.start : own.end]))
    return SectionFix(f"Find `{use.value.shown}` only here", edits)


def _make_again(context: Context, use: InvalidUse) -> SectionFix | None:
    """Repeat the operation that found the handle before the use; None if what it needs is invalid, too."""
    maker, value, text = use.value.operation, use.value, context.section.text
    start = use.operation.span.start
    indentation = text[text.rfind("\n", 0, start) + 1 : start]
    if maker is None or not use.can_be_made_again or indentation.strip():
        return None
    name = _new_name(value, context)
    definition = maker.syntax.results[0].span
    again = f"{name}{text[definition.end : maker.span.end]}\n{indentation}"
    places = [
        node.span
        for node, operand in zip(use.operation.syntax.operands, use.operation.operands, strict=True)
        if operand is value
    ]
    edits = (SectionEdit(Span(start, start), again), *(SectionEdit(place, name) for place in places))
    return SectionFix(f"Find `{value.shown}` again, as `{name}`", edits)


def _new_name(value: Value, context: Context) -> str:
    """Return a name that the section does not have; numbers cannot be extended."""
    base = f"{value.name}_again" if not value.name[1:].isdigit() else "%again"
    name, number = base, 2
    while name in context.value_names:
        name, number = f"{base}{number}", number + 1
    return name


def _move_before(context: Context, use: InvalidUse) -> SectionFix | None:
    """Move the operation that uses the handle before the one that consumes it; None if anything is in the way."""
    operation, consumer, text = use.operation, use.cause.consumer, context.section.text
    if operation.block is None or operation.block is not consumer.block or consumer.index >= operation.index:
        return None
    if operation.regions or operation.has_trait("IsTerminator") or not _can_precede(context, operation, consumer):
        return None
    own, place = own_lines(text, operation.span), own_lines(text, consumer.span)
    if own is None or place is None:
        return None
    edits = (SectionEdit(Span(place.start, place.start), text[own.start : own.end]), SectionEdit(own, ""))
    return SectionFix(f"Move it before `{consumer.name}`", edits)


def _can_precede(context: Context, operation: Operation, consumer: Operation) -> bool:
    """Tell whether `operation` consumes nothing, and needs nothing that is defined from `consumer` on."""
    operands = [value for value in operation.operands if value is not None]
    if any(context.effects.consumes(operation, value) for value in operands):
        return False
    makers = (value.operation for value in operands if value.operation is not None)
    return all(maker.block is not consumer.block or maker.index < consumer.index for maker in makers)
