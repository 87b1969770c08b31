"""What steps did to one line of a payload, as far as that is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.recording.genealogy import LineRelation, Succession

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.steps import Step

_AT_ONCE = 64
"""So many states are asked for at once on the way."""
_MOST_STATES = 4096
"""The most states that are looked at."""
_MADE = (LineRelation.MADE, LineRelation.DERIVED)


class LineStory(NamedTuple):
    """The step that made the operation of a line, and those that changed the line since, newest first.

    `made` is None where that is not certain, or the line `is_older` than the run.
    """

    made: Step | None = None
    changed: tuple[Step, ...] = ()
    is_older: bool = False


def line_story(recording: Recording, passing: int, line: int) -> LineStory:
    """Return the story of a line, from 0, of the payload at a passing. For any thread; runs nothing again."""
    changed: list[Step] = []
    first = passing
    while first > max(0, passing - _MOST_STATES):
        last, first = first, max(0, first - _AT_ONCE)
        if not recording.fetch(range(first, last + 1)):
            return LineStory(None, tuple(changed))
        states = recording.tell_apart(range(first, last + 1))
        for number in range(last, first, -1):
            before, after = states.get(number - 1), states.get(number)
            if before is None or after is None or line >= after.text.count("\n") + 1:
                return LineStory(None, tuple(changed))
            link = Succession(before, after).back(line)
            step = recording.step_to(number)
            if not link.is_exact:
                return LineStory(None, tuple(changed))
            if link.relation in _MADE or link.line is None:
                return LineStory(step, tuple(changed))
            if link.relation is LineRelation.CHANGED and step is not None:
                changed.append(step)
            line = link.line
    return LineStory(None, tuple(changed), is_older=first == 0)
