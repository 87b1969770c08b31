"""The moves from a step of a recorded run: next, back, into, out, and to the next failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.observing.steps import StepEnd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording


class Moves(NamedTuple):
    """The target step of each move, or None."""

    step: Step | None
    """The next step after the current one and its nested steps."""
    back: Step | None
    """The previous step in the same body, or else the parent."""
    into: Step | None
    """The first nested step, or else the next step."""
    out: Step | None
    """The parent."""
    failure: Step | None
    """The next failed step; after the last one the search wraps around to the first."""


_FAILED = (StepEnd.SUPPRESSED, StepEnd.ABANDONED)


def moves_from(recording: Recording, step: Step | None) -> Moves:
    """Return the moves from `step`; None is the position before the first step."""
    steps = recording.steps
    if step is None:
        first = steps[0] if steps else None
        return Moves(first, None, first, None, _next_failure(recording, 0))
    return Moves(
        _at(steps, step.number + step.inner + 1),
        _back(steps, step),
        _at(steps, step.number + 1),
        step.parent,
        _next_failure(recording, step.number),
    )


def has_failed(recording: Recording, step: Step) -> bool:
    """Return whether a step failed itself, not because a nested step failed."""
    if step is recording.failing:
        return True
    inner = recording.steps[step.number : step.number + step.inner]
    return step.ended in _FAILED and all(other.ended not in _FAILED for other in inner)


def _back(steps: Sequence[Step], step: Step) -> Step | None:
    before = _at(steps, step.number - 1)
    while before is not None and before is not step.parent and before.parent is not step.parent:
        before = before.parent
    return before


def _next_failure(recording: Recording, number: int) -> Step | None:
    steps = recording.steps
    return next((step for step in (*steps[number:], *steps[:number]) if has_failed(recording, step)), None)


def _at(steps: Sequence[Step], number: int) -> Step | None:
    return steps[number - 1] if 0 < number <= len(steps) else None
