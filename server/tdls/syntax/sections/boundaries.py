"""Groups the stretches of a level, each from one possible section start to the next, into sections."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise
from operator import add, sub
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.syntax.layout import PAIRS, SEPARATOR, Counts, unpaired, without_opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

CONVINCING = 8
"""Minimum number of regular children for layout to outweigh the nesting of braces in a container."""
_MARKER = re.compile("// -----")
_SEPARATOR = re.compile(SEPARATOR)
_MARKER_LINE = re.compile(r"^// -----[ \t\r]*(?:\n|\Z)", re.MULTILINE)
_FILE_LINE = re.compile(r"^//--- [^\n]*", re.MULTILINE)
_MARKER_OR_FILE_LINE = re.compile(r"// -----|^//--- [^\n]*", re.MULTILINE)
_RUN_LINE = re.compile(r"RUN:[^\n]*")
_SUBSTITUTED = re.compile(r"RUN:[ \t]{0,40}%")


class SplitMode(Enum):
    """The rule by which ``// -----`` begins a new module.

    `ALWAYS` splits at every marker, as `splitAndProcessBuffer` of MLIR's ToolUtilities.cpp does. `AUTO` does so if a
    ``RUN:`` line asks for it, see `parts_of`. In `PYTHON`, the mask of a program, each string that is a script is a
    module of its own.
    """

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"
    PYTHON = "python"

    def may_split(self, text: str) -> bool:
        """Whether a new module may begin in `text`."""
        return SEPARATOR in text if self is SplitMode.PYTHON else "// -----" in text or "//--- " in text


def parts_of(text: str, mode: SplitMode) -> list[tuple[int, int]]:
    """Return the start and end offsets of the parts of `text` between its markers.

    In `AUTO` the file's ``RUN:`` lines say whether its tools split it. Where they leave that open, it is split at
    markers on lines of their own outside of all braces: any other is a decoration, as no module can end there.
    """
    if mode is SplitMode.PYTHON:
        starts = [0, *(match.start() for match in _SEPARATOR.finditer(text)), len(text)]
        return list(pairwise(starts))
    if mode is SplitMode.NEVER or not mode.may_split(text):
        return [(0, len(text))]
    commands = run_lines_of(text) if mode is SplitMode.AUTO else []
    is_split = mode is SplitMode.ALWAYS or any("split-input-file" in command for command in commands)
    if any(" split-file " in command for command in commands):
        return _between(text, _MARKER_OR_FILE_LINE if is_split else _FILE_LINE)
    if is_split:
        return _between(text, _MARKER)
    if any("%s" in command for command in commands) and not any(map(_SUBSTITUTED.match, commands)):
        return [(0, len(text))]
    bounds = _between(text, _MARKER_LINE)
    ranges = []
    for start, end in bounds:
        closing, opening = unpaired(without_opaque(text[start:end]))
        ranges.append(TextRange(start, end, closing[:1], opening[:1], finished=True))
    return [(group.start, group.end) for group in grouped(ranges)]


def is_of_other_language(text: str, start: int) -> bool:
    """Whether the line that ends at `start` begins a file that is not MLIR, by its name."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    name = line.removeprefix("//--- ").strip() if line.startswith("//--- ") else ""
    return "." in name and not name.endswith((".mlir", ".ttir", ".ttgir"))


def _between(text: str, marker: re.Pattern[str]) -> list[tuple[int, int]]:
    ends = [match.end() for match in marker.finditer(text)]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def run_lines_of(text: str) -> list[str]:
    """Return the ``RUN:`` lines of `text`."""
    return _RUN_LINE.findall(text) if "RUN:" in text else []


class TextRange(NamedTuple):
    """A stretch of a level from one possible section start to the next."""

    start: int
    end: int
    closing: Counts
    opening: Counts
    """The numbers of braces, brackets and parentheses without a partner in the stretch; closing ones come first."""
    finished: bool
    """False if its last token cannot end an operation."""


class Group(NamedTuple):
    """Stretches that make one section, or a container."""

    start: int
    end: int
    balanced: bool
    regular: bool
    """False if its extent could depend on the balance of other groups."""
    stretches: int = 1
    """The number of stretches in the group."""


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
    """Return the number of open brackets of each kind before each stretch, and behind the last one."""
    totals: list[Counts] = [(0,) * len(stretches[0].opening)]
    for stretch in stretches:
        totals.append(_plus(_minus(totals[-1], stretch.closing), stretch.opening))
    return totals


def _ends(stretches: Sequence[TextRange], totals: Sequence[Counts]) -> list[int | None]:
    """Return, for each stretch, the first one from there on that balances its brackets, or None if none does.

    If the balancing stretch is not finished, the group extends into the next stretch.
    """
    ends: list[int | None] = [None] * len(stretches)
    next_with: dict[Counts, int] = {}
    for index in range(len(stretches) - 1, -1, -1):
        next_with[totals[index + 1]] = index
        last = next_with.get(totals[index])
        goes_on = last is not None and last + 1 < len(stretches) and not stretches[last].finished
        ends[index] = ends[last + 1] if goes_on and last is not None else last
    return ends


def _excesses(stretches: Sequence[TextRange], totals: Sequence[Counts]) -> list[int | None]:
    """Return, for each stretch, the first one from there on that closes earlier brackets, or None if none does."""
    excesses: list[int | None] = [None] * len(stretches)
    for kind in range(len(totals[0])):
        lower: list[int] = []
        """Later stretches, the last one first; each has a lower minimum than all between it and `index`."""
        lows = [total[kind] - stretch.closing[kind] for total, stretch in zip(totals, stretches, strict=False)]
        for index in range(len(stretches) - 1, -1, -1):
            while lower and lows[lower[-1]] >= lows[index]:
                lower.pop()
            lower.append(index)
            closes = stretches[index].closing[kind] > 0
            first = index if closes else (lower[-2] if len(lower) > 1 else None)
            known = excesses[index]
            excesses[index] = first if known is None or (first is not None and first < known) else known
    return excesses


def is_even(stretches: Sequence[TextRange]) -> bool:
    """Whether the numbers of opening and closing brackets are equal for each kind, in any order."""
    return all(
        sum(stretch.opening[kind] - stretch.closing[kind] for stretch in stretches) == 0 for kind in range(len(PAIRS))
    )


def _plus(first: Counts, second: Counts) -> Counts:
    return tuple(map(add, first, second)) if any(second) else first


def _minus(first: Counts, second: Counts) -> Counts:
    return tuple(map(sub, first, second)) if any(second) else first


def is_convincing(children: Sequence[Group]) -> bool:
    """Whether enough children are regular for an irregular one to count as damaged."""
    return sum(child.regular for child in children) >= CONVINCING
