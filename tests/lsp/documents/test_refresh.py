"""Requests for a refresh that the server sends when something other than the document changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import SERVER
from rpc.answers import eventually, insisted
from rpc.client import LanguageClient
from rpc.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json

REFRESHING = {"workspace/codeLens/refresh", "workspace/inlayHint/refresh", "workspace/semanticTokens/refresh"}
SUPPORT = {"refreshSupport": True}


class RecordingClient(LanguageClient):
    """A client that remembers the methods of the server's requests."""

    def __init__(self) -> None:
        self.methods: list[str] = []
        super().__init__(SERVER)

    def _answer(self, request: Json) -> None:
        self.methods.append(request["method"])
        super()._answer(request)

    @property
    def refreshed(self) -> list[str]:
        return [method for method in self.methods if method.endswith("/refresh")]


@pytest.fixture
def editor(request: pytest.FixtureRequest) -> Iterator[RecordingClient]:
    client = RecordingClient()
    with client:
        client.initialize({"workspace": request.param})
        yield client
        assert client.shut_down() == 0


def hints(editor: RecordingClient, document: Document) -> Json:
    params = {"textDocument": document.identifier, "range": document.range(0, len(document.text))}
    return editor.call("textDocument/inlayHint", params)


@pytest.mark.parametrize(
    "editor", [{"semanticTokens": SUPPORT, "inlayHint": SUPPORT, "codeLens": SUPPORT}], indirect=True
)
def test_settings(editor: RecordingClient) -> None:
    document = Document(editor, "file:///tests/library.mlir", LIBRARY)
    document.open()
    assert hints(editor, document) == []
    assert editor.refreshed == []
    lenses = editor.call("textDocument/codeLens", {"textDocument": document.identifier})
    assert len(lenses) == 3
    off = {"references": False, "run": False}
    settings = {"tdls": {"inlay-hints": {"consumed": True}, "code-lens": off}}
    editor.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert eventually(lambda: set(editor.refreshed) == REFRESHING)
    assert len(editor.refreshed) == 3
    assert len(hints(editor, document)) == 2
    assert editor.call("textDocument/codeLens", {"textDocument": document.identifier}) == []


@pytest.mark.parametrize("editor", [{"inlayHint": SUPPORT}], indirect=True)
def test_only_supported_refreshes_are_sent(editor: RecordingClient) -> None:
    document = Document(editor, "file:///tests/library.mlir", LIBRARY)
    document.open()
    editor.notify("workspace/didChangeConfiguration", {"settings": {"tdls": {"inlay-hints": {"consumed": True}}}})
    assert eventually(lambda: bool(editor.refreshed))
    assert editor.refreshed == ["workspace/inlayHint/refresh"]


LARGE = "".join(
    f"""\
  transform.named_sequence @number_{number}(%op: !transform.any_op {{transform.readonly}}) {{
    transform.include @number_{number} failures(propagate) (%op) : (!transform.any_op) -> ()
    transform.yield
  }}
"""
    for number in range(1_500)
)


@pytest.mark.parametrize("editor", [{"codeLens": SUPPORT}], indirect=True)
def test_lenses_of_the_visible_text_come_first(editor: RecordingClient) -> None:
    text = f"module attributes {{transform.with_named_sequence}} {{\n{LARGE}}}\n"
    document = Document(editor, "file:///tests/large.mlir", text)
    document.open()
    middle = text.index("@number_700(")
    shown = {"textDocument": document.identifier, "range": document.range(middle, middle + 100)}
    insisted(editor, "textDocument/inlayHint", shown)
    first = insisted(editor, "textDocument/codeLens", {"textDocument": document.identifier})
    assert first[0]["range"]["start"] == document.position(middle)
    assert 0 < len(first) < 200
    assert eventually(lambda: "workspace/codeLens/refresh" in editor.refreshed)
    whole = {"textDocument": document.identifier}
    assert eventually(lambda: len(insisted(editor, "textDocument/codeLens", whole)) == 1_500)
    everything = insisted(editor, "textDocument/codeLens", whole)
    assert [lens for lens in everything if lens in first] == first
    assert set(editor.refreshed) == {"workspace/codeLens/refresh"}
