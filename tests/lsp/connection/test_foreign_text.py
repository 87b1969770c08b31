"""Texts for people in messages have no control characters; texts that editors apply or send back stay as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp.workbench import SERVER
from rpc.client import LanguageClient
from rpc.document import Document, Inbox
from tdls.lsp.connection.dispatch import inert, make_inert

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "\x1b]0;PWN\x07\x1b[31m\x9b\u202e"
SHOWN = "\\u001b]0;PWN\\u0007\\u001b[31m\\u009b\\u202e"
TEXT = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @"{EVIL}"(%a: !transform.any_op {{transform.readonly}}) {{ transform.yield }}
  transform.named_sequence @m(%a: !transform.any_op {{transform.readonly}}) {{
    transform.include @"x{EVIL}" failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }}
}}
"""


def test_symbols_and_findings(tmp_path: Path) -> None:
    with LanguageClient(SERVER, folder=tmp_path) as client:
        inbox = Inbox(client)
        client.initialize({}, rootUri=tmp_path.as_uri())
        document = Document(client, (tmp_path / "a.mlir").as_uri(), TEXT)
        document.open()
        symbols = client.call("textDocument/documentSymbol", {"textDocument": document.identifier})
        published = inbox.wait_for(document.uri, lambda publication: bool(publication.diagnostics))
    names = [symbol["name"] for symbol in symbols]
    messages = [finding["message"] for finding in published.diagnostics]
    for texts in (names, messages):
        assert SHOWN in "".join(texts)
        assert not set("".join(texts)) & set(EVIL) - set(SHOWN)


def test_questions_to_the_user_are_inert() -> None:
    params = types.ShowMessageRequestParams(types.MessageType.Info, EVIL)
    make_inert(params)
    assert params.message == SHOWN


def test_what_editors_apply_and_send_back_stays() -> None:
    message = {"edits": [{"newText": EVIL}], "data": {"name": EVIL}, "title": EVIL, "children": [{"name": EVIL}]}
    assert json.loads(inert(json.dumps(message))) == message | {"title": SHOWN, "children": [{"name": SHOWN}]}
