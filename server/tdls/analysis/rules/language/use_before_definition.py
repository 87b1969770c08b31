"""The rule `use-before-definition`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.meaning.subject import concerns_of, has_known_regions, is_understood
from tdls.analysis.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value
    from tdls.text.diagnostic import Subject


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operands whose definition does not dominate the use."""
    branches: dict[int, bool] = {}
    for operation in operations:
        for value, use in zip(operation.operands, operation.syntax.operands, strict=True):
            if value is None or context.dominance.properly_dominates(value, operation):
                continue
            message = f"`{value.shown}` is used before it is defined"
            note = SectionNote(f"`{value.shown}` is defined here", value.span)
            help_text = f"move the definition of `{value.shown}` in front of this operation"
            subject = _subject(context, value, operation, branches)
            yield Finding(RULE.name, RULE.level, message, use.span, (note,), help_text, subject=subject)


def _subject(context: Context, value: Value, operation: Operation, branches: dict[int, bool]) -> Subject:
    """Return the subject; it is certain in known non-graph regions and, across blocks, where branches are known.

    `branches` caches by region whether its branches are known.
    """
    region = value.owner_block.region if value.owner_block is not None else None
    if region is not None and id(region) not in branches:
        ends = (block.terminator for block in region.blocks)
        branches[id(region)] = len(region.blocks) == 1 or all(end is not None and is_understood(end) for end in ends)
    is_known = (
        is_understood(operation)
        and has_known_regions(operation)
        and concerns_of(context).is_only_name(value.name)
        and (region is None or branches[id(region)])
    )
    return concerns_of(context).of(operation, is_certain=is_known)


RULE: Final = Rule("use-before-definition", check=check, holds_for_any_definition=True)
