"""Give a value, block, symbol or alias another name, everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.definition import definition_place
from tdls.ide.new_name import RenameError, checked_name, collision
from tdls.ide.occurrences import occurrences
from tdls.ide.target import SymbolTarget, ValueTarget, place_at, target_of
from tdls.text.diagnostic import TextEdit
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.ide.occurrences import Occurrence
    from tdls.ide.snapshot import Snapshot
    from tdls.ide.target import Target


class Renamable(NamedTuple):
    """The name at the cursor, with its sigil, and its place in the file."""

    span: Span
    name: str


def prepare_rename(snapshot: Snapshot, uri: str, offset: int) -> Renamable | None:
    """Return the name at `offset` if it can be changed; None where there is none, or its definition is not known."""
    place = place_at(snapshot, uri, offset)
    target = target_of(place) if place is not None else None
    if place is None or target is None or not _is_editable(snapshot, target):
        return None
    span = _name_span(target, place.span)
    return Renamable(span, place.context.file.slice(span))


def rename(snapshot: Snapshot, uri: str, offset: int, new_name: str) -> dict[str, list[TextEdit]]:
    """Return the edits, by URI, that give the thing at `offset` the name `new_name`, with or without its sigil.

    Raises `RenameError` where there is nothing to rename, `new_name` is no name in MLIR, or it would come to mean
    something else in some place.
    """
    place = place_at(snapshot, uri, offset)
    target = _whole_group(target_of(place)) if place is not None else None
    if target is None:
        raise RenameError("there is no name here whose definition is known")
    if not _is_editable(snapshot, target):
        raise RenameError("it is defined in a file that is not part of the workspace")
    name = checked_name(target, new_name)
    found = list(occurrences(snapshot, target))
    problem = collision(target, name, found)
    if problem is not None:
        raise RenameError(problem)
    return _edits(snapshot, target, name, found)


def _whole_group(target: Target | None) -> Target | None:
    """A result has its name together with the others of its group."""
    if not isinstance(target, ValueTarget):
        return target
    values = tuple(value for value in target.operation.results if value.span == target.span)
    return replace(target, values=values) if values else target


def _is_editable(snapshot: Snapshot, target: Target) -> bool:
    found = definition_place(target)
    return found is not None and snapshot.locate(*found) is not None


def _edits(snapshot: Snapshot, target: Target, name: str, found: list[Occurrence]) -> dict[str, list[TextEdit]]:
    edits: dict[str, dict[Span, TextEdit]] = {}
    for occurrence in found:
        location = snapshot.locate(occurrence.context, occurrence.span)
        if location is None:
            continue
        span = _name_span(target, location.span)
        is_string = occurrence.context.section.text.startswith('"', occurrence.span.start)
        new_text = f'"{name[1:].strip(chr(34))}"' if is_string else name
        edits.setdefault(location.uri, {})[span] = TextEdit(span, new_text)
    return {uri: sorted(by_span.values(), key=lambda edit: edit.span) for uri, by_span in edits.items()}


def _name_span(target: Target, span: Span) -> Span:
    """Leave out what may follow the name where it is written: ``:2`` and ``#1``."""
    if isinstance(target, SymbolTarget):
        return span
    return Span(span.start, span.start + len(target.name))
