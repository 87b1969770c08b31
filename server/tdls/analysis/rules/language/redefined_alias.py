"""The rule `redefined-alias`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report aliases that text before them has defined."""
    for alias in context.aliases:
        home = context.section_defining_alias(alias.name)
        if home is None:
            continue
        aliases = context.aliases if home is context.section else context.file.context_of(home).aliases
        first = next((each for each in aliases if each.name == alias.name), None)
        if first is None or first is alias or context.is_in_template:
            continue
        kind = "type" if alias.name.startswith("!") else "attribute"
        message = f"the {kind} alias `{alias.name}` is defined more than once"
        place = Span(alias.start, alias.start + len(alias.name))
        note = SectionNote("it is first defined here", Span(first.start, first.start + len(first.name)), home)
        is_same = alias.value.split() == first.value.split()
        help_text = "remove it: it says the same" if is_same else "give one of the two another name"
        removal = SectionFix("Remove the second definition", (SectionEdit(alias.span, ""),), safe=True)
        fixes = (removal,) if is_same else ()
        subject = concerns_of(context).at(place, is_certain=True)
        yield Finding(RULE.name, RULE.level, message, place, (note,), help_text, fixes, subject=subject)


RULE: Final = Rule("redefined-alias", find=find, holds_for_any_definition=True)
