"""The rule `missing-with-named-sequence`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.sequences import around_operation
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, WITH_NAMED_SEQUENCE
from tdls.syntax.tree import Form
from tdls.text.level import Level
from tdls.text.similarity import is_slip
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section

_DICTIONARY = re.compile(r"\battributes\s*\{")


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report modules with named sequences that lack the attribute, once each."""
    seen: set[int] = set()
    for sequence in sequences:
        parent = sequence.parent
        if id(parent) in seen or (parent is None and not context.is_first(NAMED_SEQUENCE)):
            continue
        seen.add(id(parent))
        finding = _check(context, sequence, *around_operation(context, sequence))
        if finding is not None:
            yield finding


def _check(context: Context, operation: Operation, around: Operation | None, section: Section | None) -> Finding | None:
    if around is not None:
        is_unknown = around.syntax.broken or around.definition is None
        is_there = any(is_slip(attribute.name, WITH_NAMED_SEQUENCE) for attribute in around.syntax.attributes)
        if is_unknown or is_there:  # a slip of the name is a finding of its own
            return None
    message = f"the module around a named sequence needs the attribute `{WITH_NAMED_SEQUENCE}`"
    notes = (SectionNote("this module lacks it", around.location, section=section),) if around is not None else ()
    help_text = f"write `module attributes {{{WITH_NAMED_SEQUENCE}}} {{`"
    edit = mark_module(around, section, (section or context.section).text) if around is not None else None
    is_short = edit is not None and edit.span.start < edit.span.end
    title = f"Change to `{WITH_NAMED_SEQUENCE}`" if is_short else f"Add `{WITH_NAMED_SEQUENCE}` to the module"
    fixes = (SectionFix(title, (edit,), safe=True),) if edit is not None else ()
    level = RULE.level
    if around is None and ENTRY_POINT not in context.visible_symbols(NAMED_SEQUENCE):
        level = Level.HINT
        help_text = f"{help_text}, unless another program puts this text into such a module"
    return Finding(RULE.name, level, message, operation.location, notes, help_text, fixes)


def mark_module(around: Operation, section: Section | None, text: str) -> SectionEdit | None:
    """Return the edit that adds the attribute to a module in its custom form; `text` is that of its section."""
    node = around.syntax
    if node.form is not Form.EXACT or not node.regions or not around.has_trait("SymbolTable"):
        return None
    short = next((each for each in node.attributes if WITH_NAMED_SEQUENCE.endswith(f".{each.name}")), None)
    if short is not None:
        return SectionEdit(Span(short.start, short.start + len(short.name)), WITH_NAMED_SEQUENCE, section)
    begin, end = (node.symbol_span or node.name_span).end, node.regions[0].start
    dictionary = _DICTIONARY.search(text, begin, end)
    if dictionary is None:
        return SectionEdit(Span(end, end), f"attributes {{{WITH_NAMED_SEQUENCE}}} ", section)
    place = dictionary.end()
    separator = "" if text[place:end].lstrip().startswith("}") else ", "
    return SectionEdit(Span(place, place), WITH_NAMED_SEQUENCE + separator, section)


RULE: Final = Rule("missing-with-named-sequence", check=check, fix=FixKind.SAFE, holds_for_any_definition=True)
