"""Schedule the checks of documents, and publish diagnostics or answer requests for them.

Checks run in slices in the document queues, between requests: sections that mention transform operations first, then
the rest. After an edit only changed sections are checked again, and results for an older version are dropped.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from tdls.analysis.checking.file_findings import failures_in_words
from tdls.lsp.answers.diagnostic_items import diagnostic_items
from tdls.lsp.protocol.errors import AskAgainError
from tdls.lsp.protocol.run_target import named_path
from tdls.lsp.session.document_queue import Turn
from tdls.lsp.session.requests import LONGEST
from tdls.lsp.session.session import Kind
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple, Struct, field
from tdls.system import shortage_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.checking.findings import Findings
    from tdls.lsp.connection.editor import Editor, Progress
    from tdls.lsp.session.document import Document, OpenDocument
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.elsewhere import OtherDocuments
    from tdls.text.diagnostic import Diagnostic

_LOGGER = logging.getLogger(__name__)
_LEFT_OUT = "What it would find is missing; all else is shown."
_ADVICE = "This is a mistake in tdls: please report it, with the log."


class RuleFailures:
    """Reports each failing rule once per session. Thread-safe."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._reported: set[str] = set()
        self._lock = threading.Lock()

    def report(self, uri: str, failures: Iterable[RuleFailure]) -> None:
        """Log the `failures` in the file `uri` with their traces, and show the user a message for each reason."""
        with self._lock:
            new = [failure for failure in failures if failure.rule not in self._reported]
            self._reported.update(failure.rule for failure in new)
        for failure in new:
            _LOGGER.error("rule %s failed in %s\n%s", failure.rule, uri, failure.trace)
        for words in failures_in_words(new):
            advice = shortage_in(words.partition(" failed: ")[2]) or _ADVICE
            self._editor.say(types.MessageType.Error, f"tdls: {words}. {_LEFT_OUT} {advice}")


_T = TypeVar("_T")
_LARGE = 1_000_000
"""Size in code points of a document whose trees are not looked at for garbage before a document is closed."""
_SLICE = 0.006
"""Seconds of checking between requests."""
_LONGEST_SILENCE = 0.3
"""Seconds after which partial results of a newly opened file are shown."""
_QUICK = 0.02
"""Seconds of a check that is too short to be delayed."""
_SHORTEST_WAIT, _LONGEST_WAIT = 0.001, 0.05
"""Bounds in seconds of the delay between an edit and its check: twice the time of the last check beyond `_QUICK`."""


async def in_time(work: asyncio.Future[_T], deadline: float) -> _T:
    """Return the result of `work`. Raises AskAgainError at the `deadline`, in seconds of the event loop's clock."""
    try:
        return await asyncio.wait_for(work, max(deadline - asyncio.get_running_loop().time(), 0))
    except asyncio.TimeoutError as error:
        raise AskAgainError from error


class _Step(NamedTuple):
    """Result of a slice of checking."""

    has_work: bool
    is_presentable: bool
    """True if all sections affected by the last edits are checked, or in a newly opened file, all scripts."""
    is_complete: bool
    shown: Sequence[types.Diagnostic] | None
    """Diagnostics to publish, None if there are no new ones."""
    message: bytes | None
    """The encoded notification with these diagnostics."""


class _CheckState(Struct):
    """State of the check of one document."""

    timer: asyncio.Handle | None = None
    cost: float = 0.0
    """Seconds of the check after the last edit until its first result."""
    was_shown: bool = False
    started: float = 0.0
    turn: int = 0
    """Counts versions of the document, its libraries, payload and settings."""
    is_checking: bool = False
    """True while a slice runs."""
    is_to_go_on: bool = False
    """True if another slice was requested meanwhile."""
    published: Sequence[types.Diagnostic] | None = None
    is_presentable: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the findings can be shown, see `_Step.is_presentable`."""
    is_complete: asyncio.Event = field(default_factory=asyncio.Event)
    was_pulled: bool = False
    is_to_be_pulled_again: bool = False
    """True if the editor's last pull was answered before the check was complete."""
    changed_by_marks: tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]] = ((), ())
    """The findings that the last run or reading refuted, and those that it confirmed."""
    progress: Progress | None = None
    """Shown until the first check of an opened document is complete."""
    most_left: int = 1
    """Maximum number of unchecked sections since progress is shown."""

    def begin(self) -> None:
        """Reset the state for a new version."""
        self.is_presentable.clear()
        self.is_complete.clear()
        self.started = 0.0
        self.turn += 1

    def end_progress(self) -> None:
        if self.progress is not None:
            self.progress.end()
            self.progress = None


