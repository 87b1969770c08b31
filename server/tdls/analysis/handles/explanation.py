"""Findings about invalid handles, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.deduplication import deduplicating
from tdls.analysis.handles.payload.sets import Nesting
from tdls.analysis.handles.remedies import remedies
from tdls.semantic.symbols import root_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalid_uses import InvalidUse, RepeatedConsumption
    from tdls.analysis.handles.payload.sets import Link
    from tdls.text.diagnostic import Level

_NESTINGS = {
    Nesting.PART: "stands for some of the operations of",
    Nesting.NESTED: "is nested in",
    Nesting.FOUND: "was found in",
}


def invalid_use(context: Context, use: InvalidUse, rule: str, level: Level) -> Finding:
    """Return what is wrong with `use`, and why."""
    consumer, consumed = use.cause.consumer, use.cause.consumed
    verb, order = "consumes", ""
    if use.cause.is_assumed:
        verb, order = "may consume", "; a catalogue file can give the order of its operands (`operand_order`)"
    consumption = SectionNote(f"`{consumer.name}` {verb} `{consumed.shown}` here", consumer.location)
    steps = tuple(_steps(context, use))
    return Finding(
        rule,
        level,
        _reason(use),
        use.operation.syntax.operands[use.operand].span,
        (*_origin(use, steps), consumption, *steps),
        f"use `{use.value.shown}` before that, a handle that `{consumer.name}` returns, or match again{order}",
        remedies(context, use),
    )


def _origin(use: InvalidUse, others: tuple[SectionNote, ...]) -> Iterator[SectionNote]:
    """Yield where the handle comes from, unless one of the other notes stands there anyway."""
    maker = use.value.operation
    if maker is not None and all(note.span != maker.location for note in others):
        yield SectionNote(f"`{use.value.shown}` is made here", maker.location)


def _reason(use: InvalidUse) -> str:
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
        return f"`{own}` also stands for operations of `{reach.part.value.shown}`, which went with `{consumed}`"
    if use.value is use.cause.consumed:
        return f"`{own}` was consumed by `{consumer}`"
    nestings = {step.nesting for step in reach.way()}
    if nestings <= {Nesting.PART}:
        return f"`{own}` stands for operations of `{consumed}`, which `{consumer}` consumed"
    return f"`{own}` is nested in `{consumed}`, which `{consumer}` consumed"


def _steps(context: Context, use: InvalidUse) -> Iterator[SectionNote]:
    """Yield how the operations lie to each other, from those of the handle outwards."""
    for link in use.cause.reach.way() if use.cause.reach is not None else ():
        note = _step(context, link)
        if note is not None:
            yield note


def _step(context: Context, link: Link) -> SectionNote | None:
    """Return a note at the operation that made two sets lie as they do; None for one of another section.

    Sets without a handle have no name that a note could use.
    """
    maker = next(
        (side.maker for side in (link.inner, link.outer) if side.maker is not None and side.made == link.made), None
    )
    if maker is None and link.inner.made == link.outer.made:
        maker = link.inner.maker  # what lies so since both were made, and was found to do so still
    if maker is None or not link.inner.handles or root_of(maker) not in context.model.operations:
        return None
    inner, outer = link.inner.value.shown, link.outer.value.shown
    return SectionNote(f"`{inner}` {_NESTINGS[link.nesting]} `{outer}`", maker.location)


def repetition(context: Context, found: RepeatedConsumption, rule: str, level: Level) -> Finding:
    """Return what is wrong with an operand that holds a payload operation more than once."""
    operation, value = found.operation, found.value
    verb = "holds" if found.is_certain else "may hold"
    twice = "before one that is nested in it" if found.is_nested else "more than once"
    maker = value.operation
    notes = (SectionNote(f"`{value.shown}` is made here", maker.location),) if maker is not None else ()
    fix = deduplicating(context, maker) if maker is not None and not found.is_nested else None
    return Finding(
        rule,
        level,
        f"`{value.shown}` {verb} a payload operation {twice}, and `{operation.name}` consumes it",
        operation.syntax.operands[found.operand].span,
        notes,
        f"let `{maker.name}` deduplicate" if fix is not None and maker is not None else None,
        (fix,) if fix is not None else (),
    )
