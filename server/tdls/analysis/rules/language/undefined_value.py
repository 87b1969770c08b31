"""The rule `undefined-value`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of, is_understood
from tdls.analysis.rule import FixKind, Rule
from tdls.limits import NAME_SEARCHES
from tdls.text.similarity import SimilarNames
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report operands whose name nothing in reach defines."""
    similar_names = SimilarNames(0.75)
    for number, use in enumerate(context.model.unresolved):
        if use.operation.syntax.broken or (use.operation.definition is None and bool(use.operation.regions)):
            continue
        message = f"use of undefined value `{use.name}`"
        group, _, result = use.name.partition("#")
        in_reach = context.in_reach(use.operation) if number < NAME_SEARCHES.most else ()
        names = Counter(value.name for value in in_reach)
        similar = similar_names.to(group, (names,)) if group not in names else None
        help_text = f"there is a value with a similar name: `{similar}`" if similar is not None else None
        meant = f"{similar}{use.name.removeprefix(group)}" if similar is not None else None
        if result and group in names:
            meant = f"{group}#{names[group] - 1}" if names[group] > 1 else group
            help_text = f"`{group}` has {counted(names[group], 'result')}, the last is `{meant}`"
        fixes = (SectionFix(f"Change to `{meant}`", (SectionEdit(use.span, meant),)),) if meant is not None else ()
        is_known = is_understood(use.operation) and concerns_of(context).is_only_name(use.name.partition("#")[0])
        subject = concerns_of(context).of(use.operation, is_certain=is_known)
        yield Finding(RULE.name, RULE.level, message, use.span, help=help_text, fixes=fixes, subject=subject)


RULE: Final = Rule("undefined-value", find=find, fix=FixKind.UNSAFE, holds_for_any_definition=True)
