"""Stretches of a level, from one place where a section may begin to the next, and what belongs together among them."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.embedded.masking import SEPARATOR
from tdls.syntax.layout import PAIRS, Counts, unpaired, without_opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

CONVINCING = 8
"""From so many children on the layout of a container is believed, even if its braces nest otherwise."""
_MARKER = re.compile("// -----")
_SEPARATOR = re.compile(SEPARATOR)
_MARKER_LINE = re.compile(r"^// -----[ \t\r]*(?:\n|\Z)", re.MULTILINE)


class SplitMode(Enum):
    """Whether ``// -----`` begins a new module.

    `ALWAYS` splits at the marker wherever it stands, as `splitAndProcessBuffer` of MLIR's ToolUtilities.cpp does.
    `AUTO` believes a marker on a line of its own outside of all braces: elsewhere it is a decoration, as no module
    can end there. In `PYTHON`, the mask of a program, each string that is a script is a module of its own.
    """

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"
    PYTHON = "python"

    @property
    def marker(self) -> str:
        """What every place holds where a new module begins."""
        return SEPARATOR if self is SplitMode.PYTHON else "// -----"


def parts_of(text: str, mode: SplitMode) -> list[tuple[int, int]]:
    """Return the start and end offsets of the parts of `text` between its markers."""
    if mode is SplitMode.PYTHON:
        starts = [0, *(match.start() for match in _SEPARATOR.finditer(text)), len(text)]
        return list(pairwise(starts))
    if mode is SplitMode.NEVER or "// -----" not in text:
        return [(0, len(text))]
    pattern = _MARKER if mode is SplitMode.ALWAYS else _MARKER_LINE
    ends = [match.end() for match in pattern.finditer(text)]
    bounds = list(zip([0, *ends], [*ends, len(text)], strict=True))
    if mode is SplitMode.ALWAYS:
        return bounds
    return [(group.start, group.end) for group in grouped([_braces(text, *bound) for bound in bounds])]


def _braces(text: str, start: int, end: int) -> TextRange:
    closing, opening = unpaired(without_opaque(text[start:end]))
    return TextRange(start, end, closing[:1], opening[:1], finished=True)


class TextRange(NamedTuple):
    """A part of a level from one place where a section may begin to the next such place."""

    start: int
    end: int
    closing: Counts
    opening: Counts
    """How many braces, brackets and parentheses have no partner in the stretch; closing ones come first."""
    finished: bool
    """False if its last token cannot end an operation."""


class Group(NamedTuple):
    """Stretches that make one section, or a container."""

    start: int
    end: int
    balanced: bool
    regular: bool
    """False if where it begins or ends could depend on the balance of other groups."""
    stretches: int = 1
    """How many stretches it consists of."""


def grouped(stretches: Sequence[TextRange]) -> list[Group]:
    """Join stretches until their brackets are balanced; one that never gets balanced stays alone."""
    totals = _totals(stretches)
    ends, excesses = _ends(stretches, totals), _excesses(stretches, totals)
    groups: list[Group] = []
    index = 0
    while index < len(stretches):
        last, excess = ends[index], excesses[index]
        balanced = last is not None and (excess is None or excess > last)
        stop = last if balanced and last is not None else index
        groups.append(Group(stretches[index].start, stretches[stop].end, balanced, balanced, stop - index + 1))
        index = stop + 1
    return groups


def _totals(stretches: Sequence[TextRange]) -> list[Counts]:
    """How many more brackets were opened than closed before each stretch, and behind the last one."""
    totals: list[Counts] = [(0,) * len(stretches[0].opening)]
    for stretch in stretches:
        totals.append(_plus(_minus(totals[-1], stretch.closing), stretch.opening))
    return totals


def _ends(stretches: Sequence[TextRange], totals: Sequence[Counts]) -> list[int | None]:
    """For each stretch, the first one from there on behind which as much is closed as was opened; None if none is.

    Where that one is not finished, what follows it belongs to it.
    """
    found: list[int | None] = [None] * len(stretches)
    next_with: dict[Counts, int] = {}
    for index in range(len(stretches) - 1, -1, -1):
        next_with[totals[index + 1]] = index
        last = next_with.get(totals[index])
        goes_on = last is not None and last + 1 < len(stretches) and not stretches[last].finished
        found[index] = found[last + 1] if goes_on and last is not None else last
    return found


def _excesses(stretches: Sequence[TextRange], totals: Sequence[Counts]) -> list[int | None]:
    """For each stretch, the first one from there on that closes brackets opened before it; None if none does."""
    found: list[int | None] = [None] * len(stretches)
    for kind in range(len(totals[0])):
        lower: list[int] = []
        """Later stretches of which each gets lower than all before it, the last one first."""
        lows = [total[kind] - stretch.closing[kind] for total, stretch in zip(totals, stretches, strict=False)]
        for index in range(len(stretches) - 1, -1, -1):
            while lower and lows[lower[-1]] >= lows[index]:
                lower.pop()
            lower.append(index)
            closes = stretches[index].closing[kind] > 0
            first = index if closes else (lower[-2] if len(lower) > 1 else None)
            known = found[index]
            found[index] = first if known is None or (first is not None and first < known) else known
    return found


def is_even(stretches: Sequence[TextRange]) -> bool:
    """Tell whether as many brackets of each kind are closed as opened, in whatever order."""
    return all(
        sum(stretch.opening[kind] - stretch.closing[kind] for stretch in stretches) == 0 for kind in range(len(PAIRS))
    )


def _plus(first: Counts, second: Counts) -> Counts:
    return tuple(map(add, first, second)) if any(second) else first


def _minus(first: Counts, second: Counts) -> Counts:
    return tuple(map(sub, first, second)) if any(second) else first


def is_convincing(children: Sequence[Group]) -> bool:
    """Tell whether so many children are as their layout says that one which is not must be damaged."""
    return sum(child.regular for child in children) >= CONVINCING
