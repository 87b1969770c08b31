"""What is known of the thing at the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.file.context import DefiningOperation
from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.linkage import meaning_of
from tdls.ide.cursor.target import SymbolTarget, placed_entity_at, target_of
from tdls.ide.hover.describe.alias import alias_text
from tdls.ide.hover.describe.attribute import attribute_text
from tdls.ide.hover.describe.block import block_text
from tdls.ide.hover.describe.directive import described_comment
from tdls.ide.hover.describe.keyword import keyword_text
from tdls.ide.hover.describe.kinds import attribute_kind_text, type_text
from tdls.ide.hover.describe.operation import definition_text, instance_text, unknown_text
from tdls.ide.hover.describe.passes import pass_text
from tdls.ide.hover.describe.reading import is_unknown, reading_text
from tdls.ide.hover.describe.symbol import symbol_text
from tdls.ide.hover.describe.symbol import undefined_text as undefined_symbol_text
from tdls.ide.hover.describe.value import undefined_text as undefined_value_text
from tdls.ide.hover.describe.value import value_text
from tdls.ide.markdown.pieces import paragraphs
from tdls.ide.runs.handle_contents import description
from tdls.ide.runs.marked_handle import marked_handle

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.cursor.entity import Entity
    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation
    from tdls.text.span import FileSpan


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about what stands at `span` of the file."""

    span: FileSpan
    markdown: str
    is_provisional: bool = False
    """True if more may be known once all is read."""


def hover(snapshot: Snapshot, uri: str, offset: int) -> Hover | None:
    """Return what is known of the thing at `offset`; None for what needs no explanation."""
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is None:
        file = snapshot.file(uri)
        comment = described_comment(file, offset) if file is not None else None
        return Hover(*comment) if comment is not None else None
    if snapshot.reading and is_unknown(placed):
        return Hover(placed.span, reading_text(placed, snapshot.reading), is_provisional=True)
    text = paragraphs(_text(snapshot, placed), _contents(snapshot, placed), _matched(snapshot, placed))
    return Hover(placed.span, text) if text else None


def _text(snapshot: Snapshot, placed: PlacedEntity) -> str:
    context, entity = placed
    match entity:
        case entities.OperationName(operation=operation):
            definition = operation.definition
            return _operation(snapshot, context, operation.name, definition, instance_text(context, operation))
        case entities.PayloadName(name=name):
            return _operation(snapshot, context, name, context.file.catalogue.operation(name))
        case entities.ValueDefinition(values=values):
            return "\n\n---\n\n".join(value_text(context, value, None) for value in values[:_MOST_VALUES])
        case entities.UsedValue(value=value):
            return value_text(context, value, entity) if value else undefined_value_text(entity.name)
        case entities.SymbolDefinition(operation=operation):
            return symbol_text(snapshot, DefiningOperation(context, operation))
        case entities.UsedSymbol(path=path, operation=operation):
            meaning = meaning_of(context, path, operation)
            return symbol_text(snapshot, meaning) if meaning is not None else undefined_symbol_text(path)
        case entities.Attribute():
            return attribute_text(entity, _documentation(snapshot, entity.operation))
        case entities.Keyword(operation=operation) if operation is not None:
            return keyword_text(entity, _documentation(snapshot, operation))
    return _other(context, entity)


def _documentation(snapshot: Snapshot, operation: Operation) -> str:
    """Return the documentation of an operation: its definition's, or else that of the user's MLIR; "" for none."""
    definition = operation.definition
    return (definition.description or snapshot.descriptions(definition.name)) if definition is not None else ""


def _contents(snapshot: Snapshot, placed: PlacedEntity) -> str:
    """What the handle at `placed` stood for in the last run."""
    found = marked_handle(snapshot, placed)
    return description(found[1]) if found is not None else ""


def _matched(snapshot: Snapshot, placed: PlacedEntity) -> str:
    """What the matcher at `placed` did in the last run."""
    target = target_of(placed) if snapshot.marks else None
    if not isinstance(target, SymbolTarget):
        return ""
    context, operation = target.definition
    marks = snapshot.marks.get(snapshot.uri_of(context.file) or "")
    mark = marks.matcher_in(context.to_file(operation.span)) if marks is not None else None
    return mark.story if mark is not None else ""


def _other(context: Context, entity: Entity) -> str:
    match entity:
        case entities.LabelEntity():
            return block_text(entity)
        case entities.DialectType(name=name):
            return type_text(context.file.catalogue, name)
        case entities.AttributeKind(name=name):
            return attribute_kind_text(context.file.catalogue, name)
        case entities.PassName(name=name):
            found = context.file.catalogue.pass_definition(name)
            return pass_text(found) if found is not None else ""
        case entities.AliasUse(name=name) | entities.AliasDefinition(name=name):
            return alias_text(context, name)
        case entities.Keyword():
            return keyword_text(entity)
    return ""


_MOST_VALUES = 4
"""Of a large result group only the first few are explained."""


def _operation(
    snapshot: Snapshot, context: Context, name: str, definition: OperationDefinition | None, instance: str = ""
) -> str:
    if definition is None:
        return unknown_text(context.file.catalogue, name)
    return definition_text(definition, context.file.catalogue, snapshot.descriptions(name), instance)
