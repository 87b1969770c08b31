"""Notifications of the editor about documents, cells of notebooks, files, folders and settings."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.semantic.transform_dialect import TRANSFORM
from tdls.syntax.details import parse_detail

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.documents.synchronization import DocumentSync
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

_PYTHON = "python"
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells(cells=[types.NotebookCellLanguage(_PYTHON)])]
)
_BEFORE_REQUESTS = 2.0
"""Seconds from the start until modules that only requests need are loaded: till then, the first documents are read."""


def register(host: Host, state: State) -> None:
    """Register the notifications on which the state is read and updated."""
    sync, workspace = state.sync, state.workspace_files
    host.follow(types.TEXT_DOCUMENT_DID_OPEN, lambda params: sync.open(params.text_document))
    host.follow(types.TEXT_DOCUMENT_DID_CHANGE, sync.change)
    host.follow(types.TEXT_DOCUMENT_DID_CLOSE, lambda params: sync.close(params.text_document.uri))
    _follow_notebooks(host, sync)

    @host.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        """Watch and read the files of the workspace; returns when all are read."""
        await asyncio.gather(workspace.start(), _warm_up(state))

    @host.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration_changed(params: types.DidChangeConfigurationParams) -> None:
        await state.configuration.received(params.settings)

    @host.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched_files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        await workspace.files_changed(params.changes)

    @host.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def document_saved(params: types.DidSaveTextDocumentParams) -> None:
        await workspace.document_saved(params.text_document.uri)

    @host.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        await workspace.folders_changed(params.event)


def _follow_notebooks(host: Host, sync: DocumentSync) -> None:
    """Take each cell of a notebook that has Python for a document, as other programs are."""

    def open_cells(cells: Iterable[types.TextDocumentItem]) -> None:
        for cell in cells:
            if cell.language_id == _PYTHON:
                sync.open(cell)

    def close_cells(cells: Iterable[types.TextDocumentIdentifier]) -> None:
        for cell in cells:
            sync.close(cell.uri)

    def change(params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells or types.NotebookDocumentCellChanges()
        if cells.structure is not None:
            close_cells(cells.structure.did_close or ())
            open_cells(cells.structure.did_open or ())
        for content in cells.text_content or ():
            sync.change(types.DidChangeTextDocumentParams(content.document, content.changes))

    host.follow(types.NOTEBOOK_DOCUMENT_DID_OPEN, lambda params: open_cells(params.cell_text_documents))
    host.follow(types.NOTEBOOK_DOCUMENT_DID_CHANGE, change)
    host.follow(types.NOTEBOOK_DOCUMENT_DID_CLOSE, lambda params: close_cells(params.cell_text_documents))


async def _warm_up(session: Session) -> None:
    """Load the catalogue, then descriptions and the grammar, in another thread, before a request needs them."""
    catalogue = session.catalogue
    names = await asyncio.to_thread(catalogue.operation_names, TRANSFORM)
    for name in names[:1]:
        await asyncio.to_thread(catalogue.variants, name)
        await asyncio.sleep(_BEFORE_REQUESTS)
        await asyncio.to_thread(session.descriptions, name)
    await asyncio.to_thread(parse_detail, "type", "tensor<?xf32, affine_map<(d0) -> (d0)>>")  # loads the grammar
