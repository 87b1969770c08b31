"""Runs of a level, from one place where a section may begin to the next, and what belongs together among them."""

from __future__ import annotations

import re
from enum import Enum
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.layout import PAIRS, unpaired, without_opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.syntax.layout import Counts

CONVINCING = 8
"""From so many children on the layout of a container is believed, even if its braces nest otherwise."""
_MARKER = re.compile("// -----")
_MARKER_LINE = re.compile(r"^// -----[ \t\r]*(?:\n|\Z)", re.MULTILINE)


class SplitMode(Enum):
    """Whether ``// -----`` begins a new module.

    `ALWAYS` splits at the marker wherever it stands, as `splitAndProcessBuffer` of MLIR's ToolUtilities.cpp does.
    `AUTO` believes a marker on a line of its own outside of all braces: elsewhere it is a decoration, as no module
    can end there.
    """

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def parts_of(text: str, mode: SplitMode) -> list[tuple[int, int]]:
    """Return the start and end offsets of the parts of `text` between its ``// -----`` markers."""
    if mode is SplitMode.NEVER or "// -----" not in text:
        return [(0, len(text))]
    pattern = _MARKER if mode is SplitMode.ALWAYS else _MARKER_LINE
    ends = [match.end() for match in pattern.finditer(text)]
    bounds = list(zip([0, *ends], [*ends, len(text)], strict=True))
    if mode is SplitMode.ALWAYS:
        return bounds
    return [(group.start, group.end) for group in grouped([_braces(text, *bound) for bound in bounds])]


def _braces(text: str, start: int, end: int) -> Run:
    closing, opening = unpaired(without_opaque(text[start:end]))
    return Run(start, end, closing[:1], opening[:1], finished=True)


class Run(NamedTuple):
    """A part of a level from one place where a section may begin to the next such place."""

    start: int
    end: int
    closing: Counts
    opening: Counts
    """How many braces, brackets and parentheses have no partner in the run; closing ones come first."""
    finished: bool
    """False if its last token cannot end an operation."""


class Group(NamedTuple):
    """Runs that make one section, or a container."""

    start: int
    end: int
    balanced: bool
    regular: bool
    """False if where it begins or ends could depend on the balance of other groups."""
    runs: int = 1
    """How many runs it consists of."""


def grouped(runs: Sequence[Run]) -> list[Group]:
    """Join runs until their brackets are balanced; one that never gets balanced stays alone."""
    following = _balancing(runs)
    groups: list[Group] = []
    index = 0
    while index < len(runs):
        last = following[index]
        while last is not None and last + 1 < len(runs) and not runs[last].finished:
            last = following[last + 1]
        balanced = last is not None and not _closes_too_much(runs, index, last)
        stop = last if balanced and last is not None else index
        groups.append(Group(runs[index].start, runs[stop].end, balanced, balanced, stop - index + 1))
        index = stop + 1
    return groups


def _balancing(runs: Sequence[Run]) -> list[int | None]:
    """For each run, the first one from there on behind which as much is closed as was opened; None if there is none."""
    totals: list[Counts] = [(0,) * len(runs[0].opening)]
    for run in runs:
        totals.append(_plus(_minus(totals[-1], run.closing), run.opening))
    found: list[int | None] = [None] * len(runs)
    next_with: dict[Counts, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        next_with[totals[index + 1]] = index
        found[index] = next_with.get(totals[index])
    return found


def _closes_too_much(runs: Sequence[Run], first: int, last: int) -> bool:
    """Tell whether the runs from `first` to `last` close brackets that they did not open."""
    total: Counts = (0,) * len(runs[first].opening)
    for index in range(first, last + 1):
        total = _minus(total, runs[index].closing)
        if min(total) < 0:
            return True
        total = _plus(total, runs[index].opening)
    return False


def is_even(runs: Sequence[Run]) -> bool:
    """Tell whether as many brackets of each kind are closed as opened, in whatever order."""
    return all(sum(run.opening[kind] - run.closing[kind] for run in runs) == 0 for kind in range(len(PAIRS)))


def _plus(first: Counts, second: Counts) -> Counts:
    return tuple(map(add, first, second)) if any(second) else first


def _minus(first: Counts, second: Counts) -> Counts:
    return tuple(map(sub, first, second)) if any(second) else first


def is_convincing(children: Sequence[Group]) -> bool:
    """Tell whether so many children are as their layout says that one which is not must be damaged."""
    return sum(child.regular for child in children) >= CONVINCING
