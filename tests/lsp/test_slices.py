"""Long work is given up when it is out of date or cancelled, without disturbing anybody."""

from __future__ import annotations

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.client import ResponseError

CONTENT_MODIFIED, CANCELLED = -32801, -32800
PAYLOAD = 'func.func @payload() {\n  "my.op"() {name = 1 : i32} : () -> ()\n  return\n}\n' * 8_000


def test_answers_for_an_old_version_are_not_given() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        pending = running.client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
        document.replace(0, 0, " ")
        with pytest.raises(ResponseError) as refused:
            pending.result()
        assert refused.value.code == CONTENT_MODIFIED
        found = running.client.call("textDocument/semanticTokens/full", {"textDocument": document.identifier})
        assert len(found["data"]) > 5 * 6 * 8_000
        methods = [
            running.client.notifications.get_nowait().method for _ in range(running.client.notifications.qsize())
        ]
        assert "window/showMessage" not in methods


def test_cancelled_work_ends() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        pending = running.client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
        running.client.notify("$/cancelRequest", {"id": pending.id})
        with pytest.raises(ResponseError) as refused:
            pending.result()
        assert refused.value.code == CANCELLED


def test_other_requests_need_not_wait() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        long = running.client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
        short = running.client.request("textDocument/hover", document.at(LIBRARY.index("%found") + 1))
        assert short.result() is not None
        assert long.result()["data"]
        assert short.received_at < long.received_at
