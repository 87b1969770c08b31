"""Explains why payload operations do not satisfy a search: the requested property, and the actual one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.executing import meaning_of
from tdls.interpreter.matching.pattern_misses import pattern_misses, pattern_root_name
from tdls.interpreter.matching.searched_payload import SearchKind
from tdls.structs import NamedTuple
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.matching.searched_payload import HandleSearch, SearchedPayload
    from tdls.interpreter.runs.model import Place
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation


class Miss(NamedTuple):
    """A payload operation that does not satisfy a search."""

    place: Place | None
    message: str
    nearness: float = 0.0
    """Degree to which the search is satisfied: larger is nearer."""


def misses(search: HandleSearch, searched: SearchedPayload) -> list[Miss]:
    """Return the examined operations that do not satisfy a search, with reasons, the nearest miss first."""
    if search.kind is SearchKind.PATTERN:
        pattern = search.context.callee(search.operation)
        roots = [candidate.operation for candidate in searched.operations if candidate.operation is not None]
        found = pattern_misses(pattern, roots, searched.payload) if pattern is not None else []
        places = _places_inside(pattern, roots, searched) if pattern is not None else {}
        return [Miss(places.get(id(miss.operation)), miss.words, miss.met) for miss in found]
    several = [each for each in enumerate(searched.operations, 1) if each[1].operation is not None]
    unmet = meaning_of(search.operation).unmet
    if unmet is None:
        return [
            Miss(place, f"operation {number} is {payload.shown}") for number, (place, payload) in several if payload
        ]
    catalogue = search.context.catalogue
    tested = ((place, unmet(search.operation, payload, catalogue)) for _, (place, payload) in several if payload)
    missed = (
        Miss(place, answer.message if answer.help is None else f"{answer.message}: {answer.help}", answer.nearness)
        for place, answer in tested
        if answer is not None
    )
    return sorted(missed, key=lambda miss: miss.nearness, reverse=True)


def _places_inside(
    pattern: Operation, roots: Sequence[PayloadOperation], searched: SearchedPayload
) -> dict[int, Place]:
    """Return the positions of nested operations with the name that a pattern requests, by their identity.

    MLIR reports them in payload order, so the result is empty if one is nested in another. Operations that MLIR creates
    in implicit bodies have no position.
    """
    name = pattern_root_name(pattern)
    named = [operation for root in roots for operation in root.walk() if operation.name == name]
    nested = any(around.name == name for operation in named for around in operation.ancestors())
    places = [place for place in searched.inside if place is not None]
    if nested or len(named) != len(places):
        return {}
    return {id(operation): place for operation, place in zip(named, places, strict=True)}


def summary_of(search: HandleSearch, searched: SearchedPayload, found: list[Miss]) -> str | None:
    """Return the reason for a failed or empty search, or None if unknown."""
    held = f"`{search.target.shown}` holds {counted(searched.size, 'operation')}"
    if search.kind is SearchKind.SPLIT:
        return f"{counted(len(search.operation.results), 'handle')} asked for, but {held}"
    if not found:
        return None
    others = f" ({counted(len(found) - 1, 'other')} as well)" if len(found) > 1 else ""
    return f"{found[0].message}{others}"
