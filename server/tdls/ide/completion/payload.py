"""Names of payload operations: those of the file first, then the catalogue's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tdls.ide.completion.item import CompletionItem, ItemKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.site import Site
    from tdls.syntax.sections import Section

_TRANSFORM = "transform"
_MOST_READ = 40_000
"""Sections are read for names up to this many code points in all, if nothing has read them before."""


def payload_items(site: Site) -> Iterator[CompletionItem]:
    """Yield operation names as quoted strings; dialects alone as long as none is written."""
    prefix = site.expected.word.prefix.lstrip('"')
    present = [name for name, _ in _names_in_file(site).most_common()]
    for number, name in enumerate(present):
        yield _item(site, name, f"0{number:04}", note="in this file")
    dialect, dot, _ = prefix.partition(".")
    known = set(present)
    if dot:
        names = (name for name in site.catalogue.operation_names(dialect) if name not in known)
        yield from (_item(site, name, f"1{name}") for name in names)
        return
    for dialect in sorted(site.catalogue.dialects() - {_TRANSFORM}):
        text = f'"{dialect}.'
        yield CompletionItem(f"{dialect}.", ItemKind.DIALECT, site.span, text, f"2{dialect}", text)


def _item(site: Site, name: str, sort_key: str, note: str = "") -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(
        name, ItemKind.PAYLOAD_OPERATION, site.span, text, sort_key, text, note=note, data=("operation", name)
    )


def _names_in_file(site: Site) -> Counter[str]:
    """Return the payload operations of the file by how often they occur, as far as sections are cheap to ask."""
    found: Counter[str] = Counter()
    budget = _MOST_READ
    for piece in site.file.sections.pieces:
        if not piece.begins_section:
            continue
        if not piece.section.is_read:
            budget -= len(piece.section.text)
            if budget < 0:
                continue
        found.update(_names_in(piece.section))
    return found


def _names_in(section: Section) -> Counter[str]:
    known: Counter[str] | None = section.derived.get("payload names")
    if known is None:
        names = (operation.name for operation in section.tree.walk())
        known = Counter(name for name in names if "." in name and not name.startswith((f"{_TRANSFORM}.", "builtin.")))
        section.derived["payload names"] = known
    return known
