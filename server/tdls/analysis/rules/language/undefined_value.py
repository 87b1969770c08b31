"""The rule `undefined-value`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of, is_understood
from tdls.analysis.rule import FixKind, Rule
from tdls.limits import NAME_SEARCHES
from tdls.text.level import Level
from tdls.text.similarity import SimilarNames

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import UnresolvedUse


def find(context: Context) -> Iterator[Finding]:
    """Report operands whose name nothing in reach defines."""
    similar_names = SimilarNames(0.75)
    for number, use in enumerate(context.model.unresolved):
        if use.operation.syntax.broken or (use.operation.definition is None and bool(use.operation.regions)):
            continue
        message = f"use of undefined value `{use.name}`"
        group = use.name.partition("#")[0]
        in_reach = context.in_reach(use.operation) if number < NAME_SEARCHES.most else ()
        names = dict.fromkeys(value.name for value in in_reach)
        similar = similar_names.to(group, (names,)) if group not in names else None
        help_text = _suggestion(use.name, names, similar)
        fixes = _rename(use, similar)
        is_known = is_understood(use.operation) and concerns_of(context).is_only_name(use.name.partition("#")[0])
        subject = concerns_of(context).of(use.operation, is_certain=is_known)
        yield Finding(RULE.name, RULE.level, message, use.span, help=help_text, fixes=fixes, subject=subject)


def _rename(use: UnresolvedUse, similar: str | None) -> tuple[SectionFix, ...]:
    if similar is None:
        return ()
    _, hash_sign, number = use.name.partition("#")
    spelled = similar + hash_sign + number
    return (SectionFix(f"Change to `{spelled}`", (SectionEdit(use.span, spelled),)),)


def _suggestion(name: str, names: Collection[str], similar: str | None) -> str | None:
    group, _, number = name.partition("#")
    if number and group in names:
        return f"`{group}` does not have that many results"
    return f"there is a value with a similar name: `{similar}`" if similar is not None else None


RULE: Final = Rule(
    code="TD101",
    name="undefined-value",
    level=Level.ERROR,
    find=find,
    fix=FixKind.UNSAFE,
    holds_for_any_definition=True,
)
