"""The names of the operations that handles stand for, where a tool prints them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.observation.tool.answers import MOMENTS, read_prints
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.observation.journal import JournalRecord, Moment
    from tdls.interpreter.observation.points import Point

_VISITS = 1_000_000
"""How many operations MLIR may number to print names: all of a function for each of its operations. That takes it about
0.1 us for each.
"""


def affordable(record: JournalRecord, points: Sequence[Point], payload_lines: int) -> frozenset[tuple[int, int]]:
    """Return the handles of operations, as point and number, of which it takes little time to print the contents."""
    sizes: Counter[tuple[int, int]] = Counter()
    for moment in record.moments:
        if moment.size and points[moment.point].handles[moment.handle].kind is HandleKind.OPERATIONS:
            sizes[moment.point, moment.handle] += moment.size * max(1, record.passed[moment.point] // MOMENTS)
    visits = 0
    found: set[tuple[int, int]] = set()
    for key, size in sorted(sizes.items(), key=lambda item: item[1]):
        visits += size * payload_lines
        if visits > _VISITS:
            break
        found.add(key)
    return frozenset(found)


def with_names(record: JournalRecord, printed: str) -> JournalRecord:
    """Return `record` with the names in what was `printed`, where that is of as many operations as were counted."""
    prints: dict[tuple[int, int], list[list[str]]] = {}
    for point, handle, names in read_prints(printed):
        prints.setdefault((point, handle), []).append(names)
    moments = []
    for moment in record.moments:
        mine = prints.get((moment.point, moment.handle), [])
        moments.append(_named(moment, mine.pop(0)) if mine else moment)
    return replace(record, moments=moments)


def _named(moment: Moment, names: list[str]) -> Moment:
    if len(names) != moment.size:
        return moment
    locations = [location for _, location in moment.items]
    items = list(zip(names, locations, strict=False))
    return moment._replace(names=dict(Counter(names)), items=items)
