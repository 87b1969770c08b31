"""A recording in a debugger's terms: moves between steps, handles as variables, and breakpoint conditions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.ide.runs.step_moves import moves_from
from tdls.interpreter.recording.records import Liveness
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from tdls.interpreter.recording.backend import Backend
    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.recording.steps import Step

_STATES = 64
_CONDITION = re.compile(r"\s*(%[\w$.-]+|execution|iteration)\s*(==|!=|<=|>=|<|>)\s*(\d{1,9})\s*", re.ASCII)


class ConditionError(Exception):
    """A breakpoint condition has a syntax error; the message is one line for the user."""


class RecordedRun:
    """A recording, and the backend that computes its states; the last few states are cached."""

    def __init__(self, recording: Recording, backend: Backend) -> None:
        self.recording = recording
        self.steps = recording.steps
        self._backend = backend
        self.state = lru_cache(maxsize=_STATES)(self._state)

    def close(self) -> None:
        """End the processes of the recording and of the backend."""
        self.recording.close()
        self._backend.close()

    def _state(self, passing: int) -> State:
        """Compute a state. Raises RecordingError and BackendError."""
        return self.recording.state(passing, self._backend)

    def ahead(self, step: Step, move: str) -> int:
        """Return the 1-based number of the step after `move` (next, stepIn, stepOut); the step count + 1 is the end."""
        if move == "stepOut":
            around = step.parent
            return around.number + around.inner + 1 if around is not None else len(self.steps) + 1
        moves = moves_from(self.recording, step)
        target = moves.into if move == "stepIn" else moves.step
        return target.number if target is not None else len(self.steps) + 1

    def back(self, step: Step) -> int:
        """Return the number of the step before `step`, or its own number if it is the first."""
        before = moves_from(self.recording, step).back
        return before.number if before is not None else step.number

    def handle(self, step: Step, name: str) -> HandleState | None:
        """Return the handle named `name` in the state before `step`. Raises RecordingError and BackendError."""
        found = [handle for handle in self.state(step.before).handles if handle.name == name]
        return found[-1] if found else None

    def holds(self, condition: str, step: Step) -> bool:
        """Evaluate a condition in the state before `step`. Raises ConditionError, RecordingError and BackendError."""
        found = _CONDITION.fullmatch(condition)
        if found is None:
            raise ConditionError("a condition is '%HANDLE == NUMBER', or 'iteration' or 'execution' in place of it")
        known = self._value(found[1], step)
        if known is None:
            return False
        number = int(found[3])
        return {
            "==": known == number,
            "!=": known != number,
            "<=": known <= number,
            ">=": known >= number,
            "<": known < number,
            ">": known > number,
        }[found[2]]

    def _value(self, name: str, step: Step) -> int | None:
        if name in ("execution", "iteration"):
            return step.execution if name == "execution" else step.iteration
        handle = self.handle(step, name)
        return handle.contents.count if handle is not None and handle.contents is not None else None


def check_condition(condition: str) -> None:
    """Raise ConditionError unless `condition` is well-formed."""
    if _CONDITION.fullmatch(condition) is None:
        raise ConditionError("a condition is '%HANDLE == NUMBER', or 'iteration' or 'execution' in place of it")


def value_in_words(handle: HandleState) -> str:
    """Return the value that a debugger shows for a handle."""
    if handle.liveness is not Liveness.LIVE:
        word = "stale" if handle.liveness is Liveness.STALE else "perhaps stale"
        return f"{word} since step {handle.since.number}" if handle.since is not None else word
    contents = handle.contents
    if contents is None:
        return "not known"
    if not contents.count:
        return "nothing"
    if handle.kind is HandleKind.PARAMETERS:
        words = ", ".join(name for name, count in contents.names.items() for _ in range(count))
    else:
        words = ", ".join(f"{count} {name}".rstrip() for name, count in contents.names.items()) or str(contents.count)
    return words if handle.is_current else f"{words} when it was defined"
