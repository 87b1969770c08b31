"""Ways through the steps of a recorded run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from tdls.ide.runs.step_moves import has_failed, moves_from
from tdls.interpreter.observing.steps import Step, StepEnd

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording

PARENTS = [None, None, 2, 3, 2, 2, 6, 2, None]
"""match; foreach with two iterations of (include with print; annotate); apply_cse."""


def recording(*failed: int, failing: int | None = None) -> Recording:
    steps: list[Step] = []
    for number, parent in enumerate(PARENTS, 1):
        around = steps[parent - 1] if parent is not None else None
        ended = StepEnd.ABANDONED if number in failed else StepEnd.COMPLETED
        step = Step(number, "transform.x", "x.mlir", 0, 1, number, number, around, 0, 1, 1, None, ended)
        steps.append(step)
        for outer in step.path:
            outer.inner += 1
    end: Any = SimpleNamespace(steps=tuple(steps), failing=steps[failing - 1] if failing is not None else None)
    return cast("Recording", end)


def numbers(name: str, *from_: int, of: Recording | None = None) -> list[int | None]:
    recorded = of or recording()
    moves = [moves_from(recorded, recorded.steps[number - 1] if number else None) for number in from_]
    return [step.number if (step := getattr(move, name)) is not None else None for move in moves]


def test_over_bodies() -> None:
    assert numbers("step", 0, 1, 2, 3, 5, 8, 9) == [1, 2, 9, 5, 6, 9, None]


def test_back_over_bodies_and_out_at_their_beginning() -> None:
    assert numbers("back", 0, 9, 2, 1, 5, 6, 4, 3) == [None, 2, 1, None, 3, 5, 3, 2]


def test_into_bodies_and_out_of_them() -> None:
    assert numbers("into", 0, 2, 3, 9) == [1, 3, 4, None]
    assert numbers("out", 0, 4, 3, 2) == [None, 3, 2, None]


def test_from_failure_to_failure() -> None:
    recorded = recording(2, 3, 4, failing=9)
    assert [step.number for step in recorded.steps if has_failed(recorded, step)] == [4, 9]
    assert numbers("failure", 0, 4, 9, of=recorded) == [4, 9, 4]
    assert numbers("failure", 1) == [None]
