"""Which state of a recording a place in a script means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.observation.stopping import stop_at

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.steps import Step


class StateAtPlace(NamedTuple):
    """The passing whose state a place means, and the step that led there.

    Where the step was not completed, the state is the one before it. `step` is None in front of the first operation.
    """

    passing: int
    step: Step | None
    is_completed: bool


def executions_at(recording: Recording, file: str, offset: int) -> list[StateAtPlace] | None:
    """Return, for each execution of what stands at `offset` of a file as people wrote it, the state behind it.

    None where nothing is executed by itself. What a run is stopped at for that place is what is meant.
    """
    points = [number for number, point in enumerate(recording.points) if point.script.name == file]
    if not points:
        return None
    edited = recording.points[points[0]].script.edited_offset(offset)
    index = stop_at([recording.points[number] for number in points], edited)
    if index is None:
        return None
    behind, before = points[index], points[index - 1] if index else None
    found = [
        StateAtPlace(number, recording.step_to(number), is_completed=True)
        for number, passing in enumerate(recording.passings)
        if passing.point == behind
    ]
    unfinished = (step for step in recording.steps if step.point == before and step.after is None)
    found += (StateAtPlace(step.before, step, is_completed=False) for step in unfinished)
    return sorted(found, key=lambda state: state.passing)
