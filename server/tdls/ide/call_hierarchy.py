"""Call hierarchy of named sequences and functions; references as matchers and actions count as calls."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tdls.analysis.file.context import DefiningOperation, InSection
from tdls.ide.cursor.entity import OperationName, UsedSymbol, symbol_place, symbol_uses_of
from tdls.ide.cursor.linkage import bodies_of, is_function, meaning_of, other_definitions
from tdls.ide.cursor.occurrences import Role, occurrences, occurrences_after_merging
from tdls.ide.cursor.target import SymbolTarget, placed_entity_at, target_of
from tdls.semantic.symbols import symbol_name
from tdls.structs import Struct
from tdls.text.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation
    from tdls.text.span import FileSpan, Span


class CallItem(Struct, frozen=True):
    """A function-like operation: `name` is its symbol, `kind` the operation's name, `selection` the span of `name`."""

    uri: str
    name: str
    kind: str
    span: FileSpan
    selection: FileSpan


class Calls(Struct, frozen=True):
    """The calls from or to `item`; `spans` are in the file of the caller."""

    item: CallItem
    spans: tuple[FileSpan, ...]


def prepare_call_hierarchy(snapshot: Snapshot, uri: str, offset: int) -> list[CallItem]:
    """Return the function whose symbol is at `offset`, or the functions that the operation there refers to.

    A declaration is replaced by its definition in another file, if there is one.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    found = _functions(snapshot, placed) if placed is not None else ()
    items = (_item(snapshot, _with_body(snapshot, definition)) for definition in found)
    return [item for item in dict.fromkeys(items) if item is not None]


def incoming_calls(snapshot: Snapshot, item: CallItem) -> list[Calls]:
    """Return the callers of `item` in all files of the snapshot.

    These include files that do not refer to its file, but that a program may merge with it.
    """
    target = _target_of(snapshot, item)
    if target is None:
        return []
    calls: dict[CallItem, list[FileSpan]] = {}
    for occurrence in chain(occurrences(snapshot, target), occurrences_after_merging(snapshot, target)):
        if occurrence.role is Role.DEFINITION or occurrence.operation is None:
            continue
        found = next((outer for outer in occurrence.operation.ancestors() if is_function(outer)), None)
        caller = DefiningOperation(occurrence.place.context, found) if found is not None else None
        known = _item(snapshot, caller) if caller is not None else None
        if known is not None:
            calls.setdefault(known, []).append(occurrence.place.in_file)
    return [Calls(caller, tuple(sorted(spans))) for caller, spans in calls.items()]


def outgoing_calls(snapshot: Snapshot, item: CallItem) -> list[Calls]:
    """Return the functions that the body of `item` refers to."""
    target = _target_of(snapshot, item)
    if target is None:
        return []
    context, function = target.definition
    calls: dict[CallItem, list[FileSpan]] = {}
    for nested in function.walk():
        for callee, span in _referenced(snapshot, context, nested):
            known = _item(snapshot, _with_body(snapshot, callee))
            if known is not None:
                calls.setdefault(known, []).append(context.to_file(span))
    return [Calls(callee, tuple(spans)) for callee, spans in calls.items()]


def _with_body(snapshot: Snapshot, definition: DefiningOperation) -> DefiningOperation:
    return next(iter(bodies_of(snapshot, definition)), definition)


def _functions(snapshot: Snapshot, placed: PlacedEntity) -> Iterator[DefiningOperation]:
    target = target_of(placed)
    if isinstance(target, SymbolTarget) and is_function(target.definition.operation):
        yield target.definition
    if target is None and isinstance(placed.entity, UsedSymbol):
        yield from other_definitions(snapshot, placed.context, placed.entity.path)
    if isinstance(placed.entity, OperationName):
        operation = placed.entity.operation
        if is_function(operation):
            yield DefiningOperation(placed.context, operation)
        else:
            yield from (callee for callee, _ in _referenced(snapshot, placed.context, operation))


def _referenced(snapshot: Snapshot, context: Context, operation: Operation) -> Iterator[tuple[DefiningOperation, Span]]:
    for use in symbol_uses_of(context, operation):
        meaning = meaning_of(context, use.path, operation)
        found = [meaning] if meaning is not None else other_definitions(snapshot, context, use.path)
        yield from ((callee, use.span) for callee in found if is_function(callee.operation))


def _item(snapshot: Snapshot, definition: DefiningOperation) -> CallItem | None:
    context, operation = definition
    whole = snapshot.locate(InSection(context, operation.span))
    place = symbol_place(operation)
    if whole is None or place is None:
        return None
    selection = context.to_file(place)
    return CallItem(whole.uri, symbol_name(operation) or "", operation.name, whole.span, selection)


def _target_of(snapshot: Snapshot, item: CallItem) -> SymbolTarget | None:
    """Return the symbol of `item`, None if the file changed since and has another one there.

    Editors return the name as it was shown to them, without control characters.
    """
    placed = placed_entity_at(snapshot, item.uri, item.selection.start)
    target = target_of(placed) if placed is not None else None
    shown = printable_lines(item.name)
    return target if isinstance(target, SymbolTarget) and printable_lines(target.name) == shown else None
