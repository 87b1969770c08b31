"""Which steps made and changed the lines of a payload, by the differences of the states that follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.recording.changes import changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class LineOrigin(NamedTuple):
    """The passings with whose states a line came, and was changed last; both None for one that was there before."""

    made: int | None
    changed: int | None


_FROM_THE_BEGINNING = LineOrigin(None, None)


def following_origins(states: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[LineOrigin]]]:
    """Yield for each of `states`, pairs of passings and payloads in their order, its passing and each line's origin."""
    found: list[LineOrigin] = []
    before: str | None = None
    for passing, text in states:
        if before is None:
            found = [_FROM_THE_BEGINNING] * len(text.splitlines())
        elif text != before:
            found = _after(found, before, text, passing)
        before = text
        yield passing, found


def _after(known: list[LineOrigin], before: str, after: str, passing: int) -> list[LineOrigin]:
    found = changes(before, after)
    origins = [LineOrigin(passing, passing)] * len(found.after)
    for old, new in found.same:
        origins[new] = known[old]
    for new, old in found.replaced.items():
        origins[new] = LineOrigin(known[old].made, passing)
    return origins