class DiagnosticsQueue:
    """Checks documents and publishes the findings, unless the editor pulls diagnostics itself."""

    def __init__(
        self, session: Session, configuration: Configuration, elsewhere: OtherDocuments, rule_failures: RuleFailures
    ) -> None:
        self._session = session
        self._documents = session.open_documents
        self._queues = session.queues
        self._editor = session.editor
        self._configuration = configuration
        self._elsewhere = elsewhere
        self._rule_failures = rule_failures
        self._states: dict[str, _CheckState] = {}
        self._marked: set[str] = set()
        """Files whose last published diagnostics are from runs only."""
        session.follow(Kind.CLOSED, self._document_closed)
        session.follow(Kind.MARKS, self._marks_changed)

    def document_changing(self, uri: str) -> None:
        """Drop the findings of the previous version of a document."""
        state = self._states.setdefault(uri, _CheckState())
        state.begin()
        if state.timer is not None:
            state.timer.cancel()
            state.timer = None

    def grounds_changing(self, uri: str) -> None:
        """Handle a change of a document's libraries, payload, catalogue or settings, which the editor does not know of.

        Other than after an edit, the server may have to request that the editor pulls the diagnostics again.
        """
        self.document_changing(uri)
        state = self._states[uri]
        state.is_to_be_pulled_again = state.was_pulled

    def document_changed(self, uri: str) -> None:
        """Check the present version of a document soon."""
        state = self._states.get(uri)
        if state is None:
            return
        opened = self._documents.get(uri)
        if opened is not None and not state.was_shown and state.progress is None:
            state.progress = self._editor.progress(f"Checking {named_path(uri).name}", partial(_how_far, opened, state))
        wait = min(max(2 * (state.cost - _QUICK), _SHORTEST_WAIT), _LONGEST_WAIT)
        self._schedule(uri, state, wait)
        if uri in self._marked:
            self._publish_marks(uri)

    def _marks_changed(self, uri: str) -> None:
        """Publish the changed marks of a file."""
        opened, state = self._documents.get(uri), self._states.get(uri)
        if self.is_pulled or opened is None or opened.document is None or state is None:
            self._publish_marks(uri)
            marks = self._session.marks.of(uri)
            changing = (marks.refuted, marks.confirmed)
            if state is not None and state.was_pulled and state.changed_by_marks != changing:
                self._editor.refresh(types.WORKSPACE_DIAGNOSTIC_REFRESH)
            if state is not None:
                state.changed_by_marks = changing
        elif state.published is not None:
            self._publish_again(opened, state, even_if_same=True)

    def files_changed(self, uri: str) -> None:
        """Publish the findings of a document again, if a change of other files changes them.

        A document that is still being checked is published when its check is complete.
        """
        opened, state = self._documents.get(uri), self._states.get(uri)
        if opened is None or state is None or state.published is None or not state.is_complete.is_set():
            return
        self._publish_again(opened, state, even_if_same=False)

    def _document_closed(self, uri: str) -> None:
        """Forget a document, and remove its diagnostics from the editor."""
        gc.unfreeze()
        state = self._states.pop(uri, None)
        if state is not None:
            state.is_presentable.set()
            state.is_complete.set()
            state.end_progress()
            if state.timer is not None:
                state.timer.cancel()
        if not self.is_pulled or uri in self._marked:
            self._marked.discard(uri)
            self._editor.publish(uri, [])

    def close(self) -> None:
        """End all progress reports."""
        for state in self._states.values():
            state.end_progress()

    @property
    def is_pulled(self) -> bool:
        """Whether the editor pulls diagnostics. Without refreshes it would miss those of runs and of changed files."""
        documents, workspace = self._editor.capabilities.text_document, self._editor.capabilities.workspace
        diagnostics = workspace.diagnostics if workspace is not None else None
        can_refresh = diagnostics is not None and bool(diagnostics.refresh_support)
        return can_refresh and documents is not None and documents.diagnostic is not None

    # Checking; in the event loop's thread

    def _schedule(self, uri: str, state: _CheckState, wait: float) -> None:
        if state.timer is not None:
            state.timer.cancel()
        state.timer = asyncio.get_running_loop().call_later(wait, self._work, uri)

    def _work(self, uri: str) -> None:
        opened, state = self._documents.get(uri), self._states.get(uri)
        if state is not None:
            state.timer = None
        document = opened.document if opened is not None else None
        if opened is None or document is None or state is None:
            return
        if state.is_checking:
            state.is_to_go_on = True
            return
        state.is_checking, state.is_to_go_on = True, False
        state.started = state.started or time.perf_counter()
        turn = Turn.SOON if document.findings.is_behind_edit else Turn.LATER
        step = self._queues.submit(opened.queue, partial(self._step, opened, state), turn)
        step.add_done_callback(partial(self._stepped, opened, state, state.turn))

    def _stepped(self, opened: OpenDocument, state: _CheckState, turn: int, done: asyncio.Future[_Step | None]) -> None:
        state.is_checking = False
        if done.cancelled() or self._states.get(opened.uri) is not state:
            return
        if (step := done.result()) is None:
            return
        if state.turn == turn:
            document = opened.document
            is_large = document is not None and document.file.length > _LARGE
            if step.is_complete and state.progress is not None and is_large:
                gc.freeze()  # a collection would visit all its trees: half a second for 1.6 MB, while somebody types
            self._show(state, step)
        if (step.has_work and state.turn == turn) or state.is_to_go_on:
            self._schedule(opened.uri, state, 0)

    def _show(self, state: _CheckState, step: _Step) -> None:
        if step.is_complete or step.is_presentable:
            if not state.is_presentable.is_set():
                state.cost = time.perf_counter() - state.started if state.was_shown else 0.0
                state.was_shown = True
                state.is_presentable.set()
            if step.is_complete:
                state.is_complete.set()
                state.end_progress()
        if step.message is not None:
            state.published = step.shown
            self._editor.send(step.message)
        if self.is_pulled and step.is_complete and state.is_to_be_pulled_again:
            state.is_to_be_pulled_again = False
            self._editor.refresh(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    # Checking; in the document's queue

    def _step(self, opened: OpenDocument, state: _CheckState) -> _Step | None:
        """Check a document for one slice, and return the result.

        Only the first and the last result have diagnostics to publish; those in between would flicker.
        """
        document = opened.document
        if document is None:
            return None
        begin = time.perf_counter()
        findings = document.findings
        findings.work(lambda: time.perf_counter() - begin > _SLICE, urgent_only=True)
        if not findings.has_urgent_work:
            findings.work(lambda: time.perf_counter() - begin > _SLICE)
            if findings.has_heavy and not findings.has_work:
                findings.check_heavy()
        is_complete, is_presentable = findings.is_complete, findings.is_presentable
        is_late = state.published is None and time.perf_counter() - state.started > _LONGEST_SILENCE
        is_first = is_presentable and not state.is_presentable.is_set()
        has_work = findings.has_work or findings.has_heavy
        step = _Step(has_work, is_presentable, is_complete, None, None)
        if self.is_pulled or not (is_complete or is_first or (is_late and not is_presentable)):
            return step
        items = self._all_items(document)
        if not is_complete and items == state.published:
            return step
        return step._replace(shown=items, message=self._publication(document, items))

    def _publication(self, document: Document, items: Sequence[types.Diagnostic]) -> bytes:
        params = types.PublishDiagnosticsParams(document.uri, items, document.version)
        return self._editor.encoded(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _all_items(self, document: Document) -> list[types.Diagnostic]:
        return [*self.items(document), *self._items_of_marks(document.uri)]

    # Showing

    def _publish_again(self, opened: OpenDocument, state: _CheckState, *, even_if_same: bool) -> None:
        """Publish the present findings of a document, `even_if_same` as the last published ones."""

        def made() -> tuple[Sequence[types.Diagnostic], bytes] | None:
            document = opened.document
            if document is None:
                return None
            items = self._all_items(document)
            if items == state.published and not even_if_same:
                return None
            return items, self._publication(document, items)

        def show(turn: int, done: asyncio.Future[tuple[Sequence[types.Diagnostic], bytes] | None]) -> None:
            shown = done.result() if not done.cancelled() else None
            if shown is not None and state.turn == turn and self._states.get(opened.uri) is state:
                state.published = shown[0]
                self._editor.send(shown[1])

        self._queues.submit(opened.queue, made, Turn.SOON).add_done_callback(partial(show, state.turn))

    def _publish_marks(self, uri: str) -> None:
        """Push the marks of a file that is not open, or whose other diagnostics the editor pulls."""
        items = self._items_of_marks(uri)
        if not items and uri not in self._marked:
            return
        (self._marked.add if items else self._marked.discard)(uri)
        self._editor.publish(uri, items)

    def _items_of_marks(self, uri: str) -> list[types.Diagnostic]:
        session = self._session
        file, findings = session.file(uri), session.marks.of(uri).all_findings
        if file is None or not findings or uri in session.built.by_uri:
            return []
        return diagnostic_items(file, findings, uri, session)

    def items(self, document: Document) -> list[types.Diagnostic]:
        """Return the diagnostics of the present version of a document, without marks of runs."""
        return self.items_of(document.uri, document.findings)

    def items_of(self, uri: str, findings: Findings) -> list[types.Diagnostic]:
        """Return the diagnostics of a document or file, at the rule levels of its settings.

        Those of a built script are shown at the calls in its program instead.
        """
        if uri in self._session.built.by_uri:
            return []
        levels = self._configuration.levels(uri)
        self._rule_failures.report(uri, findings.failures())
        known = self._elsewhere.settled(uri, findings.file, findings.diagnostics())
        known = self._session.marks.of(uri).unrefuted(known, findings.file)
        reported = with_levels(known, levels)
        return diagnostic_items(findings.file, reported, uri, self._session)

    async def pulled(self, uri: str, make: Callable[[list[types.Diagnostic]], _T], deadline: float | None = None) -> _T:
        """Return the result of `make` for the diagnostics of the newest version of a document.

        The editor gets presentable diagnostics of a large file first, and the rest after a refresh. Raises
        AskAgainError at the `deadline`, in seconds of the event loop's clock, by default `LONGEST` seconds from now.
        """
        deadline = deadline if deadline is not None else asyncio.get_running_loop().time() + LONGEST
        state, opened = self._states.get(uri), self._documents.get(uri)
        if state is None or opened is None:
            return make([])
        made: tuple[_T] | None = None
        while made is None:
            await in_time(asyncio.ensure_future(state.is_presentable.wait()), deadline)
            state.was_pulled, state.is_to_be_pulled_again = True, not state.is_complete.is_set()
            pulled = self._queues.submit(opened.queue, partial(self._pulled, opened, make), Turn.SOON)
            made = await in_time(pulled, deadline)
        return made[0]

    def _pulled(self, opened: OpenDocument, make: Callable[[list[types.Diagnostic]], _T]) -> tuple[_T] | None:
        """Return the result of `make` as a tuple, or None if the check began again meanwhile, and is not far enough."""
        document = opened.document
        if document is None:
            return (make([]),)
        return (make(self.items(document)),) if document.findings.is_presentable else None


def _how_far(opened: OpenDocument, state: _CheckState) -> tuple[str, int]:
    """Return the number of checked sections as a message, and the percentage."""
    document = opened.document
    left = document.findings.left if document is not None else 0
    state.most_left = most = max(state.most_left, left)
    return f"{most - left} of {most} sections", 100 * (most - left) // most
