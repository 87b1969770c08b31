"""What a block is: its arguments, and where control comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.markdown.pieces import code, code_block, paragraphs

if TYPE_CHECKING:
    from tdls.ide.cursor.entity import LabelEntity


def block_text(entity: LabelEntity) -> str:
    """Return Markdown about a block: its arguments and where control comes from."""
    block = entity.block
    if block is None:
        return paragraphs(code_block(entity.label), "No block of this region has this label.")
    region = block.region
    arguments = ", ".join(
        f"{argument.name}: {argument.type}" if argument.type else argument.name for argument in block.arguments
    )
    head = f"{entity.label}({arguments}):" if arguments else f"{entity.label}:"
    before = [
        code(other.syntax.label) if other.syntax.label else "the entry block"
        for other in region.blocks
        if block in other.successors
    ]
    if before:
        return paragraphs(code_block(head), f"Reached from {', '.join(before)}.")
    is_entry = block.index == 0
    unreached = "No block of the region branches to it."
    return paragraphs(code_block(head), f"The entry block of {code(region.parent.name)}." if is_entry else unreached)
