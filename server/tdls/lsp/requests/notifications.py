"""Notifications of the editor about documents, files, folders and settings."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.lsp.documents.workspace_files import warm_up

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.state import State


def register(features: Features, state: State) -> None:
    """Register the notifications on which the state is read and updated."""
    sync, workspace = state.sync, state.workspace_files
    features.follow(types.TEXT_DOCUMENT_DID_OPEN, lambda params: sync.open(params.text_document))
    features.follow(types.TEXT_DOCUMENT_DID_CHANGE, sync.change)
    features.follow(types.TEXT_DOCUMENT_DID_CLOSE, lambda params: sync.close(params.text_document.uri))

    @features.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        """Watch and read the files of the workspace; returns when all are read."""
        await asyncio.gather(workspace.start(), warm_up(state))

    @features.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration_changed(params: types.DidChangeConfigurationParams) -> None:
        await state.configuration.received(params.settings)

    @features.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched_files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        await workspace.files_changed(params.changes)

    @features.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def document_saved(params: types.DidSaveTextDocumentParams) -> None:
        await workspace.document_saved(params.text_document.uri)

    @features.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        await workspace.folders_changed(params.event)
