"""``tdls/lineOrigin``: the steps that made a line of the payload, and that changed it; ``tdls/lineFuture``: what became
of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.recording.genealogy import LineRelation, Succession
from tdls.lsp.requests.states.asked_recording import number_in, state_document
from tdls.lsp.requests.states.recorded_places import problem
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.lanes import Lane

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.interpreter.recording.genealogy import KnownState, LineLink
    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import KeptRecording, Recordings
    from tdls.lsp.session.lanes import Lanes

METHOD = "tdls/lineOrigin"
FUTURE = "tdls/lineFuture"
_AT_ONCE = 64
"""So many states are asked for at once on the way."""


def register(features: Methods, lanes: Lanes, recordings: Recordings) -> None:
    """Answer where a line of a document with a state comes from, and what became of it."""

    async def known(kept: KeptRecording, passings: range) -> Mapping[int, KnownState]:
        await recordings.ask(kept, passings)
        return await asyncio.to_thread(kept.recording.tell_apart, passings)

    @features.feature(METHOD)
    async def line_origin(params: Any) -> dict[str, Any]:
        """Return what happened to the `line` of `uri` in `params`, newest first; nothing for one of before the run."""
        document, line = state_document(params), number_in(params, "line")
        found: list[LineChange] = []
        passing = document.passing
        try:
            kept = recordings.of_document(document)
            while passing >= 0 and line >= 0:
                first = max(0, passing - _AT_ONCE)
                states = await known(kept, range(first, passing + 1))
                followed = _Followed(kept.recording, states, passing, line)
                found += await lanes.submit(Lane(), partial(followed.back_to, first))
                passing, line = (first, followed.line) if first else (-1, followed.line)
        except NoRecordingError as error:
            return problem(error)
        return {"changes": [change.to_json() for change in found]}

    @features.feature(FUTURE)
    async def line_future(params: Any) -> dict[str, Any]:
        """Return what became of the `line` of `uri` in `params`, by the steps that did something to it."""
        document, line = state_document(params), number_in(params, "line")
        found: list[LineFuture] = []
        passing, lines = document.passing, [line]
        try:
            kept = recordings.of_document(document)
            end = len(kept.recording.passings) - 1
            while passing < end and lines:
                last = min(end, passing + _AT_ONCE)
                states = await known(kept, range(passing, last + 1))
                pursued = _Pursued(kept.recording, states, passing, lines)
                found += await lanes.submit(Lane(), partial(pursued.forth_to, last))
                passing, lines = last, pursued.lines
        except NoRecordingError as error:
            return problem(error)
        return {"changes": [change.to_json() for change in found]}


class LineChange(NamedTuple):
    """A step made or changed a line: what number it has behind the step, and what it was before that, if anything."""

    step: Step
    after: int
    link: LineLink

    def to_json(self) -> dict[str, Any]:
        """Return it as the editor is told."""
        is_same_operation = self.link.relation is LineRelation.CHANGED
        return {
            "step": self.step.number,
            "after": self.after,
            "before": self.link.line if is_same_operation else None,
            "madeFrom": None if is_same_operation else self.link.line,
            "relation": self.link.relation.value,
            "isExact": self.link.is_exact,
        }


class LineFuture(NamedTuple):
    """A step did something to lines that an operation became: those that there are behind the step, () if none."""

    step: Step
    links: tuple[LineLink, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as the editor is told."""
        lines = [{"line": link.line, "relation": link.relation.value, "isExact": link.is_exact} for link in self.links]
        return {"step": self.step.number, "lines": lines}


class _Followed:
    """A line that is followed back through states that are known; `line` is -1 before it was made."""

    def __init__(self, recording: Recording, states: Mapping[int, KnownState], passing: int, line: int) -> None:
        self.line = line
        self._recording = recording
        self._states = states
        self._passing = passing

    def back_to(self, first: int) -> list[LineChange]:
        """Return what happened to the line between the state of passing `first` and the one where it is now."""
        found: list[LineChange] = []
        for passing in range(self._passing, first, -1):
            after, before = self._states.get(passing), self._states.get(passing - 1)
            if after is None or before is None or self.line < 0 or self.line >= after.text.count("\n") + 1:
                break
            link = Succession(before, after).back(self.line)
            step = self._recording.step_to(passing)
            if link.relation is not LineRelation.SAME and step is not None:
                found.append(LineChange(step, self.line, link))
            self.line = link.line if link.line is not None else -1
        return found


class _Pursued:
    """Lines that are followed through the states that come behind theirs."""

    def __init__(self, recording: Recording, states: Mapping[int, KnownState], passing: int, lines: list[int]) -> None:
        self.lines = lines
        self._recording = recording
        self._states = states
        self._passing = passing

    def forth_to(self, last: int) -> list[LineFuture]:
        """Return what happened to the lines up to the state of passing `last`."""
        found: list[LineFuture] = []
        for passing in range(self._passing + 1, last + 1):
            before, after = self._states.get(passing - 1), self._states.get(passing)
            if before is None or after is None or not self.lines:
                break
            succession = Succession(before, after)
            links = {link.line: link for line in self.lines for link in succession.forth(line)}
            step = self._recording.step_to(passing)
            is_other = any(link.relation is not LineRelation.SAME for link in links.values())
            if step is not None and (is_other or len(links) < len(self.lines)):
                found.append(LineFuture(step, tuple(links.values())))
            self.lines = [line for line in links if line is not None]
        return found
