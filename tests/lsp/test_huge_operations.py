"""One operation of many lines: every request about it is answered or refused, and other documents need not wait."""

from __future__ import annotations

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.answers import document_questions, eventually, position_questions
from rpc.client import PendingResponse, ResponseError

LINES = 12_000
BODY = "".join(f"  %v{number + 1} = arith.addf %v{number}, %v{number} : f32\n" for number in range(LINES))
HUGE = f"func.func @huge(%v0: f32) -> f32 {{\n{BODY}  return %v0 : f32\n}}\n"
CONTENT_MODIFIED, SERVER_CANCELLED, REQUEST_FAILED = -32801, -32802, -32803


def test_requests_are_answered_or_refused_while_a_huge_operation_is_read() -> None:
    with Workbench() as running:
        small = running.open(LIBRARY)
        place = small.at(LIBRARY.index("%found") + 1)
        assert running.client.call("textDocument/hover", place) is not None
        document = running.open(HUGE)
        questions = [
            *document_questions(running.client, document),
            *position_questions(running.client, document, len(HUGE) // 2),
            ("workspace/symbol", {"query": "huge"}),
        ]
        asked = [running.client.request(method, params) for method, params in questions]
        other = running.client.request("textDocument/hover", place)
        assert other.result() is not None
        refused = {CONTENT_MODIFIED, SERVER_CANCELLED, REQUEST_FAILED}
        assert {outcome(pending) for pending in asked} <= {"answered", *refused}


def test_repeated_requests_are_answered() -> None:
    with Workbench() as running:
        document = running.open(HUGE)
        params = {"textDocument": document.identifier}

        def is_outlined() -> bool:
            pending = running.client.request("textDocument/documentSymbol", params)
            return outcome(pending) == "answered" and pending.result()[0]["name"] == "@huge"

        assert eventually(is_outlined, 60)


def outcome(pending: PendingResponse) -> str | int:
    try:
        pending.result(60)
    except ResponseError as error:
        return error.code
    return "answered"


def test_sections_that_are_too_large_have_one_hint() -> None:
    with Workbench() as running:
        document = running.open(HUGE.replace(BODY, BODY * 4) + LIBRARY)
        published = running.inbox.wait_for(document.uri, lambda publication: bool(publication.diagnostics))
        assert "not-analysed" in {found["code"] for found in published.diagnostics}
        params = {"textDocument": document.identifier, "options": {"tabSize": 2, "insertSpaces": True}}
        refused = running.client.request("textDocument/formatting", params)
        assert outcome(refused) == REQUEST_FAILED
