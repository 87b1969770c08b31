"""What an alias stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor.aliases import alias_definition
from tdls.ide.markdown.pieces import code, code_block, paragraphs

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context


def alias_text(context: Context, name: str) -> str:
    """Return Markdown about an alias: what it is written for, and with all aliases in it expanded."""
    found = alias_definition(context, name)
    if found is None:
        return paragraphs(code_block(name), "Nothing in this file defines this alias.")
    expanded = context.model.types.aliases.get(name, "") if name.startswith("!") else ""
    differs = expanded and expanded != found.value.strip()
    line = context.file.position(found.place.in_file.start).line + 1
    expansion = f"Expanded: {code(expanded)}." if differs else ""
    return paragraphs(code_block(f"{name} = {found.value}"), expansion, f"Defined in line {line}.")
