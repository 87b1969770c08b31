"""Where type and attribute aliases are defined and used: in one part of a file, between ``// -----`` markers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context import InSection
from tdls.syntax.details import attribute_aliases_in, type_aliases_in
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.syntax.details import Reference


class FoundAlias(NamedTuple):
    """The definition of an alias: the place of its name, and its value as written."""

    place: InSection
    value: str


def alias_definition(context: Context, name: str) -> FoundAlias | None:
    """Return the definition of the alias `name`, sigil included, that the section of `context` sees."""
    begins = re.compile(rf"^[ \t]*{re.escape(name)}\s*=", re.MULTILINE)
    for other in _sections_with(context, name):
        if begins.search(other.section.text) is None:
            continue
        for member in other.tree.members:
            if member.alias is not None and member.alias.name == name:
                start = member.alias.start
                return FoundAlias(InSection(other, Span(start, start + len(name))), member.alias.value)
    return None


def alias_mentions(context: Context, name: str) -> Iterator[InSection]:
    """Yield every place in the part of the file where the alias `name` is defined or used, in the order of the text."""
    for other in _sections_with(context, name):
        for reference in aliases_in(other.section.text, name[0]):
            if reference.path == (name[1:],):
                yield InSection(other, reference.span)


def aliases_in(text: str, sigil: str) -> tuple[Reference, ...]:
    """Return the mentions of type aliases (`sigil` ``!``) or attribute aliases (``#``) in a text."""
    return type_aliases_in(text) if sigil == "!" else attribute_aliases_in(text)


def _sections_with(context: Context, name: str) -> Iterator[Context]:
    file = context.file
    for piece in file.sections.pieces:
        if piece.begins_section and piece.part == context.part and name in piece.section.text:
            yield file.context_of(piece.section)
