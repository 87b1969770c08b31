"""A recorded run as debuggers see one: moments in front of steps, frames, and handles as variables."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.ide.runs.step_moves import moves_from
from tdls.interpreter.recording.records import Liveness
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from tdls.interpreter.model import Contents
    from tdls.interpreter.recording.backend import RecordingBackend
    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.recording.steps import Step

_STATES = 64
_CONDITION = re.compile(r"\s*(%[\w$.-]+|execution|iteration)\s*(==|!=|<=|>=|<|>)\s*(\d{1,9})\s*", re.ASCII)


class ConditionError(Exception):
    """A condition that is none; the message is one line for people."""


class RecordedRun:
    """A recording, with what tells its states."""

    def __init__(self, recording: Recording, backend: RecordingBackend) -> None:
        self.recording = recording
        self.steps = recording.steps
        self._backend = backend
        self.state = lru_cache(maxsize=_STATES)(self._state)

    def close(self) -> None:
        """End the processes."""
        self.recording.close()
        self._backend.close()

    def _state(self, passing: int) -> State:
        """Return a state. Raises RecordingError and BackendError."""
        return self.recording.state(passing, self._backend)

    def ahead(self, step: Step, move: str) -> int:
        """Return the number of the step that `move` leads to, one more than there are at the end of the run."""
        if move == "stepOut":
            around = step.parent
            return around.number + around.inner + 1 if around is not None else len(self.steps) + 1
        moves = moves_from(self.recording, step)
        target = moves.into if move == "stepIn" else moves.step
        return target.number if target is not None else len(self.steps) + 1

    def back(self, step: Step) -> int:
        """Return the number of the step in front of `step`, which is its own where there is none."""
        before = moves_from(self.recording, step).back
        return before.number if before is not None else step.number

    def handle(self, step: Step, name: str) -> HandleState | None:
        """Return the handle that is called `name` in front of `step`. Raises as `state`."""
        found = [handle for handle in self.state(step.before).handles if handle.name == name]
        return found[-1] if found else None

    def holds(self, condition: str, step: Step) -> bool:
        """Tell whether a condition holds in front of `step`. Raises ConditionError, and as `state`."""
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
    """Raise ConditionError unless that is a condition."""
    if _CONDITION.fullmatch(condition) is None:
        raise ConditionError("a condition is '%HANDLE == NUMBER', or 'iteration' or 'execution' in place of it")


def value_in_words(handle: HandleState) -> str:
    """Return what a debugger shows of a handle."""
    if handle.liveness is not Liveness.LIVE:
        word = "stale" if handle.liveness is Liveness.STALE else "perhaps stale"
        return f"{word} since step {handle.since.number}" if handle.since is not None else word
    contents = handle.contents
    if contents is None:
        return "not known"
    if not contents.count:
        return "nothing"
    then = "" if handle.is_current else " when it was defined"
    return f"{_words(handle.kind, contents)}{then}"


def _words(kind: HandleKind, contents: Contents) -> str:
    if kind is HandleKind.PARAMETERS:
        return ", ".join(name for name, count in contents.names.items() for _ in range(count))
    return ", ".join(f"{count} {name}".rstrip() for name, count in contents.names.items()) or str(contents.count)
