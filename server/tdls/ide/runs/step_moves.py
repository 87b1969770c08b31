"""Where one can go from a step of a recorded run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.recording.steps import StepEnd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.steps import Step


class Moves(NamedTuple):
    """The steps that can be gone to; None where there is none."""

    step: Step | None
    """The one behind the step, not in it."""
    back: Step | None
    """The one in front of it in the same body, or else the one that it is in."""
    into: Step | None
    """The first one in it, or else the one behind it."""
    out: Step | None
    """The one that it is in."""
    failure: Step | None
    """The next one that failed; behind the last one it is the first one."""


def moves_from(recording: Recording, step: Step | None) -> Moves:
    """Return where one can go from `step`; None stands for the moment in front of the first step."""
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
    """Tell whether a step failed by itself, not since one in it did."""
    if step is recording.failing:
        return True
    inner = recording.steps[step.number : step.number + step.inner]
    return step.ended is StepEnd.ABANDONED and all(other.ended is not StepEnd.ABANDONED for other in inner)


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
