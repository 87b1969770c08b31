"""Requests that take long are refused, sooner if the editor repeats them by itself."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from lsprotocol import types

from tdls.lsp.protocol.errors import ContentModified
from tdls.lsp.session import requests
from tdls.lsp.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

PLACE = types.TextDocumentPositionParams(types.TextDocumentIdentifier("file:///script.mlir"), types.Position(0, 0))


def test_questions_of_a_command_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "LONGEST", 0.0)

    async def asked(ask: Callable[[str], Awaitable[bytes]]) -> None:
        renaming = ask(types.TEXT_DOCUMENT_PREPARE_RENAME)
        with pytest.raises(ContentModified, match="takes longer than 0 seconds"):
            await ask(types.TEXT_DOCUMENT_HOVER)
        finish.set()
        assert await renaming == b"answer"

    finish = threading.Event()
    with_queues(asked, finish)


def test_it_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "LONGEST_ON_COMMAND", 0.0)

    async def asked(ask: Callable[[str], Awaitable[bytes]]) -> None:
        with pytest.raises(ContentModified):
            await ask(types.TEXT_DOCUMENT_PREPARE_RENAME)
        finish.set()

    finish = threading.Event()
    with_queues(asked, finish)


def with_queues(
    run: Callable[[Callable[[str], Awaitable[bytes]]], Awaitable[None]],
    finish: threading.Event,
) -> None:
    """Call `run` with a function that requests an answer, which is made once `finish` is set."""

    def make() -> Generator[None, None, bytes]:
        finish.wait()
        yield
        return b"answer"

    async def main() -> None:
        session = Session(Mock())
        try:
            await run(lambda method: requests.answered(session, method, PLACE, make))
        finally:
            finish.set()
            session.queues.close()

    asyncio.run(main())
