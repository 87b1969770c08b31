"""``workspace/textDocumentContent``: the text of documents that show runs, recorded states and built scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.lsp.protocol.run_target import SCHEME, ScheduleDocument, StateDocument, View

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.state import State

OPTIONS = types.TextDocumentContentOptions([SCHEME])
"""Server capability for editors that support virtual documents."""


def register(features: Features, state: State) -> None:
    """Answer with the payload after the last run or at one step, or with a built script."""

    @features.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def text_document_content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        moment = StateDocument.from_uri(params.uri)
        if moment is not None:
            return types.TextDocumentContentResult(await state.recordings.text(moment))
        schedule = ScheduleDocument.from_uri(params.uri)
        if schedule is not None:
            return types.TextDocumentContentResult(state.schedules.text(schedule))
        document = state.run_views.document(params.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{params.uri} shows no run, and no script")
        if document.view is View.FAILURE:
            state.run_views.opened(document)
            return types.TextDocumentContentResult(await state.recordings.text_before_failure(document.target))
        return types.TextDocumentContentResult(await state.runs.text(document))
