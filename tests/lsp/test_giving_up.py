"""Long work is given up when it is out of date or cancelled, without disturbing anybody."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.answers import insisted
from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json, PendingResponse
    from rpc.document import Document

CONTENT_MODIFIED, CANCELLED = -32801, -32800
PAYLOAD = 'func.func @payload() {\n  "my.op"() {name = 1 : i32} : () -> ()\n  return\n}\n' * 8_000


def test_answers_for_an_old_version_are_not_given() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        params = {"textDocument": document.identifier}
        pending = asked_and_edited(running, document, "textDocument/semanticTokens/full", params)
        with pytest.raises(ResponseError) as refused:
            pending.result()
        assert refused.value.code == CONTENT_MODIFIED
        found = insisted(running.client, "textDocument/semanticTokens/full", params)
        assert len(found["data"]) > 5 * 6 * 8_000
        methods = [
            running.client.notifications.get_nowait().method for _ in range(running.client.notifications.qsize())
        ]
        assert "window/showMessage" not in methods


def test_completion_is_given_during_typing() -> None:
    with Workbench() as running:
        head = "transform.sequence failures(propagate) {\n^bb0(%root: !transform.any_op):\n  transform.structured."
        document = running.open(f"{head}\n}}\n")
        place = document.at(len(head))
        pending = asked_and_edited(running, document, "textDocument/completion", place, len(head), "v")
        labels = [item["label"] for item in pending.result()["items"]]
        assert any("vectorize" in label for label in labels)


def asked_and_edited(
    running: Workbench, document: Document, method: str, params: Json, place: int = 0, typed: str = " "
) -> PendingResponse:
    """Send a request and a change of the document in one write."""
    with in_one_piece(running):
        pending = running.client.request(method, params)
        document.replace(place, place, typed)
    return pending


@contextlib.contextmanager
def in_one_piece(running: Workbench) -> Iterator[None]:
    """Delay messages to the end of the block, so that the server reads all of them at once."""
    sent: list[bytes] = []

    def keep(message: bytes) -> float:
        sent.append(message)
        return 0.0

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(running.client, "send", keep)
        yield
    running.client.send(b"".join(sent))


def test_cancelled_work_ends() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        with in_one_piece(running):
            pending = running.client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
            running.client.notify("$/cancelRequest", {"id": pending.id})
        with pytest.raises(ResponseError) as refused:
            pending.result()
        assert refused.value.code == CANCELLED


def test_other_requests_need_not_wait() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + PAYLOAD)
        place = document.at(LIBRARY.index("%found") + 1)
        assert insisted(running.client, "textDocument/hover", place) is not None
        with in_one_piece(running):
            long = running.client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
            short = running.client.request("textDocument/hover", place)
        assert short.result() is not None
        with contextlib.suppress(ResponseError):  # on a slow machine it is refused
            assert long.result()["data"]
        assert short.received_at < long.received_at
