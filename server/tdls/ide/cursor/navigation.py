"""Navigation: definition, declaration, implementation, type definition, references, highlights and document links."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.analysis.file.file_instructions import file_instructions
from tdls.ide.cursor.entity import OperationName, UsedSymbol, symbol_place
from tdls.ide.cursor.linkage import (
    alias_definition,
    bodies_of,
    key_of,
    known_bodies,
    linked,
    meaning_of,
    other_definitions,
)
from tdls.ide.cursor.occurrences import Role, occurrences, symbol_occurrences
from tdls.ide.cursor.target import AliasTarget, BlockTarget, SymbolTarget, ValueTarget, placed_entity_at, target_of
from tdls.semantic.run_lines import expand_path
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple
from tdls.syntax.spellings import type_aliases_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import PurePath

    from tdls.analysis.file.context import Context
    from tdls.ide.cursor.target import PlacedEntity, Target
    from tdls.ide.snapshot import Location, Snapshot
    from tdls.semantic.model import Value
    from tdls.text.span import FileSpan


def definition(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the definition of the value, block, symbol or alias at `offset`; empty if there is no such entity.

    A symbol may be defined in another section or in a library. The definition of a declaration is its body, or itself
    if no body is known. A symbol that does not resolve in these is searched in all files.
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
    """Return the declaration of the entity at `offset`: as `definition`, but without replacing it by its body."""
    placed = placed_entity_at(snapshot, uri, offset)
    return _located(snapshot, _declared_places(snapshot, placed, target_of(placed))) if placed is not None else []


def _declared_places(snapshot: Snapshot, placed: PlacedEntity, target: Target | None) -> list[InSection | None]:
    return [definition_place(target)] if target is not None else _places_in_other_files(snapshot, placed)


def _located(snapshot: Snapshot, places: Iterable[InSection | None]) -> list[Location]:
    locations = (snapshot.locate(place) for place in places if place is not None)
    return [location for location in dict.fromkeys(locations) if location is not None]


def _places_in_other_files(snapshot: Snapshot, placed: PlacedEntity) -> list[InSection | None]:
    entity = placed.entity
    if not isinstance(entity, UsedSymbol):
        return []
    definitions = other_definitions(snapshot, placed.context, entity.path)
    return [symbol_definition_place(SymbolTarget(entity.path[-1], definition)) for definition in definitions]


def definition_place(target: Target) -> InSection | None:
    """Return the place of the name in the definition of `target`, or None for an undefined alias."""
    if isinstance(target, ValueTarget):
        return InSection(target.context, target.span)
    if isinstance(target, BlockTarget):
        return InSection(target.context, target.block.syntax.label_span)
    if isinstance(target, AliasTarget):
        alias = alias_definition(target.context, target.name)
        return alias.place if alias is not None else None
    return symbol_definition_place(target)


def symbol_definition_place(target: SymbolTarget) -> InSection:
    """Return the place of the symbol's name in its definition."""
    context, operation = target.definition
    return InSection(context, symbol_place(operation) or operation.location)


def implementation(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the bodies of the symbol at `offset`, or of all symbols that the operation named there refers to.

    The body of a declaration is searched in the libraries of its file, then in all files of the snapshot.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is None:
        return []
    bodies = ((target.name, body) for target in _symbols(placed) for body in bodies_of(snapshot, target.definition))
    return _located(snapshot, (symbol_definition_place(SymbolTarget(name, body)) for name, body in bodies))


def _symbols(placed: PlacedEntity) -> Iterator[SymbolTarget]:
    target = target_of(placed)
    if isinstance(target, SymbolTarget):
        yield target
    if isinstance(placed.entity, OperationName):
        operation = placed.entity.operation
        for use in operation.syntax.symbols:
            definition = meaning_of(placed.context, use.path, operation)
            if definition is not None:
                yield SymbolTarget(symbol_name(definition.operation) or "", definition)


def type_definition(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the definitions of the aliases in the type of the value at `offset`, or of the type alias there.

    Empty for values whose type is spelled without aliases.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if isinstance(target, AliasTarget):
        return _definitions(snapshot, target.context, (target.name,)) if target.name.startswith("!") else []
    if isinstance(target, ValueTarget):
        spelled = (spelled_type(value) or "" for value in target.values)
        names = [f"!{reference.path[0]}" for text in spelled for reference in type_aliases_in(text)]
        return _definitions(snapshot, target.context, tuple(dict.fromkeys(names)))
    return []


def spelled_type(value: Value) -> str | None:
    """Return the type of `value` in source form, or None if the source leaves it out."""
    if value.operation is not None:
        node = value.operation.syntax
        types = node.result_types if node.result_types and len(node.result_types) == node.result_count else None
        return types[value.index].text if types is not None else None
    arguments = value.block.syntax.arguments if value.block is not None else ()
    spelled = arguments[value.index].type if value.index < len(arguments) else None
    return spelled.text if spelled is not None else None


def _definitions(snapshot: Snapshot, context: Context, names: tuple[str, ...]) -> list[Location]:
    aliases = (alias_definition(context, name) for name in names)
    locations = (snapshot.locate(alias.place) for alias in aliases if alias is not None)
    return [location for location in locations if location is not None]


def references(snapshot: Snapshot, uri: str, offset: int, *, include_definition: bool = True) -> list[Location]:
    """Return the occurrences of the value, block, symbol or alias at `offset`, file by file in textual order.

    Symbols are searched in all files of the snapshot. The definition of a result group stands for all of its values, a
    use for one result only.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if target is None:
        return []
    known = occurrences(snapshot, target)
    kept = (occurrence for occurrence in known if include_definition or occurrence.role is not Role.DEFINITION)
    return _located(snapshot, (occurrence.place for occurrence in kept))


class Highlight(NamedTuple):
    """An occurrence in the file with its role."""

    span: FileSpan
    role: Role


def document_highlight(snapshot: Snapshot, uri: str, offset: int) -> list[Highlight]:
    """Return the occurrences of the value, block, symbol or alias at `offset` in its file, in textual order."""
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if placed is None or target is None:
        return []
    if isinstance(target, SymbolTarget):
        keys = {key_of(definition) for definition in linked(snapshot, target.definition)}
        shown = symbol_occurrences(placed.context.file, target.name, keys)
    else:
        shown = occurrences(snapshot, target)
    spans = {occurrence.place.in_file: occurrence.role for occurrence in shown}
    return [Highlight(span, role) for span, role in sorted(spans.items(), key=lambda item: item[0])]


class DocumentLink(NamedTuple):
    """A path in the text, and the file it refers to."""

    span: FileSpan
    target: PurePath


def document_links(snapshot: Snapshot, uri: str, path: PurePath, is_file: Callable[[str], bool]) -> list[DocumentLink]:
    """Return the links of the file at `path` to existing files, in textual order.

    They are in RUN lines and ``// tdls:`` comments; relative paths are relative to the folder of the file. `is_file`
    tells whether such a path leads to a file.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    instructions = file_instructions(file)
    links: list[DocumentLink] = []
    for written in (*instructions.libraries, *instructions.payloads, *instructions.files):
        expanded = expand_path(written.text, source=path.name, folder=".")
        if expanded is not None and is_file(expanded):
            links.append(DocumentLink(written.span, type(path)(os.path.normpath(path.parent / expanded))))
    return sorted(links)
