"""Names of operations that occur in the file of a cursor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from tdls.ide.completion.site import Site
    from tdls.syntax.sections.sections import Section

_MOST_READ = 3_000
"""Sections that nothing has read before are read for their names up to this many code points in all."""
_REACH = 300
"""So many sections before and behind the cursor are asked."""


class UsedName(NamedTuple):
    """The full name of an operation, and whether a catalogue has it."""

    name: str
    is_known: bool


def names_in_file(site: Site) -> Counter[UsedName]:
    """Return the names of operations around the cursor by how often they occur, as far as that is cheap.

    The operation that the cursor is in does not count.
    """
    found: Counter[UsedName] = Counter()
    budget = _MOST_READ
    here = site.context.index
    for piece in site.file.sections.pieces[max(here - _REACH, 0) : here + _REACH]:
        if not piece.begins_section:
            continue
        if not piece.section.is_read:
            budget -= len(piece.section.text)
            if budget < 0:
                continue
        found.update(_names_in(piece.section))
    if site.current is not None:
        found.subtract([UsedName(site.current.name, site.current.definition is not None)])
    return +found


@SectionFact
def _names_in(section: Section) -> Counter[UsedName]:
    named = (operation for operation in section.tree.walk() if "." in operation.name)
    return Counter(UsedName(operation.name, operation.definition is not None) for operation in named)
