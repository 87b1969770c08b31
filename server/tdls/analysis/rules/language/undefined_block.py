"""The rule `undefined-block`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of, is_understood
from tdls.analysis.rule import FixKind, Rule
from tdls.text.similarity import SimilarNames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report successors that are not blocks of the region around their operation."""
    similar_names = SimilarNames(0.7)
    damaged: dict[int, bool] = {}
    for operation, label, span in context.model.unknown_labels:
        region = operation.block.region if operation.block is not None else None
        if region is None or not is_understood(operation):
            continue
        if id(region) not in damaged:
            # text that could not be read may define the label
            damaged[id(region)] = any(inner.syntax.broken for block in region.blocks for inner in block.operations)
        if damaged[id(region)]:
            continue
        similar = similar_names.to(label, (region.labels,))
        help_text = f"the region has a block with a similar name: `{similar}`" if similar is not None else None
        fixes = (SectionFix(f"Change to `{similar}`", (SectionEdit(span, similar),)),) if similar is not None else ()
        subject = concerns_of(context).of(operation, is_certain=True)
        message = f"use of undefined block `{label}`"
        yield Finding(RULE.name, RULE.level, message, span, help=help_text, fixes=fixes, subject=subject)


RULE: Final = Rule("undefined-block", find=find, fix=FixKind.UNSAFE, holds_for_any_definition=True)
