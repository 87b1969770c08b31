"""Where a named sequence or function has its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor.entity import OperationName
from tdls.ide.cursor.linkage import bodies_of, meaning_of
from tdls.ide.cursor.target import SymbolTarget, placed_entity_at, target_of
from tdls.ide.navigation.definition import symbol_definition_place
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.snapshot import Location, Snapshot


def implementation(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the bodies of the symbol at `offset`, or of all that the operation refers to whose name stands there.

    The body of a declaration is looked for in the libraries of its file, then in all files of the snapshot.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is None:
        return []
    bodies = ((target.name, body) for target in _symbols(placed) for body in bodies_of(snapshot, target.definition))
    places = (symbol_definition_place(SymbolTarget(name, body)) for name, body in bodies)
    locations = (snapshot.locate(found) for found in places)
    return [location for location in dict.fromkeys(locations) if location is not None]


def _symbols(placed: PlacedEntity) -> Iterator[SymbolTarget]:
    target = target_of(placed)
    if isinstance(target, SymbolTarget):
        yield target
    if isinstance(placed.entity, OperationName):
        operation = placed.entity.operation
        for use in operation.syntax.symbols:
            found = meaning_of(placed.context, use.path, operation)
            if found is not None:
                yield SymbolTarget(symbol_name(found.operation) or "", found)
