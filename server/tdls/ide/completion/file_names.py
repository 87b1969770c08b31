"""Names of operations that occur in the file of a cursor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.ide.completion.site import Site
    from tdls.syntax.sections import Section

_MOST_READ = 3_000
"""Sections that nothing has read before are read for their names up to this many code points in all."""
_REACH = 300
"""So many sections before and behind the cursor are asked."""


def names_in_file(site: Site) -> Counter[str]:
    """Return the full names of operations around the cursor by how often they occur, as far as that is cheap.

    The operation that the cursor is in does not count.
    """
    found: Counter[str] = Counter()
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
        found.subtract([site.current.name])
    return +found


def _names_in(section: Section) -> Counter[str]:
    known: Counter[str] | None = section.derived.get("operation names")
    if known is None:
        known = Counter(operation.name for operation in section.tree.walk() if "." in operation.name)
        section.derived["operation names"] = known
    return known
