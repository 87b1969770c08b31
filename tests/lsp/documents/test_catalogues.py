"""Documents when the server gets to know the operations of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from tdls.catalogue.model import OperationDefinition
from tdls.catalogue.source import MemorySource
from tdls.lsp.connection.editor import Editor
from tdls.lsp.session.document_queue import Turn

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.lsp.server import TdlsServer

LIBRARY = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !transform.any_op {transform.readonly}) {
    "my.op"() : () -> ()
    transform.yield
  }
}
"""


@pytest.mark.parametrize("is_library_first", [True, False])
async def test_scripts_rest_on_their_libraries_as_these_are(
    server: TdlsServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_library_first: bool
) -> None:
    monkeypatch.setattr(Editor, "capabilities", types.ClientCapabilities())
    library, script = ((tmp_path / name).as_uri() for name in ("library.mlir", "script.mlir"))
    texts = {library: LIBRARY, script: "// tdls: library=library.mlir\nmodule {}\n"}
    (tmp_path / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    for uri in sorted(texts, key=lambda uri: (uri == script) is is_library_first):
        server.state.sync.open(types.TextDocumentItem(uri, "mlir", 0, texts[uri]))
    await server.state.open_documents.edited()
    other = server.state.catalogue.with_source(MemorySource("my.json", [OperationDefinition("my.op")]))
    monkeypatch.setattr(server.state.projects, "catalogue", lambda _: other)
    server.state.sync.settings_changed()
    await server.state.open_documents.edited()
    opened = server.state.open_documents.get(script)
    assert opened is not None
    known = await server.state.queues.submit(opened.queue, lambda: server.state.file(script), Turn.SOON)
    assert known is not None
    assert known.catalogue is other
    assert known.libraries == (server.state.file(library),)
