"""``workspace/textDocumentContent``: the text of documents that show runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.lsp.protocol.run_target import SCHEME, RunDocument, StateDocument

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.recordings import Recordings
    from tdls.lsp.runs.views import RunViews

OPTIONS = types.TextDocumentContentOptions([SCHEME])
"""What the server says of itself to editors that ask for documents."""


def register(features: Features, run_views: RunViews, recordings: Recordings) -> None:
    """Answer with the payload as the last run left it, or as it was at one step."""

    @features.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def text_document_content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        """Return the text of a document that a run made."""
        state = StateDocument.from_uri(params.uri)
        if state is not None:
            return types.TextDocumentContentResult(await recordings.text(state))
        document = RunDocument.from_uri(params.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{params.uri} shows no run")
        return types.TextDocumentContentResult(await run_views.text(document))
