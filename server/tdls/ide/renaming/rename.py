"""Give a value, block, symbol or alias another name, everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.cursor.occurrences import occurrences, uses_of
from tdls.ide.cursor.target import SymbolTarget, ValueTarget, placed_entity_at, target_of, value_target
from tdls.ide.navigation.definition import definition_place
from tdls.ide.renaming.new_name import RenameError, checked_name, collision
from tdls.limits import EDITED_OPERATION
from tdls.text.diagnostic import TextEdit
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.cursor.occurrences import Occurrence
    from tdls.ide.cursor.target import Target
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Value


class Renamable(NamedTuple):
    """The name at the cursor, with its sigil, and its place in the file."""

    span: FileSpan
    name: str


def prepare_rename(snapshot: Snapshot, uri: str, offset: int) -> Renamable | None:
    """Return the name at `offset` if it can be changed; None where there is none, or its definition is not known."""
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if placed is None or target is None or not _is_editable(snapshot, target):
        return None
    span = _name_span(target, placed.span)
    return Renamable(span, placed.context.file.slice(span))


def rename(snapshot: Snapshot, uri: str, offset: int, new_name: str) -> dict[str, list[TextEdit]]:
    """Return the edits, by URI, that give the thing at `offset` the name `new_name`, with or without its sigil.

    Raises `RenameError` where there is nothing to rename, `new_name` is no name in MLIR, or it would come to mean
    something else in some place.
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
        found = list(occurrences(snapshot, renamed))
        problem = collision(snapshot, renamed, name, found)
        if problem is not None:
            raise RenameError(problem)
        _add_edits(edits, snapshot, renamed, name, found)
    return {uri: sorted(by_span.values(), key=lambda edit: edit.span) for uri, by_span in edits.items()}


def _whole_group(target: Target | None) -> Target | None:
    """A result has its name together with the others of its group."""
    if not isinstance(target, ValueTarget) or not target.values:
        return target
    return value_target(target.context, target.values[0], whole_group=True)


def _is_editable(snapshot: Snapshot, target: Target) -> bool:
    found = definition_place(target)
    return found is not None and snapshot.locate(found) is not None


def _may_be_left_out(snapshot: Snapshot, target: Target) -> bool:
    """Tell whether a symbol or alias seems to be named where nothing is looked for."""
    if isinstance(target, ValueTarget):
        return target.context.section.is_left_out
    pieces = (piece for file in snapshot.files.values() for piece in file.sections.pieces)
    return any(piece.section.is_left_out and target.name in piece.section.text for piece in pieces)


def _with_one_name(target: Target) -> list[Target]:
    """Return `target` and what has its name from it: arguments that are written as an operand of their operation.

    So ``%a`` in ``emitc.expression %a : (i32) -> i32 { ... }`` is an operand, and in the body an argument.
    """
    found: list[Target] = [target]
    known: set[Span] = set()
    for known_target in found:
        if isinstance(known_target, ValueTarget) and known_target.span not in known:
            known.add(known_target.span)
            targets = (value_target(known_target.context, value, whole_group=True) for value in _linked(known_target))
            found += [other for other in targets if other is not None]
    return found


def _linked(target: ValueTarget) -> Iterator[Value]:
    """Yield the values whose definition is written where `target` is used, or the other way round."""
    for value in target.values:
        if value.block is not None:
            parent = value.block.region.parent
            places = zip(parent.syntax.operands, parent.operands, strict=True)
            yield from (used for use, used in places if used is not None and use.span == value.span)
    for operation, span, _ in uses_of(target):
        for block in operation.blocks():
            yield from (argument for argument in block.arguments if argument.span == span)


def _add_edits(
    edits: dict[str, dict[FileSpan, TextEdit]], snapshot: Snapshot, target: Target, name: str, found: list[Occurrence]
) -> None:
    for occurrence in found:
        location = snapshot.locate(occurrence.place)
        if location is None:
            continue
        span = _name_span(target, location.span)
        is_string = occurrence.place.context.section.text.startswith('"', occurrence.place.span.start)
        new_text = f'"{name[1:].strip(chr(34))}"' if is_string else name
        edits.setdefault(location.uri, {})[span] = TextEdit(span, new_text)


def _name_span(target: Target, span: FileSpan) -> FileSpan:
    """Leave out what may follow the name where it is written: ``:2`` and ``#1``."""
    if isinstance(target, SymbolTarget):
        return span
    return FileSpan(span.start, span.start + len(target.name))
