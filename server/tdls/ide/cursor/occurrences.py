"""Occurrences (definitions and uses) of a value, block, symbol or alias, for references, highlights and rename."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.ide.cursor.entity import symbol_place, symbol_uses_of
from tdls.ide.cursor.linkage import alias_definition, alias_mentions, key_of, linked, meaning_of
from tdls.ide.cursor.target import AliasTarget, BlockTarget, ValueTarget
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.cursor.linkage import Key
    from tdls.ide.cursor.target import Target
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation, Value
    from tdls.text.span import Span


class Role(Enum):
    """The role of an occurrence."""

    DEFINITION = "definition"
    CONSUMPTION = "consumption"
    """The operation consumes the handle."""
    USE = "use"


class Occurrence(NamedTuple):
    """One definition or use of a target."""

    place: InSection
    role: Role
    operation: Operation | None
    """The operation that contains it, or None for aliases."""


def occurrences(snapshot: Snapshot, target: Target) -> Iterator[Occurrence]:
    """Yield the occurrences of `target` in all files of the snapshot, in textual order per file.

    Values and blocks are searched in the operation that owns them, aliases in their part of the file, symbols in the
    sections whose text contains their name.
    """
    if isinstance(target, ValueTarget):
        yield from _of_values(target)
    elif isinstance(target, BlockTarget):
        yield from _of_block(target)
    elif isinstance(target, AliasTarget):
        yield from _of_alias(target)
    else:
        keys = {key_of(definition) for definition in linked(snapshot, target.definition)}
        for file in snapshot.files.values():
            yield from symbol_occurrences(file, target.name, keys)


def _of_values(target: ValueTarget) -> Iterator[Occurrence]:
    context = target.context
    yield Occurrence(InSection(context, target.span), Role.DEFINITION, target.operation)
    if context.window is not None:
        yield from _in_windows(target)
        return
    for operation, span, value in uses_of(target):
        role = Role.CONSUMPTION if context.effects.consumes(operation, value) else Role.USE
        yield Occurrence(InSection(context, span), role, operation)


def _in_windows(target: ValueTarget) -> Iterator[Occurrence]:
    """Yield the uses of values in a long section, whose windows may have stand-ins for their definition."""
    definition, shown = target.context.to_file(target.span), {value.shown for value in target.values}
    for context in target.context.file.context_at(definition.start).readable:
        window = context.window
        for operation in context.model.walk() if window is not None and target.name in context.section.text else ():
            for use, value in zip(operation.syntax.operands, operation.operands, strict=True):
                is_same = value is not None and value.shown in shown and context.to_file(value.span) == definition
                if is_same and window is not None and window.holds(use.span):
                    yield Occurrence(InSection(context, use.span), Role.USE, operation)


def uses_of(target: ValueTarget) -> Iterator[tuple[Operation, Span, Value]]:
    """Yield each operand that is one of the values: the operation, the span in the section and the value."""
    identities = {id(value) for value in target.values}
    for operation in _scope(target):
        for use, value in zip(operation.syntax.operands, operation.operands, strict=True):
            if value is not None and id(value) in identities:
                yield operation, use.span, value


def _scope(target: ValueTarget) -> Iterator[Operation]:
    """Yield all operations in the scope of the values: those of the region that defines them."""
    block = target.values[0].owner_block if target.values else None
    if block is not None:
        yield from block.region.parent.walk()
    elif target.values:
        yield from target.context.model.walk()


def _of_block(target: BlockTarget) -> Iterator[Occurrence]:
    region = target.block.region
    span = target.block.syntax.label_span
    yield Occurrence(InSection(target.context, span), Role.DEFINITION, region.parent)
    for block in region.blocks:
        for operation in block.operations:
            for successor in operation.syntax.successors:
                if successor.label == target.name:
                    start = successor.start
                    place = span._replace(start=start, end=start + len(target.name))
                    yield Occurrence(InSection(target.context, place), Role.USE, operation)


def _of_alias(target: AliasTarget) -> Iterator[Occurrence]:
    definition = alias_definition(target.context, target.name)
    for place in alias_mentions(target.context, target.name):
        is_definition = definition is not None and definition.place == place
        yield Occurrence(place, Role.DEFINITION if is_definition else Role.USE, None)


def symbol_occurrences(file: SourceFile, name: str, keys: set[Key]) -> Iterator[Occurrence]:
    """Yield the occurrences in `file` of the symbol `name` that resolve to one of the definitions `keys`."""
    for context in _sections_with(file, name):
        for operation in context.model.walk():
            yield from _in_operation(context, operation, name, keys)


def _sections_with(file: SourceFile, name: str) -> Iterator[Context]:
    """Yield the sections whose text contains the symbol `name`."""
    spellings = (f"@{name}", f'"{name}"')
    for piece in file.sections.pieces:
        if piece.begins_section and any(spelling in piece.section.text for spelling in spellings):
            yield file.context_of(piece.section)


def _in_operation(context: Context, operation: Operation, name: str, keys: set[Key]) -> Iterator[Occurrence]:
    place = symbol_place(operation) if symbol_name(operation) == name else None
    if place is not None and (id(context.section), operation.location) in keys:
        yield Occurrence(InSection(context, place), Role.DEFINITION, operation)
    for use in symbol_uses_of(context, operation):
        meaning = meaning_of(context, use.path, operation) if use.path[-1] == name else None
        if meaning is not None and key_of(meaning) in keys:
            yield Occurrence(InSection(context, use.span), Role.USE, operation)
