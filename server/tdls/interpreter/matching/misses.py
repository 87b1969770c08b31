"""Explains why payload operations do not satisfy a search: the requested property, and the actual one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.executing import meaning_of
from tdls.interpreter.matching.searched_payload import SearchKind
from tdls.structs import NamedTuple
from tdls.text.wording import counted

if TYPE_CHECKING:
    from tdls.interpreter.matching.searched_payload import HandleSearch, SearchedPayload
    from tdls.interpreter.runs.model import Place


class Miss(NamedTuple):
    """A payload operation that does not satisfy a search."""

    place: Place | None
    message: str
    nearness: float = 0.0
    """Degree to which the search is satisfied: larger is nearer."""


def misses(search: HandleSearch, searched: SearchedPayload) -> list[Miss]:
    """Return the examined operations that do not satisfy a search, with reasons, the nearest miss first."""
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


def summary_of(search: HandleSearch, searched: SearchedPayload, found: list[Miss]) -> str | None:
    """Return the reason for a failed or empty search, or None if unknown."""
    held = f"`{search.target.shown}` holds {counted(searched.size, 'operation')}"
    if search.kind is SearchKind.SPLIT:
        return f"{counted(len(search.operation.results), 'handle')} asked for, but {held}"
    if not found:
        return None
    others = f" ({counted(len(found) - 1, 'other')} as well)" if len(found) > 1 else ""
    return f"{found[0].message}{others}"
