"""The language server: construct its services and connect them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import converters, types

import tdls
from tdls.lsp.connection.dispatch import Host, TdlsProtocol
from tdls.lsp.connection.editor import Editor
from tdls.lsp.connection.standard_streams import OutputWriter, serve_streams
from tdls.lsp.documents.diagnostics import DiagnosticsQueue, RuleFailures
from tdls.lsp.documents.libraries import Libraries
from tdls.lsp.documents.synchronization import DocumentSync, Followers, Refresher
from tdls.lsp.documents.workspace_files import WorkspaceFiles
from tdls.lsp.features import register_features
from tdls.lsp.programs.schedules import Schedules
from tdls.lsp.runs import text_document_content
from tdls.lsp.runs.live import LiveRuns
from tdls.lsp.runs.recordings import Recordings
from tdls.lsp.runs.runner import Runs
from tdls.lsp.runs.views import RunViews
from tdls.lsp.session.document import OpenDocuments
from tdls.lsp.session.document_queue import DocumentQueues
from tdls.lsp.session.session import Session
from tdls.lsp.workspace.configuration import Configuration
from tdls.lsp.workspace.consent import Consents
from tdls.lsp.workspace.elsewhere import OtherDocuments
from tdls.lsp.workspace.projects import Projects
from tdls.text.positions import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tdls.lsp.connection.dispatch import Encoded
    from tdls.lsp.protocol.run_target import RunDocument, RunTarget


class TdlsServer(Host):
    """``tdls server``.

    Services are constructed in the order of their dependencies. The methods at the end are callbacks through which a
    change in an earlier service reaches later ones.
    """

    def __init__(self, *, trusts_workspace: bool = False) -> None:
        """`trusts_workspace` allows all settings files to start the programs that they name."""
        super().__init__(
            "tdls", tdls.__version__, protocol_cls=TdlsProtocol, converter_factory=converters.get_converter
        )
        self.session = Session.empty()
        self.queues = DocumentQueues()
        self.editor = Editor(self)
        self.open_documents = OpenDocuments()
        self._make_workspace(trusts_workspace)
        self._make_documents()
        self._make_runs()
        self.workspace_files = WorkspaceFiles(
            self.session,
            self.editor,
            self.configuration,
            self.projects,
            self.open_documents,
            self.documents,
            self._file_saved,
        )
        register_features(self)
        self.follow(types.TEXT_DOCUMENT_DID_OPEN, lambda params: self.documents.open(params.text_document))
        self.follow(types.TEXT_DOCUMENT_DID_CHANGE, self.documents.change)
        self.follow(types.TEXT_DOCUMENT_DID_CLOSE, lambda params: self.documents.close(params.text_document.uri))

    def _make_workspace(self, trusts_workspace: bool) -> None:
        self.consents = Consents(self.editor, self._consent_given, trusts_everything=trusts_workspace)
        self.configuration = Configuration(self.editor, self.consents, self._settings_changed)
        self.projects = Projects(
            self.session.catalogue, self.queues, self.editor, self.configuration, self._definitions_changed
        )
        self.libraries = Libraries(self.session, self.configuration, self.projects)
        self.elsewhere = OtherDocuments(self.session, self.editor)
        self.rule_failures = RuleFailures(self.editor)

    def _make_documents(self) -> None:
        self.diagnostics = DiagnosticsQueue(
            self.session,
            self.open_documents,
            self.queues,
            self.editor,
            self.configuration,
            self.elsewhere,
            self.rule_failures,
        )
        self.documents = DocumentSync(
            self.session,
            self.open_documents,
            self.queues,
            self.projects,
            self.libraries,
            self.elsewhere,
            self.diagnostics,
            Refresher(self.session, self.editor),
            Followers(self._document_read, self._document_edited, self._document_closing, self._document_closed),
        )

    def _make_runs(self) -> None:
        self.runs = Runs(
            self.session,
            self.configuration,
            self.consents,
            self._run_marks_changed,
            self._target_ran_again,
            self._views_aged,
            self.documents.payload_chosen,
            self.documents.others_changed,
        )
        self.live_runs = LiveRuns(self.session, self.configuration, self.consents, self.runs)
        self.run_views = RunViews(self.editor, self.runs)
        self.recordings = Recordings(self.session, self.configuration, self.runs)
        self.schedules = Schedules(
            self.session,
            self.editor,
            self.configuration,
            self.consents,
            self.projects,
            self.rule_failures,
            self.documents.marks_changed,
            self._schedules_renewed,
        )

    # Host interface

    def take_options(self, options: object) -> None:
        """Take the initialization options of the editor."""
        self.consents.take(options)
        self.run_views.take(options)

    def complete(self, capabilities: types.ServerCapabilities) -> None:
        """Add the capability for virtual documents if they are used, and set the negotiated position encoding."""
        if capabilities.workspace is not None and self.run_views.are_virtual:
            capabilities.workspace.text_document_content = text_document_content.OPTIONS
        encoding = capabilities.position_encoding or types.PositionEncodingKind.Utf16
        self.session.encoding = PositionEncoding(getattr(encoding, "value", encoding))

    def encoded(self, result: Any) -> Encoded:
        """Return the result of a request as JSON. Thread-safe."""
        return self.protocol.encoded(result)

    def close(self) -> None:
        """Stop the work in other processes and threads."""
        self.queues.close()
        self.diagnostics.close()
        self.consents.close()
        self.projects.close()
        self.schedules.close()
        self.live_runs.close()
        self.runs.close()

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve until the editor sends ``exit``, or closes a stream. Raises SystemExit and BrokenFramingError."""
        output = stdout or sys.stdout.buffer
        self.protocol.set_writer(OutputWriter(output, self.queues.on_loop))
        serve_streams(self.protocol.receive, (stdin or sys.stdin.buffer).fileno(), output.fileno())

    # Callbacks between services

    def _consent_given(self) -> None:
        self.configuration.settings_changed()

    def _settings_changed(self) -> None:
        self.projects.settings_changed()
        self.documents.settings_changed()

    async def _definitions_changed(self) -> None:
        self.documents.settings_changed()
        await self.workspace_files.renew()

    def _document_edited(self, uri: str) -> None:
        self.runs.text_changed(uri)
        self.live_runs.text_changed(uri)

    def _file_saved(self, uri: str) -> None:
        self.runs.file_saved(uri)
        self.schedules.file_saved(uri)

    def _document_read(self, uri: str) -> None:
        self.live_runs.text_changed(uri)

    def _document_closing(self, uri: str) -> None:
        self.live_runs.document_closing(uri)
        self.run_views.closed(uri)

    async def _document_closed(self, uri: str) -> None:
        await self.workspace_files.read_again(uri)

    def _views_aged(self, documents: Mapping[RunDocument, bool]) -> None:
        self.run_views.tell_age(documents)

    def _run_marks_changed(self, uris: Iterable[str]) -> None:
        changed = list(uris)
        self.documents.marks_changed(changed)
        self.schedules.runs_reported(changed)

    def _schedules_renewed(self, uris: Iterable[str]) -> None:
        for uri in uris:
            self.run_views.schedule_renewed(uri)
            self.runs.file_saved(uri)

    def _target_ran_again(self, target: RunTarget) -> None:
        self.run_views.refresh(target)
