"""Where the thing at the cursor is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor.occurrences import Role, occurrences
from tdls.ide.cursor.target import placed_entity_at, target_of

if TYPE_CHECKING:
    from tdls.ide.snapshot import Location, Snapshot


def references(snapshot: Snapshot, uri: str, offset: int, *, include_definition: bool = True) -> list[Location]:
    """Return where the value, block, symbol or alias at `offset` is named, file by file in the order of the text.

    Symbols are looked for in all files of the snapshot. On a result group all of its values are meant, on a use of one
    result only that one.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if target is None:
        return []
    found = occurrences(snapshot, target)
    wanted = (occurrence for occurrence in found if include_definition or occurrence.role is not Role.DEFINITION)
    locations = (snapshot.locate(occurrence.place) for occurrence in wanted)
    return [location for location in dict.fromkeys(locations) if location is not None]
