"""Builds findings with notes and fixes from invalid uses and repeated consumptions of handles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.handles.invalid_uses import use_instead
from tdls.analysis.handles.sets import Nesting
from tdls.semantic.model import DEDUPLICATE
from tdls.semantic.symbols import root_of
from tdls.syntax.tree import Form
from tdls.text.scanning import after_blanks
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalid_uses import InvalidUse, RepeatedConsumption
    from tdls.analysis.handles.sets import Link
    from tdls.semantic.model import Operation
    from tdls.text.level import Level


def remedies(context: Context, use: InvalidUse) -> tuple[SectionFix, ...]:
    """Return the fixes for `use`, the best first.

    The best fix uses the successor of the consumed handle. Without a successor, moving the use comes before repeating
    the search, since the search finds the payload as it is then.
    """
    if use.successor is not None:
        is_other = use.successor.shown != use.value.shown  # else the name is defined twice
        return (use_instead(use.operation, use.operand, use.successor),) if is_other else ()
    fixes = (_move_before(context, use), _make_later(context, use) or _make_again(context, use))
    return tuple(fix for fix in fixes if fix is not None)


def _make_later(context: Context, use: InvalidUse) -> SectionFix | None:
    """Return the fix that moves the operation that found the handle before its only use; None if it has more uses."""
    maker, operation, text = use.value.operation, use.operation, context.section.text
    if maker is None or not use.can_be_made_again or maker.block is not operation.block:
        return None
    own, place = (own_lines(text, span, with_comments=True) for span in (maker.span, operation.span))
    if own is None or place is None or context.users.get(use.value) != [operation]:
        return None
    edits = (SectionEdit(own, ""), SectionEdit(Span(place.start, place.start), text[own.start : own.end]))
    return SectionFix(f"Find `{use.value.shown}` only here", edits)


def _make_again(context: Context, use: InvalidUse) -> SectionFix | None:
    """Return the fix that repeats the search for the handle before the use; None if its operands are invalid, too."""
    maker, value, text = use.value.operation, use.value, context.section.text
    start = use.operation.span.start
    indentation = text[text.rfind("\n", 0, start) + 1 : start]
    if maker is None or not use.can_be_made_again or indentation.strip():
        return None
    name = context.unused_name(value.name, "again")
    definition = maker.syntax.results[0].span
    again = f"{name}{text[definition.end : maker.span.end]}\n{indentation}"
    places = [
        node.span
        for node, operand in zip(use.operation.syntax.operands, use.operation.operands, strict=True)
        if operand is value
    ]
    edits = (SectionEdit(Span(start, start), again), *(SectionEdit(place, name) for place in places))
    return SectionFix(f"Find `{value.shown}` again, as `{name}`", edits)


def _move_before(context: Context, use: InvalidUse) -> SectionFix | None:
    """Return the fix that moves the use before the consumer, or None if regions, operands or order prevent that."""
    operation, consumer, text = use.operation, use.cause.consumer, context.section.text
    if operation.block is None or operation.block is not consumer.block or consumer.index >= operation.index:
        return None
    if operation.regions or operation.has_trait("IsTerminator") or not _can_precede(context, operation, consumer):
        return None
    own, place = (own_lines(text, span, with_comments=True) for span in (operation.span, consumer.span))
    if own is None or place is None:
        return None
    edits = (SectionEdit(Span(place.start, place.start), text[own.start : own.end]), SectionEdit(own, ""))
    return SectionFix(f"Move it before `{consumer.name}`", edits)


def _can_precede(context: Context, operation: Operation, consumer: Operation) -> bool:
    """Whether `operation` consumes nothing, and has no operand defined by or after `consumer`."""
    operands = [value for value in operation.operands if value is not None]
    if any(context.effects.consumes(operation, value) for value in operands):
        return False
    makers = (value.operation for value in operands if value.operation is not None)
    return all(maker.block is not consumer.block or maker.index < consumer.index for maker in makers)


_NESTINGS = {
    Nesting.PART: "stands for some of the operations of",
    Nesting.NESTED: "is nested in",
    Nesting.FOUND: "was found in",
}


def invalid_use(context: Context, use: InvalidUse, rule: str, level: Level) -> Finding:
    """Return the finding for `use`, with notes on the consumption, and on how the handles relate."""
    consumer, consumed = use.cause.consumer, use.cause.consumed
    verb, order = "consumes", ""
    if use.cause.is_assumed:
        verb, order = "may consume", "; a catalogue file can give the order of its operands (`operand_order`)"
    consumption = SectionNote(f"`{consumer.name}` {verb} `{consumed.shown}` here", consumer.location)
    links = use.cause.reach.way() if use.cause.reach is not None else ()  # from the set of the handle outwards
    steps = tuple(note for link in links if (note := _step(context, link)) is not None)
    maker = use.value.operation
    is_shown = maker is None or any(note.span == maker.location for note in steps)
    origin = () if maker is None or is_shown else (SectionNote(f"`{use.value.shown}` is made here", maker.location),)
    returned = f", a handle that `{consumer.name}` returns," if consumer.results else ""
    return Finding(
        rule,
        level,
        reason_of(use),
        use.operation.syntax.operands[use.operand].span,
        (*origin, consumption, *steps),
        f"use `{use.value.shown}` before that{returned} or match again{order}",
        remedies(context, use),
    )


def reason_of(use: InvalidUse) -> str:
    """Return why the handle is invalid, without a period."""
    if use.cause.is_assumed:
        return _why(use) + ", if its operands stand in the order of its definition"
    if use.is_certain or use.cause.reach is None:
        return _why(use)
    is_given_away = use.operation.has_trait("IsTerminator")
    return _why(use) + (", and MLIR does not check what is yielded" if is_given_away else ", if there is anything")


def _why(use: InvalidUse) -> str:
    own, consumed, consumer = use.value.shown, use.cause.consumed.shown, use.cause.consumer.name
    if use.operation is use.cause.consumer and use.value is use.cause.consumed:
        return f"`{own}` was consumed here in an earlier iteration of the loop"
    if use.operation is use.cause.consumer:
        return f"`{own}` overlaps with `{consumed}`, which the same operation consumes"
    reach = use.cause.reach
    if reach is None:
        return f"`{own}` may be, or be nested in, what `{consumer}` consumed as `{consumed}`"
    if not reach.part.handles:
        return f"`{own}` has operations in common with `{consumed}`, which `{consumer}` consumed"
    if reach.set is not reach.part:
        part = reach.part.value.shown
        went = f"`{consumer}` consumed" if part == consumed else f"went with `{consumed}`"
        return f"`{own}` also stands for operations of `{part}`, which {went}"
    if use.value is use.cause.consumed:
        return f"`{own}` was consumed by `{consumer}`"
    nestings = {step.nesting for step in reach.way()}
    if nestings <= {Nesting.PART}:
        return f"`{own}` stands for operations of `{consumed}`, which `{consumer}` consumed"
    return f"`{own}` is nested in `{consumed}`, which `{consumer}` consumed"


def _step(context: Context, link: Link) -> SectionNote | None:
    """Return a note at the operation that related two sets, or None if it is in another section.

    Also None for a set without a handle, since it has no name for the note.
    """
    maker = next(
        (side.maker for side in (link.inner, link.outer) if side.maker is not None and side.made == link.made), None
    )
    if maker is None and link.inner.made == link.outer.made:
        maker = link.inner.maker  # the relation is as old as both sets, and was found to hold still
    if maker is None or not link.inner.handles or root_of(maker) not in context.model.operations:
        return None
    inner, outer = link.inner.value.shown, link.outer.value.shown
    return SectionNote(f"`{inner}` {_NESTINGS[link.nesting]} `{outer}`", maker.location)


def repetition(context: Context, repeated: RepeatedConsumption, rule: str, level: Level) -> Finding:
    """Return the finding for a consumed operand that holds a payload operation more than once."""
    operation, value = repeated.operation, repeated.value
    verb = "holds" if repeated.is_certain else "may hold"
    twice = "before one that is nested in it" if repeated.is_nested else "more than once"
    maker = value.operation
    notes = (SectionNote(f"`{value.shown}` is made here", maker.location),) if maker is not None else ()
    fix = _deduplicating(context, maker) if maker is not None and not repeated.is_nested else None
    return Finding(
        rule,
        level,
        f"`{value.shown}` {verb} a payload operation {twice}, and `{operation.name}` consumes it",
        operation.syntax.operands[repeated.operand].span,
        notes,
        f"let `{maker.name}` deduplicate" if fix is not None and maker is not None else None,
        (fix,) if fix is not None else (),
    )


def _deduplicating(context: Context, operation: Operation) -> SectionFix | None:
    """Return the fix that adds ``deduplicate`` to `operation`, or None if it has it, or does not support it."""
    definition = operation.definition
    known = {attribute.name for attribute in definition.attributes} if definition is not None else set()
    node = operation.syntax
    if DEDUPLICATE not in known or operation.deduplicates or not node.operands or node.form is not Form.EXACT:
        return None
    if definition is not None and f"`{DEDUPLICATE}`" in (definition.assembly_format or ""):
        return _deduplicate_at(operation.location.end, f" {DEDUPLICATE}")
    end = node.operands[-1].end
    text = context.section.text
    opener = after_blanks(text, end)
    if not text.startswith("{", opener):
        return _deduplicate_at(end, f" {{{DEDUPLICATE}}}")
    inside = after_blanks(text, opener + 1)
    return _deduplicate_at(inside, DEDUPLICATE if text.startswith("}", inside) else f"{DEDUPLICATE}, ")


def _deduplicate_at(place: int, text: str) -> SectionFix:
    return SectionFix("Return each payload operation once", (SectionEdit(Span(place, place), text),))
