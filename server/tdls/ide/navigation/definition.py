"""Where the thing at the cursor is defined, and where it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.ide.cursor.aliases import alias_definition
from tdls.ide.cursor.entity import UsedSymbol, symbol_place
from tdls.ide.cursor.linkage import elsewhere, known_bodies
from tdls.ide.cursor.target import AliasTarget, BlockTarget, SymbolTarget, ValueTarget, placed_entity_at, target_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.ide.cursor.target import PlacedEntity, Target
    from tdls.ide.snapshot import Location, Snapshot


def definition(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return where the value, block, symbol or alias at `offset` is defined; empty if there is no such thing.

    A symbol may be defined in another section or in a library. That of a declaration is where its body stands; where
    none is known it is the declaration. A symbol that is in none of these is looked for in all files.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is None:
        return []
    target = target_of(placed)
    if isinstance(target, SymbolTarget):
        bodies = known_bodies(snapshot, target.definition) or [target.definition]
        return _located(snapshot, (symbol_definition_place(SymbolTarget(target.name, body)) for body in bodies))
    return _located(snapshot, _declared_places(snapshot, placed, target))


def declaration(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return where what is at `offset` is declared: as `definition`, but for a declaration that place itself."""
    placed = placed_entity_at(snapshot, uri, offset)
    return _located(snapshot, _declared_places(snapshot, placed, target_of(placed))) if placed is not None else []


def _declared_places(snapshot: Snapshot, placed: PlacedEntity, target: Target | None) -> list[InSection | None]:
    return [definition_place(target)] if target is not None else _places_elsewhere(snapshot, placed)


def _located(snapshot: Snapshot, places: Iterable[InSection | None]) -> list[Location]:
    locations = (snapshot.locate(place) for place in places if place is not None)
    return [location for location in dict.fromkeys(locations) if location is not None]


def _places_elsewhere(snapshot: Snapshot, placed: PlacedEntity) -> list[InSection | None]:
    entity = placed.entity
    if not isinstance(entity, UsedSymbol):
        return []
    found = elsewhere(snapshot, placed.context, entity.path)
    return [symbol_definition_place(SymbolTarget(entity.path[-1], definition)) for definition in found]


def definition_place(target: Target) -> InSection | None:
    """Return where the name of `target` is defined."""
    if isinstance(target, ValueTarget):
        return InSection(target.context, target.span)
    if isinstance(target, BlockTarget):
        return InSection(target.context, target.block.syntax.label_span)
    if isinstance(target, AliasTarget):
        alias = alias_definition(target.context, target.name)
        return alias.place if alias is not None else None
    return symbol_definition_place(target)


def symbol_definition_place(target: SymbolTarget) -> InSection:
    """Return where the symbol's name is written."""
    context, operation = target.definition
    return InSection(context, symbol_place(operation) or operation.location)
