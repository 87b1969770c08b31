"""``workspace/textDocumentContent``: the text of runs, recorded states, built scripts and bytecode."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.files.reading import read_bytes
from tdls.interpreter.errors import BackendError, ConsentError
from tdls.interpreter.runs.model import Emit, Limits
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import SCHEME, ScheduleDocument, StateDocument, View, bytecode_of
from tdls.lsp.runs.views import shown_text

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.state import State

OPTIONS = types.TextDocumentContentOptions([SCHEME])
"""Server capability for editors that support virtual documents."""


def register(host: Host, state: State) -> None:
    """Answer with the payload after the last run or at one step, or with a built script."""

    @host.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def text_document_content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        moment = StateDocument.from_uri(params.uri)
        if moment is not None:
            return types.TextDocumentContentResult(shown_text(await state.recordings.text(moment)))
        schedule = ScheduleDocument.from_uri(params.uri)
        if schedule is not None:
            return types.TextDocumentContentResult(state.schedules.text(schedule))
        bytecode = path_of(bytecode_of(params.uri) or "")
        if bytecode is not None:
            return types.TextDocumentContentResult(shown_text(await _printed(state, params.uri, bytecode)))
        document = state.run_views.document(params.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{params.uri} shows no run, and no script")
        if document.view is View.FAILURE:
            state.run_views.opened(document)
            text = await state.recordings.text_before_failure(document.target)
        else:
            text = await state.runs.text(document)
        return types.TextDocumentContentResult(shown_text(text))


async def _printed(state: State, uri: str, path: Path) -> str:
    """Return a file of bytecode as MLIR prints it, or why it does not, in a comment."""
    run = (await state.configuration.for_run(uri)).run
    try:
        await asyncio.to_thread(read_bytes, path)
        result = await state.runs.executor.do(lambda backend: backend.print(path, Limits.of(run)), run.backend_choice)
    except ConsentError as error:
        state.consents.ask(error.consent_requests)
        reasons = [str(error)]
    except (BackendError, OSError) as error:
        reasons = [str(error)]
    else:
        if Emit.MODULE in result.texts:
            return result.texts[Emit.MODULE]
        from tdls.interpreter.backend import why_not_read

        reasons = why_not_read(result)
    return f"// {path.name} is not shown as text:\n" + "".join(f"// {line}\n" for line in reasons)
