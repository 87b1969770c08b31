"""The server starts, negotiates, and ends; nothing that a client sends ends it before."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import CAPABILITIES, SERVER, Workbench
from rpc.client import LanguageClient, ResponseError, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json

METHOD_NOT_FOUND = -32601
INVALID_REQUEST = -32600
SERVER_NOT_INITIALIZED = -32002
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
HOVER = {"textDocument": {"uri": "file:///a.mlir"}, "position": {"line": 0, "character": 0}}


@pytest.fixture(scope="module")
def workbench() -> Iterator[Workbench]:
    with Workbench() as running:
        yield running


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([], "utf-16"),
        (["utf-16"], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-16"], "utf-32"),
        (["utf-16", "utf-8"], "utf-16"),
        (["utf-7"], "utf-16"),
    ],
)
def test_position_encoding_is_the_first_one_that_both_know(offered: list[str], chosen: str) -> None:
    with Workbench(*offered) as running:
        assert running.client.server_capabilities.get("positionEncoding", "utf-16") == chosen


def test_server_has_name_and_version() -> None:
    with LanguageClient(SERVER) as client:
        answer = client.initialize(CAPABILITIES)
        assert answer["serverInfo"]["name"] == "tdls"
        assert answer["serverInfo"]["version"]
        client.shut_down()


def test_what_few_requests_need_is_imported_by_the_first_of_them() -> None:
    code = "import sys, tdls.lsp.server; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"tdls.interpreter.recording.recording", "tdls.lsp.requests.state_at"} & set(done.stdout.split())


@pytest.mark.parametrize("is_initialized", [True, False])
def test_exit_without_shutdown_ends_the_server_with_failure(is_initialized: bool) -> None:
    with LanguageClient(SERVER) as client:
        if is_initialized:
            client.initialize(CAPABILITIES)
        client.notify("exit", None)
        assert client.process.wait(20) == 1


def test_requests_before_initialize_are_refused() -> None:
    with LanguageClient(SERVER) as client:
        with pytest.raises(ResponseError) as refused:
            client.call("textDocument/hover", HOVER)
        assert refused.value.code == SERVER_NOT_INITIALIZED
        client.initialize(CAPABILITIES)
        assert client.shut_down() == 0


def test_second_initialize_is_refused(workbench: Workbench) -> None:
    with pytest.raises(ResponseError) as refused:
        workbench.client.call("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert refused.value.code == INVALID_REQUEST
    assert_alive(workbench)


def test_requests_after_shutdown_are_refused() -> None:
    with LanguageClient(SERVER) as client:
        client.initialize(CAPABILITIES)
        client.call("shutdown", None)
        with pytest.raises(ResponseError) as refused:
            client.call("textDocument/hover", HOVER)
        assert refused.value.code == INVALID_REQUEST
        client.notify("exit", None)
        assert client.process.wait(20) == 0


@pytest.mark.parametrize("params", [{}, None, 5, [], {"jsonrpc": "2.0", "id": 7, "method": "x"}])
@pytest.mark.parametrize("method", ["tdls/noSuchMethod", "textDocument/didOpen", "exit", "$/cancelRequest"])
def test_what_is_no_request_is_refused(workbench: Workbench, method: str, params: Json) -> None:
    with pytest.raises(ResponseError) as refused:
        workbench.client.call(method, params)
    assert refused.value.code == METHOD_NOT_FOUND
    workbench.client.notify("tdls/noSuchNotification", {})
    workbench.client.notify("$/noSuchOptionalNotification", {})
    workbench.client.send(encode({"id": 12_345, "result": None}))
    assert_alive(workbench)


def test_changes_and_closes_of_unknown_documents_are_ignored(workbench: Workbench) -> None:
    identifier = {"uri": "file:///never/opened.mlir", "version": 2}
    change = {"textDocument": identifier, "contentChanges": [{"text": "x"}]}
    workbench.client.notify("textDocument/didChange", change)
    workbench.client.notify("textDocument/didClose", {"textDocument": identifier})
    workbench.client.notify("textDocument/didSave", {"textDocument": identifier})
    assert_alive(workbench)


def test_headers_may_come_in_any_order(workbench: Workbench) -> None:
    message = encode({"method": "$/someNotification", "params": {}})
    header = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    workbench.client.send(header + message)
    assert_alive(workbench)


def test_cancelled_requests_are_answered(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT * 50)
    pending = [workbench.client.request("textDocument/hover", document.at(60)) for _ in range(50)]
    for request in pending:
        workbench.client.notify("$/cancelRequest", {"id": request.id})
    workbench.client.notify("$/cancelRequest", {"id": 999_999})
    outcomes = {outcome_of(request) for request in pending}
    assert outcomes <= {"answered", "-32800"}
    assert_alive(workbench)


def assert_alive(workbench: Workbench) -> None:
    """The server still answers, and about the right document."""
    document = workbench.open(SCRIPT.replace("transform.yield", "transform.yield %nowhere : !transform.any_op"))
    workbench.wait_for_finding(document, "nowhere")
    document.close()


def outcome_of(request: Json) -> str:
    try:
        request.result()
    except ResponseError as error:
        return str(error.code)
    return "answered"
