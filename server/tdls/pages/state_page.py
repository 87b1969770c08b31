"""``tdls.showStatePage``: a recorded run as a page in a browser, at the step where the editor's cursor is.

It is the page of ``tdls trace --format html``.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from tdls.interpreter.errors import ConsentError
from tdls.interpreter.matching.document import matches_object
from tdls.lsp.requests.recording import RecordingChoice, found_recording, name_of, states_at
from tdls.lsp.runs.recordings import Lack, NoRecordingError
from tdls.lsp.runs.views import kept_file
from tdls.lsp.session.session import Kind
from tdls.pages.local import LocalPages, users_are_known
from tdls.pages.page import page, to_send

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording
    from tdls.lsp.runs.recordings import KeptRecording
    from tdls.lsp.state import State

_POLL = 20.0
"""Seconds until a request for news is answered without any."""


class _LivePage:
    """A page at an address of this machine, which browsers load again when it changes, and which follows news."""

    def __init__(self) -> None:
        self._pages = LocalPages(self._answer)
        self._html = page([], [], "0")
        self._news: dict[str, Any] = {"number": 1, "version": "0", "step": None, "message": ""}
        self._changed = asyncio.Event()

    async def address(self) -> str:
        """Return the address, which is served from now on. Raises OSError."""
        return await self._pages.serve()

    async def show(self, recording: Recording, matches: dict[str, Any] | None) -> None:
        """Show the known states of a recording, and its matches if they are known."""
        version = str(int(self._news["version"]) + 1)
        self._html = await asyncio.to_thread(page, [recording], [matches], version)
        self.tell(version=version)

    def tell(self, **news: Any) -> None:
        """Tell browsers the number of the `step` to go to, and a `message` to show above the page."""
        if {**self._news, **news} != self._news:
            self._news = {**self._news, **news, "number": self._news["number"] + 1}
            self._changed.set()
            self._changed = asyncio.Event()

    async def _answer(self, name: str, query: str) -> tuple[str, str] | None:
        """Return the page, or the news ``now`` that come after the number in the query."""
        if name == "now":
            if query == f"after={self._news['number']}":
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), _POLL)
            return "application/json", json.dumps(self._news)
        return ("text/html", self._html) if not name else None


class StatePage:
    """The page of the last recording, at the step of the last position that the editor asked about.

    It follows the cursor and the script.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._page = _LivePage()
        self._turn = asyncio.Lock()
        self._is_moving = False
        """True while a change of the cursor waits for its turn."""
        self._choice: RecordingChoice | None = None
        """The last position at which there was a recording, or that of the command."""
        self._kept: KeptRecording | None = None
        state.follow(Kind.CURSOR, self._cursor_moved)
        state.follow(Kind.SAVED, self._file_saved)

    async def show(self, argument: Any) -> dict[str, Any]:
        """Record the script at a position, by default the last one, and show the page; return its `address`."""
        choice = RecordingChoice.of(argument) if argument is not None else self._at_cursor(records=True)
        if choice is None:
            return {"problem": "put the cursor into a script first"}
        self._choice, address = choice, await self._page.address()
        async with self._turn:
            error = await self._renew(choice)
        cause, consents = error.__cause__ if error is not None else None, self._state.consents
        if isinstance(cause, ConsentError) and consents.ask(cause.consent_requests, lambda: self.show(argument)):
            return {"problem": str(error)}
        opened = address
        if not users_are_known():  # other users may see the arguments of the program that opens a browser
            leading = f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={escape(address)}">\n'
            opened = (await asyncio.to_thread(kept_file, "state page", "state.html", leading)).as_uri()
        self._state.run_views.show(opened, address)
        return {"address": address}

    async def _cursor_moved(self, uri: str) -> None:
        """Go to the step at the cursor, unless nothing was recorded there."""
        del uri
        if not self._is_moving:
            self._is_moving = True
            async with self._turn:
                self._is_moving = False
                if (choice := self._at_cursor(records=False)) is not None:
                    await self._renew(choice)

    async def _file_saved(self, uri: str) -> None:
        """Record the script again if it rests on this file."""
        async with self._turn:
            rests = self._kept is None or name_of(uri) in self._kept.planned.texts
            if self._choice is not None and rests:
                await self._renew(self._choice._replace(records=True))

    def _at_cursor(self, *, records: bool) -> RecordingChoice | None:
        place = self._state.last_position
        return RecordingChoice(place, records, None, None, None) if place is not None else None

    async def _renew(self, choice: RecordingChoice) -> NoRecordingError | None:
        """Show the recording that `choice` selects, and the step there; return why there is none."""
        try:
            cursor, latest = await found_recording(self._state, choice)
            if cursor is None or latest is None:
                raise NoRecordingError("no script that can be run is here", Lack.FILES)
            queue = self._state.queue_of(cursor.uri)
            states = await self._state.queues.submit(queue, lambda: states_at(cursor, latest.kept))
            step = states[0].step if states else None
            await self._show(latest.kept, [states[0].passing, step.before if step is not None else 0] if states else [])
        except NoRecordingError as error:
            if choice.records:
                self._page.tell(step=None, message=str(error))
            return error
        self._choice = choice
        outdated = latest.outdated or "the script was edited since; save it to record it again"
        message = "" if latest.is_current else f"Outdated: {to_send(outdated, latest.kept.planned.texts)}"
        self._page.tell(step=step.number if step is not None else None, message=message)
        return None

    async def _show(self, kept: KeptRecording, passings: list[int]) -> None:
        """Show another recording, or one with states that were not known. Raises NoRecordingError."""
        if kept is self._kept and all(kept.recording.known_state(number) is not None for number in passings):
            return
        state = self._state
        await state.recordings.ask(kept, passings)
        explained = await state.runs.matches(kept.target.script)
        fits = explained is not None and explained.target == kept.target and state.runs.is_current(explained)
        await self._page.show(kept.recording, matches_object(explained.explanation) if explained and fits else None)
        self._kept = kept
