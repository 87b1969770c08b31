"""Rename: changes the name of a value, block, symbol or alias in all files, if no reference changes its meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.ide.cursor.entity import symbol_uses_of
from tdls.ide.cursor.linkage import alias_definition, meaning_of
from tdls.ide.cursor.navigation import definition_place
from tdls.ide.cursor.occurrences import Role, occurrences, uses_of
from tdls.ide.cursor.target import (
    AliasTarget,
    BlockTarget,
    SymbolTarget,
    ValueTarget,
    placed_entity_at,
    target_of,
    value_target,
)
from tdls.limits import EDITED_OPERATION
from tdls.semantic.resolver import is_isolated
from tdls.structs import NamedTuple
from tdls.text.diagnostic import TextEdit
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.cursor.occurrences import Occurrence
    from tdls.ide.cursor.target import Target
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Block, Operation, Region, Value

_SUFFIX = r"\d+|[A-Za-z_$.\-][\w$.\-]*"
_RULES: dict[type[Target], tuple[re.Pattern[str], str]] = {
    ValueTarget: (re.compile(_SUFFIX, re.ASCII), "digits, or letters, digits and `_`, `$`, `.`, `-`"),
    BlockTarget: (re.compile(_SUFFIX, re.ASCII), "digits, or letters, digits and `_`, `$`, `.`, `-`"),
    SymbolTarget: (
        re.compile(r'[A-Za-z_][\w$.]*|"[^"\\\n]+"', re.ASCII),
        "letters, digits, `_`, `$` and `.`, with no digit first, or anything in quotes",
    ),
    AliasTarget: (re.compile(r"[A-Za-z_][\w$]*", re.ASCII), "letters, digits, `_` and `$`, with no digit first"),
}
"""Valid names; they follow the suffixes and bare identifiers of MLIR's lexer (mlir/lib/AsmParser/Lexer.cpp)."""


class RenameError(Exception):
    """A rename is impossible; the message is a sentence for the user, without a full stop."""


def checked_name(target: Target, new_name: str) -> str:
    """Return `new_name` with the sigil of `target`. Raises `RenameError` if it is not a valid name of this kind."""
    sigil = "@" if isinstance(target, SymbolTarget) else target.name[0]
    name = new_name.strip().removeprefix(sigil)
    pattern, rule = _RULES[type(target)]
    if not pattern.fullmatch(name):
        raise RenameError(f"`{sigil}{name}` is not a valid name: it consists of {rule}")
    return sigil + name


def collision(snapshot: Snapshot, target: Target, name: str, present: list[Occurrence]) -> str | None:
    """Return the collision of the valid `name` if `target`, with the occurrences `present`, had it, or None."""
    if isinstance(target, ValueTarget):
        return _value_collision(target, name) if name != target.name else None
    if isinstance(target, BlockTarget):
        labels = {block.syntax.label for block in target.block.region.blocks if block is not target.block}
        return f"there is another block `{name}` in the region" if name in labels else None
    if isinstance(target, AliasTarget):
        taken = name != target.name and alias_definition(target.context, name) is not None
        return f"there is another alias `{name}`" if taken else None
    plain = name[1:].strip('"')
    is_free = plain == target.name or not _is_mentioned(snapshot, plain)
    return None if is_free else _symbol_collision(plain, present)


# Values


def _value_collision(target: ValueTarget, name: str) -> str | None:
    if not target.values:
        signature = target.operation.syntax.signature
        taken = signature is not None and any(argument.name == name for argument in signature.arguments)
        return f"there is another argument `{name}`" if taken else None
    model = target.context.model
    if name in set(_names_in_reach(model.operations, target.values[0].owner_block)):
        return f"there is another value `{name}` in reach"
    if target.values[0].block is not None and any(use.name == name for use in target.operation.syntax.operands):
        return f"`{name}` is an operand of the operation whose argument this is"
    if any(use.name.partition("#")[0] == name for use in model.unresolved):
        return f"`{name}` is used already, though nothing defines it"
    return None


