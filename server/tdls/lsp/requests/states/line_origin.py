"""``tdls/lineOrigin``: the steps that made and changed a line of the payload, by the differences of its states."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tdls.interpreter.recording.changes import changes
from tdls.lsp.requests.states.asked_recording import number_in, state_document
from tdls.lsp.requests.states.recorded_places import problem
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.lanes import Lane

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import Recordings
    from tdls.lsp.session.lanes import Lanes

METHOD = "tdls/lineOrigin"
_AT_ONCE = 64
"""Number of states that are fetched together on the way back."""


def register(features: Methods, lanes: Lanes, recordings: Recordings) -> None:
    """Answer where a line of a document with a state comes from."""

    @features.feature(METHOD)
    async def line_origin(params: Any) -> dict[str, Any]:
        """Return the steps that changed the `line` of `uri` in `params`, newest first; none if it is older."""
        document = state_document(params)
        line: int | None = number_in(params, "line")
        found: list[dict[str, Any]] = []
        last = document.passing
        try:
            kept = recordings.of_document(document)
            while last > 0 and line is not None:
                first = max(0, last - _AT_ONCE)
                await recordings.ask(kept, range(first, last + 1))
                work = partial(_changes, kept.recording, range(last, first, -1), line)
                newest_first, line = await lanes.submit(Lane(), work)
                found += newest_first
                last = first
        except NoRecordingError as error:
            return problem(error)
        return {"changes": found}


def _changes(recording: Recording, passings: range, line: int) -> tuple[list[dict[str, Any]], int | None]:
    """Return the changes of a line on the way back through `passings`, and its number before them, None if it was new.

    Lines are numbered from 0. The way ends at a state that was not kept.
    """
    found: list[dict[str, Any]] = []
    for passing in passings:
        before, after = recording.text(passing - 1), recording.text(passing)
        if before is None or after is None or line >= len(after.splitlines()):
            return found, None
        if before == after:
            continue
        difference = changes(before, after)
        same = {new: old for old, new in difference.same}
        old = same.get(line, difference.replaced.get(line))
        step = recording.step_to(passing)
        if line not in same and step is not None:
            found.append({"step": step.number, "after": line, "before": old})
        if old is None:
            return found, None
        line = old
    return found, line
