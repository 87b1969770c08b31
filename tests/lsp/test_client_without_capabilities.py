"""A client that declares no capabilities, as coding assistants do, gets answers that it can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import SERVER
from rpc.client import LanguageClient, Mode
from rpc.document import Document, Inbox

if TYPE_CHECKING:
    from rpc.client import Json

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %fill tile_sizes [2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %fill "seen" : !transform.any_op
    transform.yield
  }
}
"""


@pytest.mark.parametrize("mode", [Mode.REFUSING, Mode.SILENT])
@pytest.mark.parametrize("language", ["mlir", "plaintext"])
def test_findings_and_answers_are_plain(mode: Mode, language: str) -> None:
    client = LanguageClient(SERVER, mode=mode)
    inbox = Inbox(client)
    client.initialize({})
    with client:
        document = Document(client, "file:///scripts/a.mlir", SCRIPT, language=language)
        document.open()
        (finding,) = inbox.wait_for(document.uri, lambda found: bool(found.diagnostics)).diagnostics
        first, *others = finding["message"].split("\n")
        assert first == "`%fill` was consumed by `transform.structured.tile_using_for`"
        assert (others[0], others[1][:6]) == ('line 6: transform.annotate %fill "seen" : !transform.any_op', "help: ")
        assert any(line.startswith("note: ") and line.endswith("(line 4)") for line in others)
        assert "relatedInformation" not in finding

        def ask(method: str, words: str, **more: Json) -> Json:
            return client.call(method, {**document.at(SCRIPT.index(words)), **more})

        assert "tile_using_for" in ask("textDocument/hover", "transform.structured.tile")["contents"]["value"]
        assert ask("textDocument/definition", '%fill "')[0]["range"]["start"] == {"line": 2, "character": 4}
        references = ask("textDocument/references", "%fill", context={"includeDeclaration": True})
        assert [place["range"]["start"]["line"] for place in references] == [2, 3, 5]
        symbols = client.call("textDocument/documentSymbol", {"textDocument": document.identifier})
        assert "@__transform_main" in [symbol["name"] for symbol in symbols]
        offered = ask("textDocument/completion", 'annotate %fill "')["items"]
        assert offered
        assert not any("$" in item["textEdit"]["newText"] for item in offered)
        assert client.shut_down() == 0
    assert b"Traceback" not in client.stderr
