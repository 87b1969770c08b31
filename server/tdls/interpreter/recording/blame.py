"""Which step made each line of the payload, and which one changed it last."""

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


def blame(states: Iterable[tuple[int, str]]) -> list[LineOrigin]:
    """Return the origin of each line of the last of `states`, pairs of passings and payloads in their order."""
    found: list[LineOrigin] = []
    for _, origins in following_origins(states):
        found = origins
    return found


def following_origins(states: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[LineOrigin]]]:
    """Yield for each of `states` its passing and the origin of each line."""
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
