"""Rounds of a measure, and the rows of the table that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.compare.measures import Figure, NotMeasuredError
from benchmarks.lsp.table import median

from rpc.client import ResponseError, ServerGoneError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.compare.measures import Measure
    from benchmarks.compare.sides import Side

HEADER = "{:46}{:>16}{:>16}   {}"
_RATES = frozenset({"MB/s"})
"""Units of which more is better."""
_FAILURES = (NotMeasuredError, ResponseError, ServerGoneError, TimeoutError)


def compare(measure: Measure, sides: Sequence[Side], folder: Path, scale: float, rounds: int) -> list[str]:
    """Measure both sides in `rounds` rounds, of which every other one begins with the second; return the rows."""
    folder.mkdir()
    found: dict[Side, list[list[Figure]]] = {side: [] for side in sides}
    failed: dict[Side, str] = {}
    for number in range(rounds):
        for side in sides if number % 2 == 0 else reversed(sides):
            if side in failed:
                continue
            try:
                found[side].append(measure.of(side, folder, scale))
            except _FAILURES as error:
                failed[side] = f"{measure.name}: not measured, {side.name} cannot do it: {error}"
    before, after = ([] if side in failed else _by_name(found[side]) for side in sides)
    return [*_rows(before, after), *failed.values()]


def _by_name(rounds: list[list[Figure]]) -> list[list[Figure]]:
    """Return the figures of all rounds under one name, one list after the other."""
    return [list(figures) for figures in zip(*rounds, strict=True)]


def _rows(before: list[list[Figure]], after: list[list[Figure]]) -> list[str]:
    if not before or not after:
        return [
            HEADER.format(figures[0].what, *((spelled, "-") if before else ("-", spelled)), "").rstrip()
            for figures in before or after
            for spelled in [_spelled(figures)]
        ]
    return [
        HEADER.format(old[0].what, _spelled(old), _spelled(new), _gain(old, new))
        for old, new in zip(before, after, strict=True)
    ]


def _spelled(figures: list[Figure]) -> str:
    return f"{median([figure.value for figure in figures]):.2f} {figures[0].unit}"


def _gain(before: list[Figure], after: list[Figure]) -> str:
    """Return how many times as good the second is, in the middle of all rounds, and from where to where."""
    quotients = [old.value / new.value for old, new in zip(before, after, strict=True) if old.value and new.value]
    if not quotients:
        return ""
    gains = [1 / quotient for quotient in quotients] if before[0].unit in _RATES else quotients
    return f"{median(gains):.2f}x ({min(gains):.2f} to {max(gains):.2f})"
