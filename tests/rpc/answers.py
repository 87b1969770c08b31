"""Asks a server everything that it says it can answer, in a form in which two servers' answers can be compared."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rpc.client import Json, LanguageClient
    from rpc.document import Document, Inbox

_WHOLE_DOCUMENT = {
    "textDocument/diagnostic": "diagnosticProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/semanticTokens/full": "semanticTokensProvider",
    "textDocument/semanticTokens/range": "semanticTokensProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/documentLink": "documentLinkProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/formatting": "documentFormattingProvider",
    "textDocument/rangeFormatting": "documentRangeFormattingProvider",
    "textDocument/inlayHint": "inlayHintProvider",
}
_AT_POSITION = {
    "hoverProvider": "textDocument/hover",
    "completionProvider": "textDocument/completion",
    "signatureHelpProvider": "textDocument/signatureHelp",
    "definitionProvider": "textDocument/definition",
    "typeDefinitionProvider": "textDocument/typeDefinition",
    "implementationProvider": "textDocument/implementation",
    "referencesProvider": "textDocument/references",
    "documentHighlightProvider": "textDocument/documentHighlight",
    "renameProvider": "textDocument/prepareRename",
    "codeActionProvider": "textDocument/codeAction",
}
_ASK_AGAIN = {-32801, -32802}
"""ContentModified and ServerCancelled."""
_IDENTITY = {"resultId", "version"}


def document_questions(client: LanguageClient, document: Document) -> Iterator[tuple[str, Json]]:
    """Method and parameters of every request about a whole document that the server offers."""
    for method, provider in _WHOLE_DOCUMENT.items():
        if not client.server_capabilities.get(provider):
            continue
        params = {"textDocument": document.identifier}
        if method.lower().endswith("formatting"):
            params["options"] = {"tabSize": 2, "insertSpaces": True}
        if method.endswith("/inlayHint"):
            params["range"] = document.range(0, len(document.text))
        if method.endswith(("/range", "/rangeFormatting")):
            params["range"] = document.range(len(document.text) // 3, 2 * len(document.text) // 3)
        yield method, params


def position_questions(client: LanguageClient, document: Document, offset: int) -> Iterator[tuple[str, Json]]:
    """Method and parameters of every request about a place that the server offers."""
    for provider, method in _AT_POSITION.items():
        if not client.server_capabilities.get(provider):
            continue
        params = document.at(offset)
        if provider == "referencesProvider":
            params["context"] = {"includeDeclaration": True}
        if provider == "codeActionProvider":
            params = {"textDocument": document.identifier, "range": document.range(offset, offset)}
            params["context"] = {"diagnostics": []}
        yield method, params


def published_alike(first: tuple[Inbox, Document], second: tuple[Inbox, Document], timeout: float = 60.0) -> bool:
    """Whether the published diagnostics for the present versions of two documents become the same.

    Servers may publish more than once for a version, the urgent part of the findings first.
    """

    def newest(inbox: Inbox, document: Document) -> Json:
        return comparable(inbox.newest(document), document.uri)

    return eventually(lambda: newest(*first) is not None and newest(*first) == newest(*second), timeout)


def eventually(condition: Callable[[], bool], timeout: float = 60.0) -> bool:
    """Whether a condition becomes true before `timeout` seconds are over."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def insisted(client: LanguageClient, method: str, params: Json, timeout: float = 60.0) -> Json:
    """Return the answer to a request, which is repeated as long as the server answers that it needs more time."""
    found: list[Json] = []

    def is_answered() -> bool:
        try:
            found.append(client.call(method, params))
        except ResponseError as refused:
            if refused.code not in _ASK_AGAIN:
                raise
        return bool(found)

    if not eventually(is_answered, timeout):
        raise TimeoutError(f"{method} was refused for {timeout:.0f} s")
    return found[0]


def comparable(answer: Json, uri: str) -> Json:
    """An answer without the parts that may differ between two servers with the same document, `uri`."""
    if isinstance(answer, dict):
        return {key: comparable(value, uri) for key, value in answer.items() if key not in _IDENTITY}
    if isinstance(answer, list):
        return [comparable(value, uri) for value in answer]
    return answer.replace(uri, "document:") if isinstance(answer, str) else answer
