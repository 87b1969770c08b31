"""The hover request: finds the entity at the cursor and joins its text with results of the last run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import DefiningOperation
from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.linkage import meaning_of
from tdls.ide.cursor.target import SymbolTarget, placed_entity_at, target_of
from tdls.ide.hover.attribute import attribute_text, keyword_text
from tdls.ide.hover.kinds import attribute_kind_text, is_unknown, pass_text, reading_text, type_text
from tdls.ide.hover.operation import definition_text, instance_text, unknown_text
from tdls.ide.hover.symbol import alias_text, block_text, symbol_text, undefined_text
from tdls.ide.hover.value import consumers, group_text, through_another, value_text
from tdls.ide.markdown import code, code_block, paragraphs, section
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.correspondence import marked_handle
from tdls.ide.runs.labels import description
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.model import operation_at
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.cursor.entity import Entity
    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.programs.built_scripts import BuiltOperation, BuiltScript, BuiltScripts
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation, Value
    from tdls.text.span import FileSpan


class Hover(Struct, frozen=True):
    """Markdown for the entity at `span` of the file."""

    span: FileSpan
    markdown: str
    is_provisional: bool = False
    """True if files that are still being read may add to it."""


def hover(snapshot: Snapshot, uri: str, offset: int) -> Hover | None:
    """Return the hover of the entity at `offset`, or None if there is none, or no text for it."""
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is None:
        return None
    if snapshot.reading and is_unknown(placed):
        return Hover(placed.span, reading_text(placed, snapshot.reading), is_provisional=True)
    text = paragraphs(_text(snapshot, placed), _matched(snapshot, placed))
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
            return group_text(context, values, _contents(snapshot, placed)) if values else ""
        case entities.UsedValue(value=value):
            if value is None:
                return undefined_text(entity.name)
            return value_text(context, value, entity, _contents(snapshot, placed, value.number))
        case entities.SymbolDefinition(operation=operation):
            return symbol_text(snapshot, DefiningOperation(context, operation))
        case entities.UsedSymbol(path=path, operation=operation):
            meaning = meaning_of(context, path, operation)
            written = "::".join(f"@{name}" for name in path)
            return symbol_text(snapshot, meaning) if meaning is not None else undefined_text(written)
        case entities.Attribute():
            return attribute_text(entity, _documentation(snapshot, entity.operation))
        case entities.Keyword(operation=operation) if operation is not None:
            return keyword_text(entity, _documentation(snapshot, operation))
    return _other(context, entity)


def _documentation(snapshot: Snapshot, operation: Operation) -> str:
    """Return the documentation of an operation: that of its definition, or else of the user's MLIR; "" for none."""
    definition = operation.definition
    return (definition.description or snapshot.descriptions(definition.name)) if definition is not None else ""


def _contents(snapshot: Snapshot, placed: PlacedEntity, number: int | None = None) -> str:
    """Return the contents in the last run of the handle at `placed`: of result `number` of a group, or of all."""
    marked = marked_handle(snapshot, placed)
    return description(marked[1], number) if marked is not None else ""


def _matched(snapshot: Snapshot, placed: PlacedEntity) -> str:
    """Return the results of the matcher at `placed` in the last run."""
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
            definition = context.file.catalogue.pass_definition(name)
            return pass_text(definition) if definition is not None else ""
        case entities.AliasUse(name=name) | entities.AliasDefinition(name=name):
            return alias_text(context, name)
        case entities.Keyword():
            return keyword_text(entity)
    return ""


def _operation(
    snapshot: Snapshot, context: Context, name: str, definition: OperationDefinition | None, instance: str = ""
) -> str:
    if definition is None:
        return unknown_text(context.file.catalogue, name)
    return definition_text(definition, context.file.catalogue, snapshot.descriptions(name), instance)


_MOST = 3
"""Maximum number of operations of one call to describe; the others are only counted, as loops create many."""


def program_hover(snapshot: Snapshot, scripts: BuiltScripts, uri: str, offset: int) -> Hover | None:
    """Return the hover of the call at an offset of a program: the operations that it created when the script was built.

    None if it created no operation.
    """
    file = snapshot.file(uri)
    made = scripts.made_at(uri, file, offset) if file is not None else None
    if file is None or made is None:
        return None
    place = made.script.now(made.call, file)
    if place is None:
        return None
    describer = _Describer(snapshot, made.script, uri)
    texts = [text for operation in made.operations[:_MOST] if (text := describer.text(operation))]
    more = len(made.operations) - len(texts)
    others = f"This call made {more} more operation{'' if more == 1 else 's'}." if more > 0 else ""
    mark = snapshot.marks.get(uri, RunMarks()).handle_at(place.span.start)
    return Hover(place.span, paragraphs(*texts, description(mark) if mark is not None else "", others))


class _Describer(NamedTuple):
    """Describes operations of a built script in a hover of the program `uri`."""

    snapshot: Snapshot
    script: BuiltScript
    uri: str

    def text(self, built: BuiltOperation) -> str:
        """Return Markdown with an operation, and its results with their consumers."""
        context = self.script.file.context_at(built.offset)
        operation = operation_at(context.model, context.to_local(built.offset))
        if operation is None:
            return ""
        line = self.script.file.line_text(self.script.file.position(built.offset).line).strip()
        results = (
            f"{code(self.script.names.told(value.shown, built.offset))}: {code(value.type or 'a value')}"
            f"{self._fate(context, value)}"
            for value in operation.results
        )
        return paragraphs(code_block(line), section("Results", results))

    def _fate(self, context: Context, value: Value) -> str:
        if kind_of(context.file.catalogue, value.type) not in (HandleKind.OPERATIONS, HandleKind.VALUES):
            return ""
        consuming = consumers(context, value)
        ending = consuming or through_another(context, value)
        if not ending:
            return ", live to the end: nothing that is known consumes it"
        steps = (f"{code(step.name)}{self._place(context, step)}" for step in ending)
        return f", {'consumed by' if consuming else 'stale through another handle since'} {', '.join(steps)}"

    def _place(self, context: Context, operation: Operation) -> str:
        """Return a link, in brackets, to the call that created an operation; "" if its program was edited there."""
        call = next(iter(self.script.calls_of(context.to_file(operation.span).start)), None)
        if call is None:
            return ""
        present = self.snapshot.file(call.uri) or self.script.programs[call.uri]
        moved = self.script.now(call, present)
        if moved is None:
            return ""
        line = present.position(moved.span.start).line + 1
        file = "" if moved.uri == self.uri else f"{self.script.path_of(call).name} "
        return f" ([{file}line {line}]({moved.uri}#L{line}))"
