"""Requests for diagnostics while the server reads something else."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from tdls.catalogue.model import OperationDefinition
from tdls.catalogue.source import MemorySource
from tdls.lsp.connection.editor import Editor
from tdls.lsp.session.requests import answered

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.lsp.server import TdlsServer

URI = "file:///features/pulled.mlir"
STALE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""
REFRESHED = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
    workspace=types.WorkspaceClientCapabilities(
        diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    ),
)
PATIENCE = 30.0
"""Seconds after which a test gives up."""


@pytest.mark.parametrize("turns", range(12))
async def test_answer_is_not_that_of_a_check_that_only_begins(
    server: TdlsServer, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr(Editor, "capabilities", REFRESHED)
    server.state.sync.open(types.TextDocumentItem(URI, "mlir", 0, STALE))
    assert await server.state.diagnostics.pulled(URI, len) == 1
    for number in range(5):
        other = server.state.catalogue.with_source(MemorySource("my.json", [OperationDefinition(f"my.op{number}")]))
        pulled = asyncio.ensure_future(server.state.diagnostics.pulled(URI, len))
        for _ in range(turns):
            await asyncio.sleep(0)
        _use(server, monkeypatch, other)
        assert await pulled == 1


async def test_editor_asks_again_when_the_project_is_known(server: TdlsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(Editor, "capabilities", REFRESHED)
    monkeypatch.setattr(Editor, "refresh", lambda _, method: sent.append(method))
    known = server.state.catalogue
    monkeypatch.setattr(server.state.projects, "catalogue", lambda _: known.incomplete())
    server.state.sync.open(types.TextDocumentItem(URI, "mlir", 0, STALE.replace("yield", "yeld")))
    before = await server.state.diagnostics.pulled(URI, len)
    _use(server, monkeypatch, known)
    for _ in range(100):
        if sent:
            break
        await asyncio.sleep(0.05)
    assert sent.count(types.WORKSPACE_DIAGNOSTIC_REFRESH) == 1
    assert await server.state.diagnostics.pulled(URI, len) == before + 1


def _use(server: TdlsServer, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue) -> None:
    """Let the server find other operations in the project of every document."""
    monkeypatch.setattr(server.state.projects, "catalogue", lambda _: catalogue)
    server.state.sync.settings_changed()


async def test_findings_at_an_edit_do_not_wait_for_an_answer_about_the_whole_document(
    server: TdlsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Editor, "capabilities", REFRESHED)
    monkeypatch.setattr("tdls.lsp.session.requests.LONGEST", PATIENCE)
    server.state.sync.open(types.TextDocumentItem(URI, "mlir", 0, STALE))
    assert await server.state.diagnostics.pulled(URI, len) == 1
    begun, is_found = threading.Event(), threading.Event()

    def all_lenses() -> Generator[None, None, bytes]:
        begun.set()
        while not is_found.is_set():
            yield
        return b"lenses"

    def changed_to(version: int, text: str) -> None:
        whole = types.TextDocumentContentChangeWholeDocument(text)
        server.state.sync.change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, URI), [whole])
        )

    changed_to(1, STALE.replace("factor = 2", "factor = 3"))
    params = types.CodeLensParams(types.TextDocumentIdentifier(URI))
    lenses = answered(server.state, types.TEXT_DOCUMENT_CODE_LENS, params, all_lenses)
    assert await server.state.diagnostics.pulled(URI, len, asyncio.get_running_loop().time() + PATIENCE) == 1
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    is_found.set()
    assert await lenses == b"lenses"
