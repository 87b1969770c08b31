"""The rule `redefined-value`."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.subject import concerns_of, has_known_regions
from tdls.analysis.rule import FixKind, Rule
from tdls.text.diagnostic import Subject
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Redefinition


def find(context: Context) -> Iterator[Finding]:
    """Report names that are defined again while they are visible."""
    uses = _Uses(context) if context.model.redefinitions else None
    for again in context.model.redefinitions:
        message = f"redefinition of the value `{again.name}`"
        note = SectionNote(f"`{again.name}` is first defined here", again.first)
        # An unknown operation may isolate its regions.
        is_known = concerns_of(context).is_only_name(again.name) and has_known_regions(again.operation)
        subject = concerns_of(context).of(again.operation, is_certain=is_known)
        fixes = tuple(_fixes(context, again, uses)) if uses is not None and subject is Subject.SCRIPT else ()
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


class _Uses:
    """The uses of names in a section; each operation is visited once."""

    def __init__(self, context: Context) -> None:
        self._spans: dict[str, list[Span]] = {}
        for operation in context.model.operations:
            for inner in operation.walk():
                for use in inner.syntax.operands:
                    self._spans.setdefault(use.name, []).append(use.span)
        for spans in self._spans.values():
            spans.sort(key=_start)
        self._ends: dict[tuple[str, int], list[int]] = {}
        for again in context.model.redefinitions:
            self._ends.setdefault((again.name, id(again.operation.block)), []).append(again.operation.span.end)

    def of(self, again: Redefinition) -> list[Span]:
        """Return the uses of the second value: up to the operation that defines the name once more in the block."""
        operation = again.operation
        spans = self._spans.get(again.name, [])
        if again.span.end > operation.location.start:  # a block argument
            begin, end = operation.span
        else:
            ends = self._ends[again.name, id(operation.block)]
            begin = operation.span.end
            later = bisect_right(ends, begin)
            last = operation.block.operations[-1].span.end if operation.block is not None else sys.maxsize
            end = ends[later] if later < len(ends) else last
        return spans[bisect_left(spans, begin, key=_start) : bisect_left(spans, end, key=_start)]


def _start(span: Span) -> int:
    return span.start


def _fixes(context: Context, again: Redefinition, uses: _Uses) -> Iterator[SectionFix]:
    """Yield the fix that removes an operation which stands there twice, and the one that renames the second value."""
    text, operation = context.section.text, again.operation
    around = operation.block.operations if operation.block is not None else context.model.operations
    before = around[operation.index - 1] if operation.index else operation
    if before is not operation and text[slice(*before.span)] == text[slice(*operation.span)]:
        whole = own_lines(text, operation.span) or operation.span
        yield SectionFix(f"Remove the second `{operation.name}`", (SectionEdit(whole, ""),))
    yield _renaming(context, again, uses)


def _renaming(context: Context, again: Redefinition, uses: _Uses) -> SectionFix:
    """Return the fix that gives the second value a name of its own, also where it is used behind its definition."""
    new = context.unused_name(again.name, "new")
    places = [again.span, *uses.of(again)]
    edits = tuple(SectionEdit(Span(place.start, place.start + len(again.name)), new) for place in places)
    return SectionFix(f"Rename the second one to `{new}`", edits)


RULE: Final = Rule("redefined-value", find=find, fix=FixKind.UNSAFE, holds_for_any_definition=True)
