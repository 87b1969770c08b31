"""Where a project's sources define and implement what stands at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.target import place_at

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, SourcePlace, TypeDefinition
    from tdls.ide.cursor.target import Place
    from tdls.ide.snapshot import Snapshot


def places_of_definition(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return where the operation, type or attribute whose name stands at `offset` is defined: a line of TableGen,
    mostly. Empty for other things, and for what no source of the project defines."""
    place = place_at(snapshot, uri, offset)
    definition = _definition(place) if place is not None else None
    return (definition.defined_at,) if definition is not None and definition.defined_at is not None else ()


def places_of_implementation(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return the functions that say what the operation does whose name stands at `offset`, the first ones first."""
    place = place_at(snapshot, uri, offset)
    operation = _operation(place) if place is not None else None
    return operation.implemented_at if operation is not None else ()


def _definition(place: Place) -> OperationDefinition | TypeDefinition | AttributeKindDefinition | None:
    match place.entity:
        case entities.DialectType(name=name):
            return place.context.catalogue.type_definition(name)
        case entities.AttributeKind(name=name):
            return place.context.catalogue.attribute_kind(name)
    return _operation(place)


def _operation(place: Place) -> OperationDefinition | None:
    match place.entity:
        case entities.OperationName(operation=operation):
            return operation.definition
        case entities.PayloadName(name=name):
            return place.context.catalogue.operation(name)
    return None
