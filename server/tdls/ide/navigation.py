"""Document links: the files that RUN lines and ``// tdls:`` comments name."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context import InSection
from tdls.analysis.file.file_instructions import file_instructions
from tdls.ide.cursor.entity import OperationName, UsedSymbol, symbol_place
from tdls.ide.cursor.linkage import alias_definition, bodies_of, elsewhere, key_of, known_bodies, linked, meaning_of
from tdls.ide.cursor.occurrences import Role, occurrences, symbol_occurrences
from tdls.ide.cursor.target import AliasTarget, BlockTarget, SymbolTarget, ValueTarget, placed_entity_at, target_of
from tdls.semantic.run_lines import expand_path
from tdls.semantic.symbols import symbol_name
from tdls.syntax.details import type_aliases_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import PurePath

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.cursor.occurrences import Occurrence
    from tdls.ide.cursor.target import PlacedEntity, Target
    from tdls.ide.snapshot import Location, Snapshot
    from tdls.semantic.model import Value
    from tdls.text.span import FileSpan


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


def type_definition(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the definitions of the aliases that spell the type of the value at `offset`, or of the type alias there.

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
    """Return the type of `value` as it is written; None where it is not."""
    if value.operation is not None:
        node = value.operation.syntax
        types = node.result_types if node.result_types and len(node.result_types) == node.result_count else None
        return types[value.index].text if types is not None else None
    arguments = value.block.syntax.arguments if value.block is not None else ()
    spelled = arguments[value.index].type if value.index < len(arguments) else None
    return spelled.text if spelled is not None else None


def _definitions(snapshot: Snapshot, context: Context, names: tuple[str, ...]) -> list[Location]:
    found = (alias_definition(context, name) for name in names)
    locations = (snapshot.locate(alias.place) for alias in found if alias is not None)
    return [location for location in locations if location is not None]


def references(snapshot: Snapshot, uri: str, offset: int, *, include_definition: bool = True) -> list[Location]:
    """Return where the value, block, symbol or alias at `offset` is named, file by file in the order of the text.

    Symbols are looked for in all files of the snapshot. On a result group all of its values are meant, on a use of one
    result only that one.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if target is None:
        return []
    found = occurrences(snapshot, target)
    wanted = (occurrence for occurrence in found if include_definition or occurrence.role is not Role.DEFINITION)
    locations = (snapshot.locate(occurrence.place) for occurrence in wanted)
    return [location for location in dict.fromkeys(locations) if location is not None]


class Highlight(NamedTuple):
    """A place in the file, and whether it defines, consumes or only uses the thing."""

    span: FileSpan
    role: Role


def document_highlight(snapshot: Snapshot, uri: str, offset: int) -> list[Highlight]:
    """Return where the value, block, symbol or alias at `offset` is named in its file, in the order of the text."""
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if placed is None or target is None:
        return []
    file = placed.context.file
    found = _in_file(snapshot, file, target)
    spans = {occurrence.place.in_file: occurrence.role for occurrence in found}
    return [Highlight(span, role) for span, role in sorted(spans.items(), key=lambda item: item[0])]


def _in_file(snapshot: Snapshot, file: SourceFile, target: Target) -> Iterator[Occurrence]:
    if not isinstance(target, SymbolTarget):
        return occurrences(snapshot, target)
    keys = {key_of(definition) for definition in linked(snapshot, target.definition)}
    return symbol_occurrences(file, target.name, keys)


class DocumentLink(NamedTuple):
    """A path in the text that leads to a file."""

    span: FileSpan
    target: PurePath


def document_links(
    snapshot: Snapshot, uri: str, path: PurePath, is_file: Callable[[PurePath], bool]
) -> list[DocumentLink]:
    """Return the links of the file at `path`, in the order of the text, to what `is_file` says is there.

    Relative paths count from the folder of the file.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    said = file_instructions(file)
    links: list[DocumentLink] = []
    for written in (*said.libraries, *said.payloads, *said.files):
        expanded = expand_path(written.text, source=str(path), folder=str(path.parent))
        target = type(path)(os.path.normpath(path.parent / expanded)) if expanded is not None else None
        if target is not None and is_file(target):
            links.append(DocumentLink(written.span, target))
    return sorted(links)
