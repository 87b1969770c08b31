"""The rule `undefined-alias`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.syntax.sections.facts import Fact
from tdls.text.similarity import SimilarNames
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Alias

_NAME = re.compile(r"(?<![\w$.\-%])[!#][\w$.\-]+<?", re.ASCII)
_ATTRIBUTE_STARTS = ("=", "[")
"""Tokens behind which ``loc(...)`` is an attribute, not the location of an operation or argument."""


class _Use(NamedTuple):
    """A use of an alias. One that `may_wait` is all of a location, which may be defined after it."""

    name: str
    span: Span
    may_wait: bool


def find(context: Context) -> Iterator[Finding]:
    """Report aliases that nothing defines, or only text behind them."""
    names = _mentioned(context.section)
    if not names or context.are_defined_before(names):
        return
    similar_names = SimilarNames(0.7)
    late: set[str] = set()
    for use in _uses(context.section):
        operation = concerns_of(context).operation_at(use.span.start)
        if not _is_read(context, use, operation):
            continue
        home = context.section_defining_alias(use.name)
        if home is not None and (use.may_wait or use.name in late or _is_before(context, home, use)):
            continue
        if (home is None and context.file.program is not None) or context.is_in_template:
            continue  # a program may put another text before this one
        if home is None:
            words = _undefined(context, use, similar_names)
        else:
            words = _late(context, use, home)
            late.add(use.name)
        subject = concerns_of(context).at(use.span, is_certain=True)
        yield Finding(
            RULE.name, RULE.level, words.message, use.span, words.notes, words.help, words.fixes, subject=subject
        )


@Fact
def _mentioned(section: Section) -> frozenset[str]:
    """Return the names in a section's text that look like aliases, in comments and strings, too."""
    if "!" not in section.text and "#" not in section.text:
        return frozenset()
    names = set(_NAME.findall(section.text))
    return frozenset(name for name in names if "." not in name and not name.endswith("<"))


def _uses(section: Section) -> Iterator[_Use]:
    """Yield the uses of aliases outside of the bodies of dialects' types and attributes, which are in their own syntax.

    An alias in the middle of its own definition counts, too.
    """
    tokens = scanner.scan(section.text)
    kinds = tokens.kinds
    index = -1
    while index + 1 < tokens.count:
        index += 1
        if kinds[index] not in (scanner.TYPE, scanner.ATTRIBUTE):
            continue
        if kinds[index + 1] == "<" and tokens.starts[index + 1] == tokens.ends[index]:
            index = max(tokens.partners.get(index + 1, index), index)
            continue
        before = kinds[index - 1] if index else ""
        is_number = before == scanner.VALUE and tokens.spellings[index][1:].isdigit()
        if kinds[index + 1] == "=" or "." in tokens.spellings[index] or is_number:
            continue
        is_location = before == "(" and index > 1 and tokens.spellings[index - 2] == "loc" and kinds[index + 1] == ")"
        may_wait = is_location and (index < 3 or kinds[index - 3] not in _ATTRIBUTE_STARTS)
        yield _Use(tokens.spellings[index], Span(tokens.starts[index], tokens.ends[index]), may_wait)


def _is_read(context: Context, use: _Use, operation: Operation | None) -> bool:
    """Whether the text around `use` was understood, so that a type or an attribute stands there."""
    if operation is not None:
        is_sound = not any(context.tree.problems())
        inside = any(region.start < use.span.start < region.end for region in operation.syntax.regions)
        return not operation.syntax.broken and (is_sound or not inside)
    members = (member for member in context.tree.members if member.start <= use.span.start < member.end)
    return any(member.alias is not None and not member.problems for member in members)


def _is_before(context: Context, home: Section, use: _Use) -> bool:
    """Whether the definition of an alias in the section `home` comes before `use`."""
    index = context.file.index_of(home)
    if home is not context.section:
        return index is None or index < context.index
    return any(alias.name == use.name and alias.end <= use.span.start for alias in context.aliases)


class _Words(NamedTuple):
    message: str
    notes: tuple[SectionNote, ...] = ()
    help: str | None = None
    fixes: tuple[SectionFix, ...] = ()


def _kind(name: str) -> str:
    return "type" if name.startswith("!") else "attribute"


def _undefined(context: Context, use: _Use, similar_names: SimilarNames) -> _Words:
    sigil = use.name[0]
    known = dict.fromkeys(name for name, _ in context.types.made_of if name[0] == sigil and name != use.name)
    names = context.catalogue.type_names(TRANSFORM) if sigil == "!" else ()
    types = {f"!{name}": f"!{name}" for name in names if context.catalogue.has_no_parameters(name)}
    types |= {spelled.replace(f"{TRANSFORM}.", ""): spelled for spelled in types}
    similar = similar_names.to(use.name, (known, types))
    message = f"the {_kind(use.name)} alias `{use.name}` is not defined"
    if similar is None:
        return _Words(message, (), f"define it before its first use: `{use.name} = ...`")
    spelled = similar if similar in known else types[similar]
    help_text = f"there is {'an alias' if similar in known else 'the type'} with a similar name: `{spelled}`"
    fix = SectionFix(f"Change to `{spelled}`", (SectionEdit(use.span, spelled),))
    return _Words(message, (), help_text, (fix,))


def _late(context: Context, use: _Use, home: Section) -> _Words:
    message = f"the {_kind(use.name)} alias `{use.name}` is used before it is defined"
    defining = context.file.context_of(home)
    alias = next((alias for alias in defining.aliases if alias.name == use.name), None)
    if alias is None:
        return _Words(message)
    note = SectionNote("it is defined here", Span(alias.start, alias.start + len(alias.name)), home)
    waits = "; only the whole location of an operation or argument may be defined later" if use.name[0] == "#" else ""
    fixes = _move(context, use, defining, alias)
    return _Words(message, (note,), f"move the definition before its first use{waits}", fixes)


def _move(context: Context, use: _Use, defining: Context, alias: Alias) -> tuple[SectionFix, ...]:
    """Return the fix that moves a definition before the outermost operation or alias of the file around `use`.

    There is none for a definition that itself names aliases, which may be defined behind that place.
    """
    outer, start = context, use.span.start
    while outer.container is not None:
        outer = outer.container
        start = min(operation.span.start for operation in outer.model.operations)
    place = next((member.start for member in outer.tree.members if member.start <= start < member.end), None)
    if place is None or any("." not in name for name in _NAME.findall(alias.value)):
        return ()
    removed = own_lines(defining.section.text, alias.span) or alias.span
    added = SectionEdit(Span(place, place), f"{defining.section.text[slice(*alias.span)]}\n", outer.section)
    title = f"Move the definition of `{alias.name}` before its first use"
    return (SectionFix(title, (added, SectionEdit(removed, "", defining.section)), safe=True),)


RULE: Final = Rule("undefined-alias", find=find, fix=FixKind.UNSAFE, holds_for_any_definition=True)
