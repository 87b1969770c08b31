"""Findings, as each editor gets them."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened

pytestmark = IN_EDITORS

STALE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !transform.any_op // 𝄞
    transform.print {name = "𝄞"} transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""
CLEAN = "".join(line for line in STALE.splitlines(keepends=True) if "factor = 4" not in line)


async def test_stale_handle(client: EditorClient) -> None:
    document = Opened(client, STALE)
    (finding,) = await document.diagnostics()
    assert finding.message.startswith("`%loop` was consumed by `transform.loop.unroll`")
    assert finding.severity == types.DiagnosticSeverity.Warning
    assert (finding.source, finding.code) == ("tdls", "use-after-free")
    assert finding.range == document.range_of("%loop", 2)


async def test_rule_is_explained_by_a_link(client: EditorClient) -> None:
    claimed = client.capabilities.text_document.publish_diagnostics  # type: ignore[union-attr]
    if claimed is None or not claimed.code_description_support:
        pytest.skip("the editor does not show links to rules")
    (finding,) = await Opened(client, STALE).diagnostics()
    assert finding.code_description is not None
    assert "use-after-free" in finding.code_description.href


async def test_other_places_are_related_information(client: EditorClient) -> None:
    document = Opened(client, STALE)
    (finding,) = await document.diagnostics()
    claimed = client.capabilities.text_document.publish_diagnostics  # type: ignore[union-attr]
    if claimed is None or not claimed.related_information:
        pytest.skip("the editor does not show related information")
    notes = {note.message: note.location for note in finding.related_information or ()}
    assert set(notes) == {"operand #0 may be used after free", "allocated here", "freed here"}
    assert {location.uri for location in notes.values()} == {document.uri}
    assert notes["allocated here"].range == document.range_of("%loop")


async def test_unused_handle_is_faded(client: EditorClient) -> None:
    claimed = client.capabilities.text_document.publish_diagnostics  # type: ignore[union-attr]
    shown = claimed is not None and claimed.tag_support is not None
    unused = "    %copy = transform.merge_handles %loop : !transform.any_op\n    transform.print"
    (finding,) = await Opened(client, CLEAN.replace("    transform.print", unused)).diagnostics()
    assert list(finding.tags or ()) == [types.DiagnosticTag.Unnecessary] * shown


async def test_closed_document_has_no_findings_left(client: EditorClient) -> None:
    if client.pulls_diagnostics:
        pytest.skip("the editor asks for diagnostics, and does not when a document is closed")
    document = Opened(client, STALE)
    await document.diagnostics()
    client.opened.remove(document.uri)
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document.identifier))
    await document.wait_until(lambda: not client.diagnostics[document.uri])
