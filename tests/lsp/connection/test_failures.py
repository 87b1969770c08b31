"""A handler that raises costs its own answer, and nothing else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.answers import insisted
from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json, Notification

INTERNAL_ERROR = -32603
SERVER = """
import sys
from lsprotocol import types
from tdls.cli.commands.server import reserved_output
from tdls.lsp.server import TdlsServer
server = TdlsServer()
def broken(_):
    raise LookupError("broken by a test")
async def broken_later(_):
    broken(_)
server.feature("test/inLane")(broken)
server.feature("test/coroutine")(broken_later)
server.feature("test/noJson")(lambda _: {"a": object()})
server.command("test.command")(broken_later)
server.feature("workspace/didRenameFiles")(broken_later)
server.feature("workspace/didDeleteFiles")(broken)
opened = server.state.sync.open
def open_or_raise(item):
    if "broken" in item.uri:
        raise LookupError("broken by a test")
    opened(item)
server.state.sync.open = open_or_raise
server.start_io(stdout=reserved_output())
"""
COMMAND = {"command": "test.command", "arguments": [{}]}
REQUESTS: dict[str, Json] = {
    "test/inLane": {},
    "test/coroutine": {},
    "test/noJson": {},
    "workspace/executeCommand": COMMAND,
}
NOTIFICATIONS: dict[str, Json] = {
    "workspace/didRenameFiles": {"files": []},
    "workspace/didDeleteFiles": {"files": []},
    "textDocument/didOpen": {"textDocument": {"uri": "file:///broken", "languageId": "", "version": 1, "text": ""}},
}


class FailingServer(Workbench):
    """A server whose handlers raise, and the messages that it shows to people."""

    def __init__(self) -> None:
        super().__init__(command=(sys.executable, "-c", SERVER), may_complain=True)
        self._messages: list[str] = []
        self._others = self.client.on_notification
        self.client.on_notification = self._keep

    def shown(self, name: str) -> int:
        """Return how many messages about a method or command are shown, once everything before is handled."""
        insisted(self.client, "tdls/status", {})
        return sum(f"tdls failed to handle {name}:" in message for message in self._messages)

    def _keep(self, notification: Notification) -> None:
        if notification.method == "window/showMessage":
            self._messages.append(notification.params["message"])
        self._others(notification)


@pytest.fixture(scope="module")
def server() -> Iterator[FailingServer]:
    with FailingServer() as running:
        yield running


@pytest.mark.parametrize("method", REQUESTS)
def test_a_request_is_answered_with_an_error_that_is_shown_once(server: FailingServer, method: str) -> None:
    document = server.open(LIBRARY)
    name = REQUESTS[method].get("command", method)
    for _ in range(2):
        with pytest.raises(ResponseError, match=f"tdls failed to handle {name}") as failed:
            server.client.call(method, REQUESTS[method])
        assert failed.value.code == INTERNAL_ERROR
        assert server.shown(name) == 1
    assert insisted(server.client, "textDocument/hover", document.at(LIBRARY.index("tile_using_for"))) is not None


@pytest.mark.parametrize("method", NOTIFICATIONS)
def test_a_notification_ends_nothing_and_is_shown_once(server: FailingServer, method: str) -> None:
    for _ in range(2):
        server.client.notify(method, NOTIFICATIONS[method])
        assert server.shown(method) == 1
    document = server.open(LIBRARY.replace("in %root", "in %nowhere"))
    server.wait_for_finding(document, "nowhere")


def test_failures_are_logged_with_their_trace() -> None:
    with FailingServer() as server:
        for method in ("test/inLane", "test/coroutine"):
            with pytest.raises(ResponseError):
                server.client.call(method, {})
        server.client.notify("workspace/didRenameFiles", NOTIFICATIONS["workspace/didRenameFiles"])
        assert server.shown("workspace/didRenameFiles") == 1
    log = server.client.stderr.decode()
    assert log.count("Traceback (most recent call last)") == 3
    assert log.count("LookupError: broken by a test") == 3
