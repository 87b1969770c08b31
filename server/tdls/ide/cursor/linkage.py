"""Linkage across files: resolves symbol and alias references, and groups the definitions of one symbol.

A function-like operation without a body is a declaration: the interpreter replaces it by the definition from a library
(`mergeSymbolsInto` of TransformInterpreterUtils.cpp). So a declaration and its bodies in libraries are one symbol.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.semantic.symbols import is_external, symbol_name
from tdls.structs import NamedTuple
from tdls.syntax.spellings import attribute_aliases_in, type_aliases_in
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context, DefiningOperation
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation


class FoundAlias(NamedTuple):
    """The definition of an alias: the place of its name, and its value in source form."""

    place: InSection
    value: str


def alias_definition(context: Context, name: str) -> FoundAlias | None:
    """Return the definition of the alias `name` (sigil included) in the part of the file of `context`."""
    begins = re.compile(rf"^[ \t]*{re.escape(name)}\s*=", re.MULTILINE)
    for other in _sections_with(context, name):
        if begins.search(other.section.text) is None:
            continue
        for member in other.tree.members:
            if member.alias is not None and member.alias.name == name:
                start = member.alias.start
                return FoundAlias(InSection(other, Span(start, start + len(name))), member.alias.value)
    return None


def alias_mentions(context: Context, name: str) -> Iterator[InSection]:
    """Yield each definition and use of the alias `name` in the part of the file, in textual order."""
    aliases_in = type_aliases_in if name[0] == "!" else attribute_aliases_in
    for other in _sections_with(context, name):
        for reference in aliases_in(other.section.text):
            if reference.path == (name[1:],):
                yield InSection(other, reference.span)


def _sections_with(context: Context, name: str) -> Iterator[Context]:
    file = context.file
    for piece in file.sections.pieces:
        if piece.begins_section and piece.part == context.part and name in piece.section.text:
            yield file.context_of(piece.section)


Key = tuple[int, "Span"]


def key_of(definition: DefiningOperation) -> Key:
    """Return a key that is equal for the same operation reached through several files."""
    return id(definition.context.section), definition.operation.location


def meaning_of(context: Context, path: Sequence[str], operation: Operation) -> DefiningOperation | None:
    """Resolve ``@a::@b``, used by `operation` of `context`, or None if no symbol in reach has that name."""
    definition = context.symbols.lookup_nearest(path, operation)
    return context.definition_of(definition) if definition is not None else None


def other_definitions(snapshot: Snapshot, context: Context, path: Sequence[str]) -> list[DefiningOperation]:
    """Return candidate definitions in other files of the snapshot for a ``@name`` that does not resolve.

    A program may merge files before it runs them.
    """
    if len(path) != 1:
        return []
    own = context.file.sections
    others = (file for _, file in snapshot.in_order if file.sections is not own and file.mentions(path[0]))
    exported = (file.exported(path[0]) for file in others)
    functions = (each for each in exported if each is not None and is_function(each.operation))
    return [function for function in functions if not is_external(function.operation)]


def is_function(operation: Operation) -> bool:
    """Return whether the operation is function-like: callable, with a body that a declaration may leave out."""
    return operation.has_trait("FunctionOpInterface") or operation.syntax.signature is not None


def is_declaration(operation: Operation) -> bool:
    """Return whether the operation is function-like and has no body."""
    return is_function(operation) and is_external(operation)


def bodies_of(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return the definitions with the body of a function: itself, or those in other files for a declaration.

    The libraries of its file are searched first; if they have none, all files of the snapshot are candidates.
    """
    certain = _certain_bodies(definition)
    if certain or not is_declaration(definition.operation):
        return certain
    own = definition.context.file.sections
    return _bodies_in((file for _, file in snapshot.in_order if file.sections is not own), definition)


def known_bodies(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return the certain bodies of a function: for a declaration those in libraries, or in the only file with one.

    If several files outside the libraries define the name, the reference is ambiguous and the result is empty.
    """
    certain = _certain_bodies(definition)
    if certain:
        return certain
    possible = bodies_of(snapshot, definition)
    return possible if len(possible) == 1 else []


def linked(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return all definitions that are certainly the same symbol as `definition`, itself first."""
    operation = definition.operation
    if not is_function(operation) or operation.parent is not None:
        return [definition]
    bodies = _certain_bodies(definition)
    keys = {key_of(body) for body in bodies}
    by_key = {key_of(definition): definition} | {key_of(body): body for body in bodies}
    for declaration in _declarations(snapshot, symbol_name(operation) or ""):
        if any(key_of(body) in keys for body in _certain_bodies(declaration)):
            by_key.setdefault(key_of(declaration), declaration)
    return list(by_key.values())


def _certain_bodies(definition: DefiningOperation) -> list[DefiningOperation]:
    if is_declaration(definition.operation):
        return _bodies_in(definition.context.file.libraries, definition)
    return [definition] if is_function(definition.operation) else []


def _bodies_in(files: Iterable[SourceFile], declaration: DefiningOperation) -> list[DefiningOperation]:
    name = symbol_name(declaration.operation) or ""
    exported = (file.exported(name) for file in files)
    return [
        definition
        for definition in exported
        if definition is not None
        and definition.operation.name == declaration.operation.name
        and not is_external(definition.operation)
    ]


def _declarations(snapshot: Snapshot, name: str) -> Iterator[DefiningOperation]:
    for _, file in snapshot.in_order:
        definition = file.exported(name)
        if definition is not None and is_declaration(definition.operation):
            yield definition
