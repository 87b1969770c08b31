"""Register all adapters. The server advertises exactly the methods registered here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from tdls.lsp.connection.registration import DeferredMethods, Features, defer
from tdls.lsp.documents import workspace_files
from tdls.lsp.programs import check_command
from tdls.lsp.requests import (
    code_action,
    code_lens,
    completion,
    correspondence,
    editing,
    hover,
    inlay_hint,
    migration,
    navigation,
    overview,
    pull_diagnostics,
    ranges,
    semantic_tokens,
    symbols,
)
from tdls.lsp.runs import run_command, text_document_content
from tdls.lsp.workspace import configuration

if TYPE_CHECKING:
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.documents.diagnostics import DiagnosticsQueue
    from tdls.lsp.documents.libraries import Libraries
    from tdls.lsp.documents.synchronization import DocumentSync
    from tdls.lsp.documents.workspace_files import WorkspaceFiles
    from tdls.lsp.programs.schedules import Schedules
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


RECORDING_METHODS = (
    "tdls/stateAt", "tdls/recording", "tdls/lineOrigin", "tdls/emptySince", "tdls/handleLines", "tdls/matches",
)  # fmt: skip
"""Methods about recordings and matches; their adapters are imported at the first such request."""


class Services(Features, Protocol):
    """All services of the server; each adapter gets only those that it uses."""

    session: Session
    queues: DocumentQueues
    editor: Editor
    open_documents: OpenDocuments
    documents: DocumentSync
    consents: Consents
    configuration: Configuration
    projects: Projects
    libraries: Libraries
    elsewhere: OtherDocuments
    diagnostics: DiagnosticsQueue
    runs: Runs
    run_views: RunViews
    recordings: Recordings
    schedules: Schedules
    workspace_files: WorkspaceFiles


def register_features(server: Services) -> None:
    """Register every adapter with `server`."""
    _register_display(server)
    _register_navigation(server)
    _register_editing(server)
    _register_runs(server)
    configuration.register(server, server.configuration)
    workspace_files.register(server, server.session, server.workspace_files)


def _register_display(server: Services) -> None:
    session, editor = server.session, server.editor
    code_lens.register(server, session, server.open_documents, server.queues, editor, server.configuration)
    symbols.register_document_symbol(server, session, editor)
    ranges.register_folding_range(server, session)
    hover.register_hover(server, session, editor, server.projects, server.runs, server.run_views)
    inlay_hint.register(server, session, server.open_documents, editor, server.configuration)
    overview.register_overview(server, session)
    pull_diagnostics.register(server, session, server.queues, server.libraries, server.diagnostics)
    ranges.register_selection_range(server, session)
    semantic_tokens.register(server, session)
    hover.register_signature_help(server, session, editor)


def _register_navigation(server: Services) -> None:
    session, editor, runs, run_views = server.session, server.editor, server.runs, server.run_views
    navigation.register_call_hierarchy(server, session)
    navigation.register_declaration(server, session, editor, runs, run_views)
    navigation.register_definition(server, session, editor)
    navigation.register_document_highlight(server, session)
    navigation.register_document_link(server, session)
    navigation.register_implementation(server, session, editor, runs, run_views)
    navigation.register_references(server, session)
    navigation.register_type_definition(server, session, editor)
    symbols.register_workspace_symbol(server, session)


def _register_editing(server: Services) -> None:
    session, editor = server.session, server.editor
    code_action.register(server, session, editor, server.configuration, server.elsewhere)
    completion.register(server, session, editor, server.projects)
    editing.register_formatting(server, session)
    editing.register_rename(server, session, editor)
    migration.register(server, session, server.open_documents, server.queues, editor, server.projects, server.libraries)


def _register_runs(server: Services) -> None:
    session, editor, runs, run_views = server.session, server.editor, server.runs, server.run_views
    correspondence.register(server, session, runs, run_views)
    overview.register_status(server, runs, server.projects)
    defer(server, RECORDING_METHODS, partial(_register_states, server))
    text_document_content.register(server, run_views, server.recordings, server.schedules.text)
    commands = run_command.RunCommands(
        session, server.open_documents, server.queues, editor, server.consents, runs, run_views, server.recordings
    )
    run_command.register(server, commands)
    run_command.register_payload_choice(server, server.documents.payload_chosen)
    check_command.register(
        server, session, server.open_documents, server.queues, editor, server.consents, server.schedules, run_views
    )


def _register_states(server: Services, methods: DeferredMethods) -> None:
    from tdls.lsp.requests import matches, recording, state_at

    session, queues, recordings = server.session, server.queues, server.recordings
    state_at.register(methods, session, server.open_documents, queues, recordings)
    recording.register_recording(methods, session, server.open_documents, queues, recordings)
    recording.register_line_origin(methods, queues, recordings)
    recording.register_empty_since(methods, recordings)
    recording.register_handle_lines(methods, queues, recordings)
    matches.register(methods, session, server.runs)
