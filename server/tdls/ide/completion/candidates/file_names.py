"""Names of operations that occur in the file of a cursor."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tdls.semantic.transform_dialect import holds_payload_names
from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.site import Site
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Operation

_T = TypeVar("_T")
_STRING = re.compile(r'"([^"\n]+)"')
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
    found = _counted(site, _names_in)
    if site.current is not None:
        found.subtract([UsedName(site.current.name, site.current.definition is not None)])
    return +found


def names_in_scripts(site: Site) -> Counter[str]:
    """Return the names of payload operations that transform operations around the cursor look for, as `names_in_file`.

    What is said in the operation that the cursor is in does not count.
    """
    found = _counted(site, _payload_names_in)
    if site.current is not None:
        found.subtract(_payload_names(site.current.syntax))
    return +found


def _counted(site: Site, names: SectionFact[Counter[_T]]) -> Counter[_T]:
    """Add up `names` of the sections around the cursor, as far as that is cheap."""
    found: Counter[_T] = Counter()
    budget = _MOST_READ
    here = site.context.index
    for piece in site.file.sections.pieces[max(here - _REACH, 0) : here + _REACH]:
        if not piece.begins_section:
            continue
        if not piece.section.is_read:
            budget -= len(piece.section.text)
            if budget < 0:
                continue
        found.update(names(piece.section))
    return found


@SectionFact
def _names_in(section: Section) -> Counter[UsedName]:
    named = (operation for operation in section.tree.walk() if "." in operation.name)
    return Counter(UsedName(operation.name, operation.definition is not None) for operation in named)


@SectionFact
def _payload_names_in(section: Section) -> Counter[str]:
    return Counter(name for operation in section.tree.walk() for name in _payload_names(operation))


def _payload_names(operation: Operation) -> Iterator[str]:
    definitions = operation.definition.attributes if operation.definition is not None else ()
    for definition in definitions:
        attribute = operation.attribute(definition.name) if holds_payload_names(definition) else None
        if attribute is not None and attribute.value is not None:
            yield from _STRING.findall(attribute.value)
