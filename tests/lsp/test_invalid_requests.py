"""Every method with parameters that are none: each request is answered, none by a mistake of the server."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import SERVER, Workbench
from rpc.client import LanguageClient, ResponseError, encode
from tdls.lsp.protocol.run_target import RunTarget, StateDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json, PendingResponse

INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR = -32602, -32600, -32601, -32700
REQUEST_FAILED, CONTENT_MODIFIED = -32803, -32801
URI = "file:///tests/asked.mlir"
NO_URI = "file://[/asked.mlir"
PLACE = {"line": 1, "character": 3}
RANGE = {"start": {"line": 0, "character": 0}, "end": PLACE}
DOCUMENT = {"textDocument": {"uri": URI}}
AT = {**DOCUMENT, "position": PLACE}
FORMATTING = {"tabSize": 2, "insertSpaces": True}
STATE = StateDocument(RunTarget(URI, "__transform_main", 0), 1, 0).uri
REQUESTS: dict[str, Json] = {
    "textDocument/hover": AT,
    "textDocument/completion": AT,
    "textDocument/signatureHelp": AT,
    "textDocument/declaration": AT,
    "textDocument/definition": AT,
    "textDocument/typeDefinition": AT,
    "textDocument/implementation": AT,
    "textDocument/references": {**AT, "context": {"includeDeclaration": True}},
    "textDocument/documentHighlight": AT,
    "textDocument/prepareRename": AT,
    "textDocument/rename": {**AT, "newName": "other"},
    "textDocument/codeAction": {**DOCUMENT, "range": RANGE, "context": {"diagnostics": []}},
    "textDocument/codeLens": DOCUMENT,
    "textDocument/documentLink": DOCUMENT,
    "textDocument/documentSymbol": DOCUMENT,
    "textDocument/foldingRange": DOCUMENT,
    "textDocument/formatting": {**DOCUMENT, "options": FORMATTING},
    "textDocument/rangeFormatting": {**DOCUMENT, "range": RANGE, "options": FORMATTING},
    "textDocument/inlayHint": {**DOCUMENT, "range": RANGE},
    "textDocument/semanticTokens/full": DOCUMENT,
    "textDocument/semanticTokens/full/delta": {**DOCUMENT, "previousResultId": "1"},
    "textDocument/semanticTokens/range": {**DOCUMENT, "range": RANGE},
    "textDocument/diagnostic": DOCUMENT,
    "workspace/diagnostic": {"previousResultIds": [{"uri": URI, "value": "1"}]},
    "workspace/symbol": {"query": "x"},
    "workspace/executeCommand": {"command": "tdls.run", "arguments": [{"uri": URI, "until": PLACE, "part": 0}]},
    "workspace/textDocumentContent": {"uri": URI},
    "codeLens/resolve": {"range": RANGE, "data": ["references", URI]},
    "completionItem/resolve": {"label": "x", "data": ["x", URI]},
    "tdls/status": {"uri": URI},
    "tdls/matches": {"uri": URI},
    "tdls/entryPoints": {"uri": URI},
    "tdls/correspondence": AT,
    "tdls/stateAt": AT,
    "tdls/recording": AT,
    "tdls/lineOrigin": {"uri": STATE, "line": 0},
    "tdls/handleLines": {"uri": STATE, "handle": 0},
}
"""Every request that the server answers, with parameters as they should be."""
WRONG: list[Json] = [-1, 2**63, 2**31, 1.5, None, True, "text", [], {}, [[]], "file:///a%00b", "\udfff", "%%%"]
WRONG.append("tdls://bytecode/x.mlir?file%3A%2F%2F%2Fa%2500b")
BUILT_IN = {"initialize", "shutdown"}


@pytest.fixture(scope="module")
def workbench() -> Iterator[Workbench]:
    with Workbench() as running:
        running.open(LIBRARY, uri=URI)
        running.open(LIBRARY, uri=NO_URI)
        yield running


def test_every_request_is_tried() -> None:
    from lsprotocol import types

    from tdls.lsp.server import TdlsServer

    manager = TdlsServer().protocol.fm
    methods = {*manager.features, *manager.builtin_features}
    notifications = {method for method in methods if types.METHOD_TO_TYPES.get(method, (0, 1))[1] is None}
    assert methods - notifications - BUILT_IN == set(REQUESTS)


@pytest.mark.parametrize("method", REQUESTS)
def test_invalid_parameters_are_refused_in_words(workbench: Workbench, method: str) -> None:
    client = workbench.client
    pending = [(params, client.request(method, params)) for params in spoiled(REQUESTS[method])]
    assert len(pending) > len(WRONG)
    for params, request in pending:
        assert code_of(request) in {None, INVALID_PARAMS, REQUEST_FAILED, CONTENT_MODIFIED}, params
    assert outcome(workbench, method, 17) == INVALID_PARAMS
    assert outcome(workbench, method, [1]) == INVALID_PARAMS


@pytest.mark.parametrize("value", [-1, 2**63, None, "1", 1.5, True, [], {}])
@pytest.mark.parametrize("method", [method for method, params in REQUESTS.items() if "position" in params])
def test_places_that_are_none_are_refused(workbench: Workbench, method: str, value: Json) -> None:
    params = {**REQUESTS[method], "position": {"line": value, "character": 0}}
    assert outcome(workbench, method, params) == INVALID_PARAMS


@pytest.mark.parametrize("method", REQUESTS)
def test_unknown_documents_and_places_behind_the_end_have_an_answer(workbench: Workbench, method: str) -> None:
    far = {"line": 2**31 - 1, "character": 2**31 - 1}
    for params in (
        replaced(REQUESTS[method], URI, "file:///no/such/file.mlir"),
        replaced(REQUESTS[method], URI, "no uri at all \0"),
        replaced(REQUESTS[method], URI, NO_URI),
        replaced(REQUESTS[method], PLACE, far),
        replaced(REQUESTS[method], RANGE, {"start": far, "end": {"line": 0, "character": 0}}),
    ):
        assert outcome(workbench, method, params) in {None, INVALID_PARAMS, REQUEST_FAILED}, params


@pytest.mark.parametrize("params", [None, 5, "x", [], {}, {"textDocument": None}, {"textDocument": {"uri": 5}}])
def test_notifications_that_make_no_sense_are_ignored(workbench: Workbench, params: Json) -> None:
    for method in ("didOpen", "didChange", "didClose", "didSave", "willSave"):
        workbench.client.notify(f"textDocument/{method}", params)
    for method in ("didChangeConfiguration", "didChangeWatchedFiles", "didChangeWorkspaceFolders"):
        workbench.client.notify(f"workspace/{method}", params)
    for method in ("$/cancelRequest", "$/setTrace", "window/workDoneProgress/cancel", "initialized", "no/such/method"):
        workbench.client.notify(method, params)
    assert workbench.client.call("textDocument/documentSymbol", DOCUMENT)


@pytest.mark.parametrize("edit", [{"range": {"start": {"line": -1}, "end": PLACE}, "text": ""}, {"text": 5}, {}, None])
def test_edits_that_are_none_change_nothing(workbench: Workbench, edit: Json) -> None:
    document = workbench.open(LIBRARY)
    before = workbench.client.call("textDocument/documentSymbol", {"textDocument": document.identifier})
    params = {"textDocument": {"uri": document.uri, "version": 2}, "contentChanges": [edit]}
    workbench.client.notify("textDocument/didChange", params)
    after = workbench.client.call("textDocument/documentSymbol", {"textDocument": document.identifier})
    assert after == before
    document.close()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{not json", PARSE_ERROR),
        (b"", PARSE_ERROR),
        (b"\xff\xfe{}", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b"}", PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', INVALID_REQUEST),
        (b"5", INVALID_REQUEST),
        (b'{"id":1,"method":"shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', INVALID_REQUEST),
    ],
    ids=lambda value: value[:40].decode("ascii", "replace") if isinstance(value, bytes) else "",
)
def test_messages_that_are_none_are_answered(workbench: Workbench, body: bytes, code: int) -> None:
    client = workbench.client
    client.unasked.clear()
    client.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    client.call("tdls/status", {})
    assert [answer["error"]["code"] for answer in client.unasked] == [code]


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (b"Content-Length: 1" + b"0" * 100_000 + b"\r\n\r\n", "too long"),
        (b"\x1b[31m\r\n\r\n", "not a header of the protocol"),
    ],
    ids=lambda value: value[:30].decode("ascii") if isinstance(value, bytes) else "",
)
def test_a_broken_connection_ends_the_server_with_a_message(sent: bytes, complaint: str) -> None:
    with LanguageClient(SERVER) as client:
        with suppress(BrokenPipeError):  # the server gives up before it has read all
            client.send(sent)
        assert client.process.wait(20) == 1
        client.wait_for_errors()
        message = client.stderr.decode()
        assert message.startswith("error: the connection is given up: ")
        assert complaint in message
        assert "\x1b" not in message


def test_input_that_ends_in_a_message_is_said() -> None:
    with LanguageClient(SERVER) as client:
        client.send(encode({"id": 1, "method": "shutdown"})[:-5])
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(20) == 1
        client.wait_for_errors()
        assert b"the input ends after" in client.stderr


def outcome(workbench: Workbench, method: str, params: Json) -> int | None:
    """Return the code of the error that a request is answered with, None for a result."""
    return code_of(workbench.client.request(method, params))


def code_of(request: PendingResponse) -> int | None:
    try:
        request.result()
    except ResponseError as error:
        return error.code
    return None


def spoiled(params: Json) -> Iterator[Json]:
    """Yield `params` with each of its members missing, and with each value in it replaced by all that is `WRONG`."""
    for path in paths(params):
        *most, last = path
        for value in (..., *WRONG):
            wrong: Any = copy.deepcopy(params)
            owner = wrong
            for step in most:
                owner = owner[step]
            if value is ...:
                del owner[last]
            else:
                owner[last] = value
            yield wrong


def paths(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*path, step)
        yield from paths(inner, (*path, step))


def replaced(value: Json, old: Json, new: Json) -> Json:
    if value == old:
        return new
    if isinstance(value, dict):
        return {key: replaced(inner, old, new) for key, inner in value.items()}
    return [replaced(inner, old, new) for inner in value] if isinstance(value, list) else value
