"""``tdls/emptySince``: the first step behind which a handle stands for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.lsp.requests.states.asked_recording import handle_in, number_in, state_document
from tdls.lsp.requests.states.recorded_places import problem
from tdls.lsp.runs.recordings import NoRecordingError

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import HandleState, Recording
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import Recordings

METHOD = "tdls/emptySince"
_MOST_STATES = 500
"""The most states that are looked at."""


def register(features: Methods, recordings: Recordings) -> None:
    """Answer when a handle of a state was, or will be, empty."""

    @features.feature(METHOD)
    async def empty_since(params: Any) -> dict[str, Any]:
        """Return the number of the step for the handle number `handle` of `uri` in `params`; None if it never is."""
        document, number = state_document(params), number_in(params, "handle")
        try:
            kept = recordings.of_document(document)
            await recordings.ask(kept, [document.passing])
            handle = handle_in(kept.recording, document.passing, number)
            begin = handle.defined.after if handle.defined is not None and handle.defined.after is not None else 0
            passings = range(begin, min(len(kept.recording.passings), begin + _MOST_STATES))
            await recordings.ask(kept, passings)
        except NoRecordingError as error:
            return problem(error)
        return {"step": _first_empty(kept.recording, handle, passings)}


def _first_empty(recording: Recording, handle: HandleState, passings: range) -> int | None:
    for passing in passings:
        state = recording.known_state(passing)
        for other in state.handles if state is not None else ():
            is_it = (other.file, other.start, other.defined) == (handle.file, handle.start, handle.defined)
            if is_it and other.is_current and other.contents is not None and not other.contents.count:
                step = recording.step_to(passing)
                return step.number if step is not None else None
    return None