def _names_in_reach(operations: list[Operation], block: Block | None) -> Iterator[str]:
    """Yield the names that values of `block` must not have: those defined in its region, nested in it and around it.

    `operations` are the outermost ones; if `block` is None, they are its content.
    """
    yield from _names_in(block.region if block is not None else operations, is_nested=True)
    region = block.region if block is not None else None
    while region is not None and not is_isolated(region.parent):
        outer = region.parent.block
        region = outer.region if outer is not None else None
        yield from _names_in(operations if region is None else region, is_nested=False)


def _names_in(scope: Region | list[Operation], *, is_nested: bool) -> Iterator[str]:
    """Yield the names of arguments and results in a region, or the content of a file, and in regions nested in it."""
    if not isinstance(scope, list):
        yield from (argument.name for block in scope.blocks for argument in block.arguments)
        scope = [operation for block in scope.blocks for operation in block.operations]
    for operation in scope:
        yield from (group.name for group in operation.syntax.results)
        for region in operation.regions if is_nested and not is_isolated(operation) else ():
            yield from _names_in(region, is_nested=True)


# Symbols


def _is_mentioned(snapshot: Snapshot, name: str) -> bool:
    """Return whether the text of any file that a reference may lead to contains `name`."""
    files = [*snapshot.files.values(), *(library for file in snapshot.files.values() for library in file.libraries)]
    return any(name in piece.section.text for file in files for piece in file.sections.pieces)


def _symbol_collision(name: str, present: list[Occurrence]) -> str | None:
    """Return why `name` is not free; it must not resolve yet at the definition and the uses of the symbol.

    Each reference is resolved from its own operation, with the names before the last one unchanged.
    """
    for occurrence in present:
        operation = occurrence.operation
        if operation is None:
            continue
        path = (*_scope_of(occurrence), name)
        if meaning_of(occurrence.place.context, path, operation) is not None:
            written = f"`@{'::@'.join(path)}`"
            where = "beside its definition" if occurrence.role is Role.DEFINITION else "where it is used"
            return f"{written} means something already {where}"
        if occurrence.role is Role.DEFINITION and _would_capture(occurrence.place.context, operation, name):
            return f"`@{name}` is used already where this symbol can be seen"
    return None


def _would_capture(context: Context, definition: Operation, name: str) -> bool:
    """Return whether an existing reference would resolve to `definition` if it had the symbol `name`."""
    parent = definition.parent
    if parent is not None:
        return _refers(context, parent, name)
    pieces = context.file.sections.pieces
    texts = (piece for piece in pieces if piece.begins_section and f"@{name}" in piece.section.text)
    sections = (context.file.context_of(piece.section) for piece in texts if piece.part == context.part)
    return any(_refers(other, operation, name) for other in sections for operation in other.model.operations)


def _refers(context: Context, operation: Operation, name: str) -> bool:
    uses = (use for nested in operation.walk() for use in symbol_uses_of(context, nested))
    return any(use.path[0] == name for use in uses)


def _scope_of(occurrence: Occurrence) -> tuple[str, ...]:
    """Return the names before the occurrence in its reference: ``("a",)`` for ``@b`` of ``@a::@b``."""
    operation = occurrence.operation
    if operation is None or occurrence.role is Role.DEFINITION:
        return ()
    uses = symbol_uses_of(occurrence.place.context, operation)
    return next((use.path[:-1] for use in uses if use.span == occurrence.place.span), ())


class Renamable(NamedTuple):
    """The name at the cursor, with its sigil, and its span in the file."""

    span: FileSpan
    name: str


def prepare_rename(snapshot: Snapshot, uri: str, offset: int) -> Renamable | None:
    """Return the name at `offset` if it can be renamed, or None if there is none, or its definition is unknown."""
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if placed is None or target is None or not _is_editable(snapshot, target):
        return None
    span = _name_span(target, placed.span)
    return Renamable(span, placed.context.file.slice(span))


