"""Symbols over files: what a reference means, and which definitions are one symbol.

A function-like operation without a body is a declaration: the interpreter puts the body from a library in its place
(`mergeSymbolsInto` of TransformInterpreterUtils.cpp). So a declaration and its bodies in libraries are one symbol.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context import InSection
from tdls.semantic.symbols import is_external, symbol_name
from tdls.syntax.details import attribute_aliases_in, type_aliases_in
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context, DefiningOperation
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation
    from tdls.syntax.details import Reference


class FoundAlias(NamedTuple):
    """The definition of an alias: the place of its name, and its value as written."""

    place: InSection
    value: str


def alias_definition(context: Context, name: str) -> FoundAlias | None:
    """Return the definition of the alias `name`, sigil included, that the section of `context` sees."""
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
    """Yield every place in the part of the file where the alias `name` is defined or used, in the order of the text."""
    for other in _sections_with(context, name):
        for reference in aliases_in(other.section.text, name[0]):
            if reference.path == (name[1:],):
                yield InSection(other, reference.span)


def aliases_in(text: str, sigil: str) -> tuple[Reference, ...]:
    """Return the mentions of type aliases (`sigil` ``!``) or attribute aliases (``#``) in a text."""
    return type_aliases_in(text) if sigil == "!" else attribute_aliases_in(text)


def _sections_with(context: Context, name: str) -> Iterator[Context]:
    file = context.file
    for piece in file.sections.pieces:
        if piece.begins_section and piece.part == context.part and name in piece.section.text:
            yield file.context_of(piece.section)


Key = tuple[int, "Span"]


def key_of(definition: DefiningOperation) -> Key:
    """Return what is equal for the same operation seen from several files."""
    return id(definition.context.section), definition.operation.location


def meaning_of(context: Context, path: Sequence[str], operation: Operation) -> DefiningOperation | None:
    """Return what ``@a::@b`` means for `operation` of `context`; None where it means nothing that is known."""
    found = context.symbols.lookup_nearest(path, operation)
    return context.definition_of(found) if found is not None else None


def elsewhere(snapshot: Snapshot, context: Context, path: Sequence[str]) -> list[DefiningOperation]:
    """Return what files of the snapshot define that ``@name`` may mean where it means nothing that is in reach.

    Programs may put files together before they run them.
    """
    if len(path) != 1:
        return []
    own = context.file.sections
    others = (file for _, file in snapshot.in_order if file.sections is not own and path[0] in file.text)
    found = (file.exported(path[0]) for file in others)
    return [definition for definition in found if definition is not None and _has_body(definition.operation)]


def means_elsewhere(definition: DefiningOperation, path: Sequence[str], meaning: DefiningOperation | None) -> bool:
    """Tell whether ``@name`` in another file, where it means `meaning`, may mean `definition`.

    So it is where nothing is in reach (see `elsewhere`), and for a declaration without a body (see `bodies_of`).
    """
    operation, context = definition.operation, definition.context
    if len(path) != 1 or not _has_body(operation):
        return False
    offered = context.file.exported(path[0])
    if offered is None or key_of(offered) != key_of(definition):
        return False
    if meaning is None:
        return True
    return (
        is_declaration(meaning.operation) and meaning.operation.name == operation.name and not _certain_bodies(meaning)
    )


def _has_body(operation: Operation) -> bool:
    return is_function(operation) and not is_external(operation)


def is_function(operation: Operation) -> bool:
    """Tell whether the operation is like a function: it may be called, and be declared without a body."""
    return operation.has_trait("FunctionOpInterface") or operation.syntax.signature is not None


def is_declaration(operation: Operation) -> bool:
    """Tell whether the operation is a function without a body."""
    return is_function(operation) and is_external(operation)


def bodies_of(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return where a function has its body: itself, or for a declaration the definitions of other files.

    The libraries of its file are asked first; where they have none, all files of the snapshot: these may be the ones.
    """
    certain = _certain_bodies(definition)
    if certain or not is_declaration(definition.operation):
        return certain
    own = definition.context.file.sections
    return _bodies_in((file for _, file in snapshot.in_order if file.sections is not own), definition)


def known_bodies(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return where a function is known to have its body: for a declaration in libraries, or the one file that has it.

    Several files besides the libraries may define the same name; which of them is meant is unknown then.
    """
    certain = _certain_bodies(definition)
    if certain:
        return certain
    possible = bodies_of(snapshot, definition)
    return possible if len(possible) == 1 else []


def linked(snapshot: Snapshot, definition: DefiningOperation) -> list[DefiningOperation]:
    """Return all definitions that are certain to be one symbol with `definition`, itself first."""
    operation = definition.operation
    if not is_function(operation) or operation.parent is not None:
        return [definition]
    bodies = _certain_bodies(definition)
    keys = {key_of(body) for body in bodies}
    found = {key_of(definition): definition} | {key_of(body): body for body in bodies}
    for declaration in _declarations(snapshot, symbol_name(operation) or ""):
        if any(key_of(body) in keys for body in _certain_bodies(declaration)):
            found.setdefault(key_of(declaration), declaration)
    return list(found.values())


def _certain_bodies(definition: DefiningOperation) -> list[DefiningOperation]:
    if is_declaration(definition.operation):
        return _bodies_in(definition.context.file.libraries, definition)
    return [definition] if is_function(definition.operation) else []


def _bodies_in(files: Iterable[SourceFile], declaration: DefiningOperation) -> list[DefiningOperation]:
    name = symbol_name(declaration.operation) or ""
    found = (file.exported(name) for file in files)
    return [
        definition
        for definition in found
        if definition is not None
        and definition.operation.name == declaration.operation.name
        and not is_external(definition.operation)
    ]


def _declarations(snapshot: Snapshot, name: str) -> Iterator[DefiningOperation]:
    for _, file in snapshot.in_order:
        found = file.exported(name)
        if found is not None and is_declaration(found.operation):
            yield found
