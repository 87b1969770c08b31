"""The rule `redefined-value`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.subject import concerns_of, has_known_regions
from tdls.analysis.rule import FixKind, Rule
from tdls.text.diagnostic import Subject
from tdls.text.level import Level
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Redefinition


def find(context: Context) -> Iterator[Finding]:
    """Report names that are defined again while they are visible."""
    for again in context.model.redefinitions:
        message = f"redefinition of the value `{again.name}`"
        note = SectionNote(f"`{again.name}` is first defined here", again.first)
        # An unknown operation may isolate its regions.
        is_known = concerns_of(context).is_only_name(again.name) and has_known_regions(again.operation)
        subject = concerns_of(context).of(again.operation, is_certain=is_known)
        fixes = tuple(_fixes(context, again)) if subject is Subject.SCRIPT else ()
        yield Finding(
            RULE.name,
            RULE.level,
            message,
            again.span,
            (note,),
            "give one of the two another name",
            fixes,
            subject=subject,
        )


def _fixes(context: Context, again: Redefinition) -> Iterator[SectionFix]:
    """Yield the fix that removes an operation which stands there twice, and the one that renames the second value."""
    text, operation = context.section.text, again.operation
    around = operation.block.operations if operation.block is not None else context.model.operations
    before = around[operation.index - 1] if operation.index else operation
    if before is not operation and text[slice(*before.span)] == text[slice(*operation.span)]:
        whole = own_lines(text, operation.span) or operation.span
        yield SectionFix(f"Remove the second `{operation.name}`", (SectionEdit(whole, ""),))
    yield _renaming(context, again)


def _renaming(context: Context, again: Redefinition) -> SectionFix:
    """Return the fix that gives the second value a name of its own, also where it is used behind its definition."""
    new, operation = context.unused_name(again.name, "new"), again.operation
    around = operation.block.operations if operation.block is not None else context.model.operations
    is_result = again.span.end <= operation.location.start
    users = (
        around[operation.index + 1 :]
        if is_result
        else [inner for block in operation.blocks() for inner in block.operations]
    )
    uses = [
        use.span for user in users for inner in user.walk() for use in inner.syntax.operands if use.name == again.name
    ]
    places = [again.span, *uses]
    edits = tuple(SectionEdit(Span(place.start, place.start + len(again.name)), new) for place in places)
    return SectionFix(f"Rename the second one to `{new}`", edits)


RULE: Final = Rule(
    code="TD102",
    name="redefined-value",
    level=Level.ERROR,
    find=find,
    fix=FixKind.UNSAFE,
    holds_for_any_definition=True,
)