def rename(snapshot: Snapshot, uri: str, offset: int, new_name: str) -> dict[str, list[TextEdit]]:
    """Return the edits, by URI, that rename the entity at `offset` to `new_name`, given with or without its sigil.

    Raises `RenameError` if there is nothing to rename, `new_name` is not a valid name, or a reference would change its
    meaning.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = _whole_group(target_of(placed)) if placed is not None else None
    if target is None or definition_place(target) is None:
        raise RenameError("there is no name here whose definition is known")
    if not _is_editable(snapshot, target):
        raise RenameError("it is defined in a file that is not part of the workspace")
    if _may_be_left_out(snapshot, target):
        raise RenameError(f"it may be used in an operation of which only the beginning is read ({EDITED_OPERATION})")
    name = checked_name(target, new_name)
    edits: dict[str, dict[FileSpan, TextEdit]] = {}
    for renamed in _with_one_name(target):
        present = list(occurrences(snapshot, renamed))
        problem = collision(snapshot, renamed, name, present)
        if problem is not None:
            raise RenameError(problem)
        _add_edits(edits, snapshot, renamed, name, present)
    return {uri: sorted(by_span.values(), key=lambda edit: edit.span) for uri, by_span in edits.items()}


def _whole_group(target: Target | None) -> Target | None:
    """Extend a result to its group, as all results of a group share the name."""
    if not isinstance(target, ValueTarget) or not target.values:
        return target
    return value_target(target.context, target.values[0], whole_group=True)


def _is_editable(snapshot: Snapshot, target: Target) -> bool:
    place = definition_place(target)
    return place is not None and snapshot.locate(place) is not None


def _may_be_left_out(snapshot: Snapshot, target: Target) -> bool:
    """Return whether the target may occur in sections that are left out of the search because of their size."""
    if isinstance(target, ValueTarget):
        return target.context.section.is_left_out or target.context.window is not None
    pieces = (piece for file in snapshot.files.values() for piece in file.sections.pieces)
    return any(piece.section.is_left_out and target.name in piece.section.text for piece in pieces)


def _with_one_name(target: Target) -> list[Target]:
    """Return `target` and all values that share its name: block arguments that are spelled as operands.

    So ``%a`` in ``emitc.expression %a : (i32) -> i32 { ... }`` is an operand, and in the body an argument.
    """
    targets_of_name: list[Target] = [target]
    known: set[Span] = set()
    for known_target in targets_of_name:
        if isinstance(known_target, ValueTarget) and known_target.span not in known:
            known.add(known_target.span)
            targets = (value_target(known_target.context, value, whole_group=True) for value in _linked(known_target))
            targets_of_name += [other for other in targets if other is not None]
    return targets_of_name


def _linked(target: ValueTarget) -> Iterator[Value]:
    """Yield the values whose definition has the span of a use of `target`, and those whose use has its definition's."""
    for value in target.values:
        if value.block is not None:
            parent = value.block.region.parent
            places = zip(parent.syntax.operands, parent.operands, strict=True)
            yield from (used for use, used in places if used is not None and use.span == value.span)
    for operation, span, _ in uses_of(target):
        for block in operation.blocks():
            yield from (argument for argument in block.arguments if argument.span == span)


def _add_edits(
    edits: dict[str, dict[FileSpan, TextEdit]], snapshot: Snapshot, target: Target, name: str, present: list[Occurrence]
) -> None:
    for occurrence in present:
        location = snapshot.locate(occurrence.place)
        if location is None:
            continue
        span = _name_span(target, location.span)
        is_string = occurrence.place.context.section.text.startswith('"', occurrence.place.span.start)
        new_text = f'"{name[1:].strip(chr(34))}"' if is_string else name
        edits.setdefault(location.uri, {})[span] = TextEdit(span, new_text)


def _name_span(target: Target, span: FileSpan) -> FileSpan:
    """Return the span of the bare name, without a suffix ``:2`` or ``#1``."""
    if isinstance(target, SymbolTarget):
        return span
    return FileSpan(span.start, span.start + len(target.name))
