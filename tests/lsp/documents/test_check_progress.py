"""When the check of a document shows progress; `tests/lsp/test_large_files.py` has what is shown."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from tdls.lsp.connection.editor import Editor
from tdls.lsp.documents.check_progress import CheckProgress
from tdls.lsp.server import TdlsServer
from tdls.lsp.session.document import OpenDocument
from tdls.lsp.session.lanes import Lane

CAPABILITIES = types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True))


@pytest.mark.parametrize("is_quick", [True, False])
async def test_only_a_check_that_takes_long_shows_progress(monkeypatch: pytest.MonkeyPatch, is_quick: bool) -> None:
    begun: list[str] = []

    async def begin_progress(_: Editor, title: str, percentage: int) -> None:
        del percentage
        begun.append(title)

    monkeypatch.setattr(Editor, "capabilities", CAPABILITIES)
    monkeypatch.setattr(Editor, "begin_progress", begin_progress)
    monkeypatch.setattr("tdls.lsp.documents.check_progress._PATIENCE", 60.0 if is_quick else 0.0)
    progress, is_complete = CheckProgress(Editor(TdlsServer())), asyncio.Event()
    progress.opened(OpenDocument("file:///tests/some.mlir", 0, Lane()), is_complete)
    (following,) = asyncio.all_tasks() - {asyncio.current_task()}
    if is_quick:
        is_complete.set()
    await following
    assert begun == ([] if is_quick else ["Checking some.mlir"])
