"""Resolves an entity at the cursor to its target: the value, block, symbol or alias that it defines or refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.file.context import DefiningOperation
from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.entity import (
    AliasDefinition,
    AliasUse,
    LabelEntity,
    SymbolDefinition,
    UsedSymbol,
    UsedValue,
    ValueDefinition,
    entity_at,
)
from tdls.ide.cursor.linkage import meaning_of
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import AnyDefinition, OperationDefinition, PassDefinition, SourcePlace
    from tdls.ide.cursor.entity import Entity
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Block, Operation, Value
    from tdls.text.span import FileSpan, Span


class ValueTarget(Struct, frozen=True):
    """SSA values: one, or all values of a result group if the cursor is on the group's definition.

    `operation` owns the results, or the region with the arguments. `span` is that of the definition.
    """

    context: Context
    name: str
    values: tuple[Value, ...]
    operation: Operation
    span: Span


class BlockTarget(Struct, frozen=True):
    """A labelled block; `name` is the label, sigil included."""

    context: Context
    block: Block
    name: str


class SymbolTarget(Struct, frozen=True):
    """A symbol, with one of its definitions."""

    name: str
    definition: DefiningOperation


class AliasTarget(Struct, frozen=True):
    """An alias in the part of the file that contains `context`; `name` includes the sigil."""

    context: Context
    name: str


Target: TypeAlias = ValueTarget | BlockTarget | SymbolTarget | AliasTarget


class PlacedEntity(NamedTuple):
    """The entity at a cursor, and the section that its spans are relative to."""

    context: Context
    entity: Entity

    @property
    def span(self) -> FileSpan:
        return self.context.to_file(self.entity.span)


def placed_entity_at(snapshot: Snapshot, uri: str, offset: int) -> PlacedEntity | None:
    """Return the entity at `offset` of a file, or None if there is none, or no such file."""
    file = snapshot.file(uri)
    if file is None:
        return None
    context = file.context_at(offset).reading(offset)
    entity = entity_at(context, context.to_local(offset))
    return PlacedEntity(context, entity) if entity is not None else None


def target_of(placed: PlacedEntity) -> Target | None:
    """Return the target that the entity defines or refers to; None if it is undefined or of a kind without targets."""
    context, entity = placed
    if isinstance(entity, ValueDefinition):
        return ValueTarget(context, entity.name, entity.values, entity.operation, entity.span)
    if isinstance(entity, UsedValue):
        return value_target(context, entity.value) if entity.value is not None else None
    if isinstance(entity, LabelEntity):
        return BlockTarget(context, entity.block, entity.label) if entity.block is not None else None
    if isinstance(entity, SymbolDefinition):
        return SymbolTarget(entity.name, DefiningOperation(context, entity.operation))
    if isinstance(entity, UsedSymbol):
        definition = meaning_of(context, entity.path, entity.operation)
        return SymbolTarget(entity.path[-1], definition) if definition is not None else None
    if isinstance(entity, (AliasUse, AliasDefinition)):
        return AliasTarget(context, entity.name)
    return None


def value_target(context: Context, value: Value, *, whole_group: bool = False) -> ValueTarget | None:
    """Return `value` as a target; `whole_group` adds the other results of its group (``%a:2``)."""
    operation = value.operation
    if operation is not None:
        values = tuple(result for result in operation.results if result.span == value.span) if whole_group else (value,)
        return ValueTarget(context, value.name, values, operation, value.span)
    parent = value.block.region.parent if value.block is not None else None
    return ValueTarget(context, value.name, (value,), parent, value.span) if parent is not None else None


def places_of_definition(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return the source line, mostly in TableGen, that defines the operation, type, attribute or pass at `offset`.

    Empty for other entities, and for definitions without a known source in the project.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    definition = _definition(placed) if placed is not None else None
    return (definition.defined_at,) if definition is not None and definition.defined_at is not None else ()


def places_of_implementation(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourcePlace, ...]:
    """Return the functions (``apply``, ``getEffects``) that implement the operation whose name is at `offset`."""
    operation = operation_at(snapshot, uri, offset)
    return operation.implemented_at if operation is not None else ()


def operation_at(snapshot: Snapshot, uri: str, offset: int) -> OperationDefinition | None:
    """Return the definition of the operation whose name is at `offset`, or None."""
    placed = placed_entity_at(snapshot, uri, offset)
    return _operation(placed) if placed is not None else None


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
