"""The list of all adapters: what is registered here is what the server can do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from tdls.lsp.connection.registration import DeferredMethods, Features, defer
from tdls.lsp.documents import workspace_files
from tdls.lsp.programs import check_command
from tdls.lsp.requests.display import (
    code_lens,
    correspondence,
    document_symbol,
    folding_range,
    hover,
    inlay_hint,
    overview,
    pull_diagnostics,
    selection_range,
    semantic_tokens,
    signature_help,
    status,
)
from tdls.lsp.requests.editing import code_action, completion, formatting, rename
from tdls.lsp.requests.navigation import (
    call_hierarchy,
    declaration,
    definition,
    document_highlight,
    document_link,
    implementation,
    references,
    type_definition,
    workspace_symbol,
)
from tdls.lsp.runs import payload_choice, run_command, text_document_content
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
    from tdls.lsp.session.lanes import Lanes
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents
    from tdls.lsp.workspace.elsewhere import Elsewhere
    from tdls.lsp.workspace.projects import Projects


RECORDING_METHODS = (
    "tdls/stateAt", "tdls/recording", "tdls/lineOrigin", "tdls/emptySince", "tdls/handleLines", "tdls/matches",
)  # fmt: skip
"""What is answered from recordings, and of matches, by adapters that nobody needs before."""


class Services(Features, Protocol):
    """What there is for adapters, each of which is handed what it uses."""

    session: Session
    lanes: Lanes
    editor: Editor
    open_documents: OpenDocuments
    documents: DocumentSync
    consents: Consents
    configuration: Configuration
    projects: Projects
    libraries: Libraries
    elsewhere: Elsewhere
    diagnostics: DiagnosticsQueue
    runs: Runs
    run_views: RunViews
    recordings: Recordings
    schedules: Schedules
    workspace_files: WorkspaceFiles


def register_features(server: Services) -> None:
    """Register every adapter with `server`, which advertises exactly these."""
    _register_display(server)
    _register_navigation(server)
    _register_editing(server)
    _register_runs(server)
    configuration.register(server, server.configuration)
    workspace_files.register(server, server.session, server.workspace_files)


def _register_display(server: Services) -> None:
    session, editor = server.session, server.editor
    code_lens.register(server, session, server.open_documents, server.lanes, editor, server.configuration)
    document_symbol.register(server, session, editor)
    folding_range.register(server, session)
    hover.register(server, session, editor, server.projects, server.runs, server.run_views)
    inlay_hint.register(server, session, server.open_documents, editor, server.configuration)
    overview.register(server, session)
    pull_diagnostics.register(server, session, server.lanes, server.libraries, server.diagnostics)
    selection_range.register(server, session)
    semantic_tokens.register(server, session)
    signature_help.register(server, session, editor)


def _register_navigation(server: Services) -> None:
    session, editor, runs, run_views = server.session, server.editor, server.runs, server.run_views
    call_hierarchy.register(server, session)
    declaration.register(server, session, editor, runs, run_views)
    definition.register(server, session, editor)
    document_highlight.register(server, session)
    document_link.register(server, session)
    implementation.register(server, session, editor, runs, run_views)
    references.register(server, session)
    type_definition.register(server, session, editor)
    workspace_symbol.register(server, session)


def _register_editing(server: Services) -> None:
    session, editor = server.session, server.editor
    code_action.register(server, session, editor, server.configuration, server.elsewhere)
    completion.register(server, session, editor, server.projects)
    formatting.register(server, session)
    rename.register(server, session, editor)


def _register_runs(server: Services) -> None:
    session, editor, runs, run_views = server.session, server.editor, server.runs, server.run_views
    correspondence.register(server, session, runs, run_views)
    status.register(server, runs, server.projects)
    defer(server, RECORDING_METHODS, partial(_register_states, server))
    text_document_content.register(server, run_views, server.recordings, server.schedules.text)
    commands = run_command.RunCommands(
        session, server.open_documents, server.lanes, editor, server.consents, runs, run_views, server.recordings
    )
    run_command.register(server, commands)
    payload_choice.register(server, server.documents.payload_chosen)
    check_command.register(
        server, session, server.open_documents, server.lanes, editor, server.consents, server.schedules, run_views
    )


def _register_states(server: Services, methods: DeferredMethods) -> None:
    from tdls.lsp.requests.display import matches, state_at
    from tdls.lsp.requests.states import empty_since, handle_lines, line_origin, recording

    session, lanes, recordings = server.session, server.lanes, server.recordings
    state_at.register(methods, session, server.open_documents, lanes, recordings)
    recording.register(methods, session, server.open_documents, lanes, recordings)
    line_origin.register(methods, lanes, recordings)
    empty_since.register(methods, recordings)
    handle_lines.register(methods, lanes, recordings)
    matches.register(methods, session, server.runs)
