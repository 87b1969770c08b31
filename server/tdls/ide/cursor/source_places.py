"""Where a project's sources define and implement what stands at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.target import placed_entity_at

if TYPE_CHECKING:
    from tdls.catalogue.model import AnyDefinition, OperationDefinition, PassDefinition, SourcePlace
    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.snapshot import Snapshot


def places_of_definition(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return where the operation, type, attribute or pass whose name stands at `offset` is defined: a line of TableGen,
    mostly. Empty for other things, and for what no source of the project defines."""
    placed = placed_entity_at(snapshot, uri, offset)
    definition = _definition(placed) if placed is not None else None
    return (definition.defined_at,) if definition is not None and definition.defined_at is not None else ()


def places_of_implementation(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return the functions that say what the operation does whose name stands at `offset`, the first ones first."""
    placed = placed_entity_at(snapshot, uri, offset)
    operation = _operation(placed) if placed is not None else None
    return operation.implemented_at if operation is not None else ()


def _definition(placed: PlacedEntity) -> AnyDefinition | PassDefinition | None:
    match placed.entity:
        case entities.DialectType(name=name):
            return placed.context.file.catalogue.type_definition(name)
        case entities.AttributeKind(name=name):
            return placed.context.file.catalogue.attribute_kind(name)
        case entities.PassName(name=name):
            return placed.context.file.catalogue.pass_definition(name)
    return _operation(placed)


def _operation(placed: PlacedEntity) -> OperationDefinition | None:
    match placed.entity:
        case entities.OperationName(operation=operation):
            return operation.definition
        case entities.PayloadName(name=name):
            return placed.context.file.catalogue.operation(name)
    return None
