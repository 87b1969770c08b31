"""When documents are checked, and how the editor gets to know.

Checking happens in slices on the event loop, between requests: sections that mention transform operations first, then
the rest. A document that changes again is checked again from where it changed, so nothing is ever shown for a version
that is no longer the present one.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.levels import with_levels
from tdls.lsp.diagnostic_items import Shown, diagnostic_items
from tdls.lsp.helpers import Helpers

if TYPE_CHECKING:
    from tdls.analysis.findings import Findings
    from tdls.lsp.documents import Document
    from tdls.lsp.server import TdlsServer

_SLICE = 0.006
"""Seconds of checking after which requests get their turn."""
_LONGEST_SILENCE = 0.3
"""Seconds after which a newly opened file shows what is found by then."""
_SHORTEST_WAIT, _LONGEST_WAIT = 0.001, 0.05
"""Seconds between an edit and the check: twice what the last check took, within these bounds."""


@dataclass
class _State:
    """Where the check of one document stands."""

    timer: asyncio.Handle | None = None
    cost: float = 0.0
    """Seconds that the check after the last edit took until its first result."""
    was_shown: bool = False
    started: float = 0.0
    published: list[types.Diagnostic] | None = None
    is_presentable: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when all sections that mention transform operations are checked."""
    is_complete: asyncio.Event = field(default_factory=asyncio.Event)
    was_pulled_incomplete: bool = False

    def begin(self) -> None:
        """Nothing is known of the new version."""
        self.is_presentable.clear()
        self.is_complete.clear()
        self.started = 0.0


class DiagnosticsQueue:
    """Checks documents and publishes what is found, or lets the editor ask for it where it can."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self._states: dict[str, _State] = {}
        self._helpers = Helpers(server.session.catalogue, self._sections_returned)
        self._marked: set[str] = set()
        """Files for which the editor got diagnostics of runs alone."""

    def document_changed(self, uri: str) -> None:
        """Check the present version of a document soon; a check of an older one is given up."""
        state = self._states.setdefault(uri, _State())
        state.begin()
        wait = min(max(2 * state.cost, _SHORTEST_WAIT), _LONGEST_WAIT)
        self._schedule(uri, state, wait)
        if uri in self._marked:
            self._publish_marks(uri)

    def marks_changed(self, uri: str) -> None:
        """Show what runs say about a file now."""
        document, state = self._server.session.documents.get(uri), self._states.get(uri)
        if self.is_pulled or document is None or state is None:
            self._publish_marks(uri)
        elif state.published is not None:
            self._publish(document, state, complete=state.is_complete.is_set())

    def document_closed(self, uri: str) -> None:
        """Forget a document; the editor is told to show nothing for it any more."""
        state = self._states.pop(uri, None)
        if state is not None:
            state.is_presentable.set()
            state.is_complete.set()
            if state.timer is not None:
                state.timer.cancel()
        if not self.is_pulled or uri in self._marked:
            self._marked.discard(uri)
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def close(self) -> None:
        """Stop what runs in other processes."""
        self._helpers.close()

    @property
    def is_pulled(self) -> bool:
        """True if the editor asks for diagnostics itself."""
        documents = self._server.client_capabilities.text_document
        return documents is not None and documents.diagnostic is not None

    @property
    def shown(self) -> Shown:
        """What the editor can show of a diagnostic."""
        return Shown.by(self._server.client_capabilities)

    # Checking

    def _schedule(self, uri: str, state: _State, wait: float) -> None:
        if state.timer is not None:
            state.timer.cancel()
        state.timer = asyncio.get_running_loop().call_later(wait, self._work, uri)

    def _work(self, uri: str) -> None:
        document, state = self._server.session.documents.get(uri), self._states.get(uri)
        if document is None or state is None:
            return
        begin = time.perf_counter()
        state.started = state.started or begin
        findings = document.findings
        findings.work(lambda: time.perf_counter() - begin > _SLICE, urgent_only=True)
        if not findings.has_urgent_work:
            self._helpers.take_over(document)
            findings.work(lambda: time.perf_counter() - begin > _SLICE)
        complete = findings.is_complete and not self._helpers.are_busy_with(uri)
        if complete or not findings.has_urgent_work:
            self._show(document, state, complete=complete)
        elif state.published is None and time.perf_counter() - state.started > _LONGEST_SILENCE:
            self._show_first_part(document, state)
        if not findings.is_complete:
            self._schedule(uri, state, 0)

    def _sections_returned(self, uri: str) -> None:
        state = self._states.get(uri)
        if state is not None and not state.is_complete.is_set():
            self._schedule(uri, state, 0)

    # Showing

    def _show(self, document: Document, state: _State, *, complete: bool) -> None:
        """Show the first result and the last one; what comes between would only flicker."""
        if state.is_presentable.is_set() and not complete:
            return
        if not state.is_presentable.is_set():
            state.cost = time.perf_counter() - state.started if state.was_shown else 0.0
            state.was_shown = True
            state.is_presentable.set()
        if complete:
            state.is_complete.set()
        if not self.is_pulled:
            self._publish(document, state, complete=complete)
        elif complete and state.was_pulled_incomplete:
            state.was_pulled_incomplete = False
            self._server.workspace_diagnostic_refresh(None)

    def _show_first_part(self, document: Document, state: _State) -> None:
        """Show what is found so far in a file that was just opened and is not looked through soon."""
        if not self.is_pulled:
            self._publish(document, state, complete=False)

    def _publish(self, document: Document, state: _State, *, complete: bool) -> None:
        items = [*self.items(document), *self._items_of_marks(document.uri)]
        if not complete and items == state.published:
            return
        state.published = items
        params = types.PublishDiagnosticsParams(document.uri, items, document.version)
        self._server.text_document_publish_diagnostics(params)

    def _publish_marks(self, uri: str) -> None:
        """Push what runs say about a file that is not open, or whose other diagnostics the editor asks for itself."""
        items = self._items_of_marks(uri)
        if not items and uri not in self._marked:
            return
        (self._marked.add if items else self._marked.discard)(uri)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items))

    def _items_of_marks(self, uri: str) -> list[types.Diagnostic]:
        session = self._server.session
        file, findings = session.file(uri), session.marks.of(uri).findings
        return diagnostic_items(file, findings, uri, session, self.shown) if file is not None and findings else []

    def items(self, document: Document) -> list[types.Diagnostic]:
        """Return what is known of the present version."""
        return self.items_of(document.uri, document.findings)

    def items_of(self, uri: str, findings: Findings) -> list[types.Diagnostic]:
        """Return what is known of a document or file, at the levels that its settings give to rules."""
        levels = self._server.configuration.levels(uri)
        found = with_levels(findings.diagnostics(), levels)
        return diagnostic_items(findings.file, found, uri, self._server.session, self.shown)

    async def pulled(self, uri: str) -> list[types.Diagnostic]:
        """Return what is found in the newest version of a document, as soon as it can be shown.

        Where the editor can be told to ask again, the rest of a large file follows later.
        """
        state, document = self._states.get(uri), self._server.session.documents.get(uri)
        if state is None or document is None:
            return []
        await (state.is_presentable if self._can_refresh else state.is_complete).wait()
        state.was_pulled_incomplete = not state.is_complete.is_set()
        return self.items(document)

    @property
    def _can_refresh(self) -> bool:
        workspace = self._server.client_capabilities.workspace
        diagnostics = workspace.diagnostics if workspace is not None else None
        return diagnostics is not None and bool(diagnostics.refresh_support)
