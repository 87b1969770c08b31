"""How an operation is told not to return a payload operation more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.syntax.tree import Form
from tdls.text.blanks import after_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

DEDUPLICATE = "deduplicate"


def deduplicates(operation: Operation) -> bool:
    """Tell whether `operation` says that it returns nothing twice."""
    return operation.syntax.attribute(DEDUPLICATE) is not None


def deduplicating(context: Context, operation: Operation) -> SectionFix | None:
    """Return the fix that makes `operation` return nothing twice; None if it cannot, or does already."""
    definition = operation.definition
    known = {attribute.name for attribute in definition.attributes} if definition is not None else set()
    node = operation.syntax
    if DEDUPLICATE not in known or deduplicates(operation) or not node.operands or node.form is not Form.EXACT:
        return None
    if definition is not None and f"`{DEDUPLICATE}`" in (definition.assembly_format or ""):
        return _fix(operation.location.end, f" {DEDUPLICATE}")
    end = node.operands[-1].end
    text = context.section.text
    opener = after_blanks(text, end)
    if not text.startswith("{", opener):
        return _fix(end, f" {{{DEDUPLICATE}}}")
    inside = after_blanks(text, opener + 1)
    return _fix(inside, DEDUPLICATE if text.startswith("}", inside) else f"{DEDUPLICATE}, ")


def _fix(place: int, text: str) -> SectionFix:
    return SectionFix("Return each payload operation once", (SectionEdit(Span(place, place), text),))
