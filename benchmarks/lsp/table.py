"""The table of figures, with the required ones."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADER = f"{'what':58}{'tdls':>12}{'reference':>12}{'ratio':>9}  target"


class Target(NamedTuple):
    """A limit: a greatest value of tdls in `unit`, or how many times the reference has to need ("x")."""

    limit: float
    unit: str

    def is_met(self, ours: float, theirs: float | None) -> bool | None:
        """Whether the figures are good enough; None where the reference is missing."""
        if self.unit != "x":
            return ours <= self.limit
        return None if theirs is None else theirs >= self.limit * ours


class Table:
    """Prints one row at a time and remembers whether a target was missed."""

    def __init__(self) -> None:
        self.missed = 0
        print(HEADER)

    def seconds(self, what: str, ours: float, theirs: float | None = None, *targets: Target) -> None:
        """One row of times, given in seconds; limits are in "ms"."""
        self.row(what, 1000 * ours, None if theirs is None else 1000 * theirs, "ms", *targets)

    def row(self, what: str, ours: float, theirs: float | None, unit: str, *targets: Target) -> None:
        """One row of figures in `unit`."""
        reference = "" if theirs is None else f"{theirs:.1f} {unit}"
        ratio = "" if not theirs or not ours else f"{theirs / ours:.1f}x"
        judged = ", ".join(self._judge(target, ours, theirs) for target in targets)
        print(f"{what:58}{f'{ours:.1f} {unit}':>12}{reference:>12}{ratio:>9}  {judged}".rstrip(), flush=True)

    def _judge(self, target: Target, ours: float, theirs: float | None) -> str:
        spelled = (
            f"ratio at least {target.limit:g}" if target.unit == "x" else f"at most {target.limit:g} {target.unit}"
        )
        met = target.is_met(ours, theirs)
        self.missed += met is False
        return f"{spelled}: {'not measured' if met is None else 'ok' if met else 'MISSED'}"


def median(seconds: Sequence[float]) -> float:
    """The middle of the figures."""
    return statistics.median(seconds)


def percentile_95(seconds: Sequence[float]) -> float:
    """The figure that one in twenty exceeds."""
    return sorted(seconds)[min(len(seconds) - 1, round(0.95 * len(seconds)))]
