"""What is known of the lines of payloads that editors show: which steps made and changed them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.ide.markdown.pieces import paragraphs
from tdls.ide.runs.line_story import ToldStep, origin_text, story_text
from tdls.ide.runs.run_report import uri_of_name
from tdls.lsp.protocol.errors import NotYetError
from tdls.lsp.protocol.run_target import StateDocument, View
from tdls.lsp.requests.states.recorded_places import RecordedPlaces
from tdls.lsp.runs.outcome import Run
from tdls.lsp.runs.recordings import FoundRecording, KeptRecording, NoRecordingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.model import Place
    from tdls.interpreter.recording.line_story import LineStory
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.protocol.run_target import RunDocument
    from tdls.lsp.runs.held_lines import HeldLines
    from tdls.lsp.runs.recordings import Recordings
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.lanes import Lanes
    from tdls.lsp.session.session import Session

_PATIENCE = 1.2
"""Seconds after which an answer does without the story of its line; asked again, it may have it."""
_MOST = 512
"""How many stories are kept."""


@dataclass(eq=False)
class _Asked:
    """A line that somebody asked about, of what `subject` shows; `kept` and `story` are None until they are known."""

    subject: Run | KeptRecording
    begun: float
    is_done: bool = False
    kept: KeptRecording | None = None
    story: LineStory | None = None


class LineStories:
    """Tells the stories of lines, from recordings; a run that takes no time is recorded once for that."""

    def __init__(
        self,
        session: Session,
        lanes: Lanes,
        runs: Runs,
        run_views: RunViews,
        recordings: Recordings,
        held_lines: HeldLines,
        documents: OpenDocuments,
    ) -> None:
        self._session = session
        self._documents = documents
        self._lanes = lanes
        self._runs = runs
        self._run_views = run_views
        self._recordings = recordings
        self._held_lines = held_lines
        self._asked: dict[tuple[str, int], _Asked] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def text(self, uri: str, line: int) -> str:
        """Return Markdown about a line, from 0, of a document; "" for one without payload, or if nothing is known.

        For any thread. Raises NotYetError while it is being found out.
        """
        state = StateDocument.from_uri(uri)
        document = self._run_views.document(uri) if state is None else None
        subject = self._of_state(state) if state is not None else self._of_run(document)
        if subject is None:
            return ""
        asked = self._asked.get((uri, line))
        if asked is None or asked.subject is not subject:
            asked = self._ask(uri, line, subject, state.passing if state is not None else None)
        if not asked.is_done and time.monotonic() - asked.begun < _PATIENCE:
            raise NotYetError(None, 0)
        if asked.kept is not None and self._is_edited(asked.kept):
            raise NotYetError(None, 0)
        return paragraphs(self._story(asked), self._origin(subject, line))

    def _is_edited(self, kept: KeptRecording) -> bool:
        """Return True if the text of a script, which has a lane of its own, is not that of its present version yet."""
        names = {step.file for step in kept.recording.steps}
        opened = (self._documents.get(uri_of_name(name)) for name in names)
        return any(document is not None and document.edits for document in opened)

    def _of_state(self, document: StateDocument) -> KeptRecording | None:
        try:
            return self._recordings.of_document(document)
        except NoRecordingError:
            return None

    def _of_run(self, document: RunDocument | None) -> Run | KeptRecording | None:
        """Return what a document shows of a run: the payload behind it, or that before its failure."""
        if document is None:
            return None
        if document.view is View.FAILURE:
            known = self._recordings.known(document.target)
            return known.kept if known is not None else None
        return self._runs.last(document.target, document.line) if document.view is View.AFTER else None

    def _ask(self, uri: str, line: int, subject: Run | KeptRecording, passing: int | None) -> _Asked:
        while len(self._asked) >= _MOST:
            self._asked.pop(next(iter(self._asked)), None)
        asked = self._asked[uri, line] = _Asked(subject, time.monotonic())
        self._lanes.on_loop(self._begin, asked, passing, line)
        return asked

    def _begin(self, asked: _Asked, passing: int | None, line: int) -> None:
        task = asyncio.get_running_loop().create_task(self._tell(asked, passing, line))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, asked: _Asked, passing: int | None, line: int) -> None:
        """Find out the story of a line of the state at a passing; None is that which the subject shows."""
        from tdls.interpreter.recording.line_story import line_story

        try:
            asked.kept = kept = await self._recording(asked.subject)
            passing = _shown(kept, asked.subject) if kept is not None and passing is None else passing
            if kept is not None and passing is not None:
                asked.story = await asyncio.to_thread(line_story, kept.recording, passing, line)
        finally:
            asked.is_done = True

    async def _recording(self, subject: Run | KeptRecording) -> KeptRecording | None:
        if isinstance(subject, KeptRecording):
            return subject
        return await self._held_lines.recording(subject) if subject.line is None else None

    def _story(self, asked: _Asked) -> str:
        if asked.story is None or asked.kept is None:
            return ""
        told = self._teller(asked.kept)
        made, changed, is_older = asked.story
        return story_text(told(made) if made is not None else None, list(map(told, changed)), is_older=is_older)

    def _teller(self, kept: KeptRecording) -> Callable[[Step], ToldStep]:
        """Return what tells where a step of a recording is written in the texts as they are now."""
        places = RecordedPlaces(self._session, FoundRecording(kept, is_current=False))

        def told(step: Step) -> ToldStep:
            place = places.moved_location(step.file, step.start, step.end)
            file = Path(step.file).name if step.file != kept.recording.request.script.name else ""
            line = place.range.start.line + 1 if place is not None else 0
            return ToldStep(step.operation, place.uri if place is not None else "", file, line, step.iteration)

        return told

    @staticmethod
    def _origin(subject: Run | KeptRecording, line: int) -> str:
        """Return where the operation of a line behind a run came from."""
        if not isinstance(subject, Run) or subject.result is None or line >= len(subject.result.origins):
            return ""
        place: Place | None = subject.result.origins[line]
        return origin_text(place) if place is not None else ""


def _shown(kept: KeptRecording, subject: Run | KeptRecording) -> int | None:
    """Return the passing whose payload is shown: the last one of a run, that before the failure of a recording."""
    if isinstance(subject, Run):
        return len(kept.recording.passings) - 1
    failing = kept.recording.failing
    return failing.before if failing is not None else None
