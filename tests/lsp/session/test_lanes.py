"""While one document takes long, the server answers requests about others, and answers or refuses every request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.answers import comparable, document_questions, eventually, insisted, position_questions, published_alike
from rpc.client import ResponseError

if TYPE_CHECKING:
    from rpc.client import Json, PendingResponse

BLANK_LINES = "\n" * 2_000_000
FUNCTION = 'func.func @payload() {\n  "my.op"() {name = 1 : i32} : () -> ()\n  return\n}\n'
PAYLOAD = FUNCTION * 8_000
HUGE = FUNCTION.replace("  return", '  "my.op"() {name = 1 : i32} : () -> ()\n' * 12_000 + "  return")
CONTENT_MODIFIED, SERVER_CANCELLED, REQUEST_FAILED = -32801, -32802, -32803
PATIENCE = 20.0
"""Seconds in which a request ends that is to be refused after two, on a machine that is busy with other things."""


def outcome(pending: PendingResponse) -> str | int:
    try:
        pending.result(PATIENCE)
    except ResponseError as error:
        return error.code
    return "answered"


@pytest.mark.parametrize("text", [BLANK_LINES + LIBRARY * 2 + PAYLOAD, HUGE], ids=["large", "one huge operation"])
def test_other_documents_are_served_while_one_is_opened_and_queried(text: str) -> None:
    with Workbench() as running:
        small = running.open(LIBRARY)
        place = small.at(LIBRARY.index("%found") + 1)
        assert running.client.call("textDocument/hover", place) is not None
        large = running.open(text)
        questions = [
            *document_questions(running.client, large),
            *position_questions(running.client, large, len(large.text) // 2),
            ("workspace/symbol", {"query": "payload"}),
        ]
        asked = [running.client.request(method, params) for method, params in questions]
        hover = running.client.request("textDocument/hover", place)
        assert hover.result(PATIENCE) is not None
        outcomes = {outcome(pending) for pending in asked}
        assert outcomes <= {"answered", CONTENT_MODIFIED, SERVER_CANCELLED, REQUEST_FAILED}
        assert any(pending.received_at > hover.received_at for pending in asked)


def test_edits_while_a_document_is_opened_end_in_the_same_text() -> None:
    with Workbench() as running:
        document = running.open(LIBRARY + FUNCTION * 2_000)
        for number in range(10):
            document.replace(0, 0, f"// {number}\n")
        place = document.text.index("%small") + 1
        document.replace(place, place + len("small"), "tiny")
        fresh = running.open(document.text)
        assert published_alike((running.inbox, document), (running.inbox, fresh))
        for opened in (document, fresh):
            running.wait_for_finding(opened, "undefined value `%small`")
        methods = ("textDocument/documentSymbol", "textDocument/codeLens", "textDocument/foldingRange")
        for method in methods:
            answers = [
                comparable(insisted(running.client, method, {"textDocument": opened.identifier}), opened.uri)
                for opened in (document, fresh)
            ]
            assert answers[0] == answers[1]


def test_a_document_that_is_closed_while_it_is_opened_is_forgotten() -> None:
    with Workbench() as running:
        large = running.open(BLANK_LINES + PAYLOAD)
        pending = running.client.request("textDocument/foldingRange", {"textDocument": large.identifier})
        large.close()
        assert outcome(pending) in {CONTENT_MODIFIED, "answered"}
        found: Json = running.client.call("workspace/symbol", {"query": "payload"})
        assert found == []
        large.text, large.version = LIBRARY, 7
        large.open()
        assert eventually(
            lambda: any(publication.version == 7 for publication in running.inbox.publications(large.uri))
        )
        hover = running.client.call("textDocument/hover", large.at(LIBRARY.index("%found") + 1))
        assert hover is not None


@pytest.mark.parametrize("text", [LIBRARY, LIBRARY + PAYLOAD])
def test_the_server_ends_while_it_is_busy(text: str) -> None:
    with Workbench() as running:
        document = running.open(text + BLANK_LINES)
        for method, params in document_questions(running.client, document):
            running.client.request(method, params)
