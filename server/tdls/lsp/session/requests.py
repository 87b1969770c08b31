"""Answer requests about documents in the queue of their document, or refuse them after a time limit."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.lsp.protocol.errors import ContentModified, NotYetError
from tdls.lsp.session.document_queue import DocumentQueue, Turn, in_steps
from tdls.lsp.session.session import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tdls.lsp.session.session import Session

LONGEST = 1.6
"""Seconds after which a request in a document queue is refused. Editors repeat most requests by themselves."""
LONGEST_ON_COMMAND = 10.0
"""The same for methods in `_ON_COMMAND`."""
_NOT_BEGUN = 0.05
"""Seconds until the retry of a request that waits for work which has not begun."""
_TAKES_LONG = "the answer takes longer than {:g} seconds: ask again"
_ABOUT_ALL = {types.WORKSPACE_SYMBOL}
"""Methods that read all documents."""
_ACROSS = {
    types.CODE_LENS_RESOLVE,
    types.TEXT_DOCUMENT_DECLARATION,
    types.TEXT_DOCUMENT_DEFINITION,
    types.TEXT_DOCUMENT_IMPLEMENTATION,
    types.TEXT_DOCUMENT_REFERENCES,
    types.TEXT_DOCUMENT_RENAME,
    types.TEXT_DOCUMENT_TYPE_DEFINITION,
}
"""Methods on one document whose answers contain places in others."""
_WHILE_TYPING = {types.TEXT_DOCUMENT_COMPLETION, types.TEXT_DOCUMENT_SIGNATURE_HELP}
"""Methods whose answers editors use even if the document has changed; editors do not repeat them when refused."""
_ON_COMMAND = {
    types.TEXT_DOCUMENT_DECLARATION,
    types.TEXT_DOCUMENT_DEFINITION,
    types.TEXT_DOCUMENT_FORMATTING,
    types.TEXT_DOCUMENT_IMPLEMENTATION,
    types.TEXT_DOCUMENT_PREPARE_RENAME,
    types.TEXT_DOCUMENT_RANGE_FORMATTING,
    types.TEXT_DOCUMENT_REFERENCES,
    types.TEXT_DOCUMENT_RENAME,
    types.TEXT_DOCUMENT_TYPE_DEFINITION,
}
"""Methods that a command of the user sends once. Editors show a refusal as an error and do not repeat them."""
_LONG = {
    types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    types.TEXT_DOCUMENT_FOLDING_RANGE,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
}
"""Methods on a whole document. Requests for one position, and findings at an edit, do not wait for them."""


def answered(
    session: Session, method: str, params: Any, make: Callable[[], Generator[None, None, bytes]]
) -> asyncio.Future[bytes]:
    """Return the answer to a request, which `make` computes in steps in the queue of the document in `params`.

    The answer is for the present version of the document. The future raises ContentModified if the document changes
    first, unless the method is in `_WHILE_TYPING`, or if the answer takes longer than `LONGEST`
    (`LONGEST_ON_COMMAND` on a command of the user); facts found by then are kept, so a second request is quicker. If
    the answer contains places in several documents, pending edits in the queues of the others are waited for.
    """
    loop, documents = asyncio.get_running_loop(), session.open_documents
    if isinstance(getattr(params, "position", None), types.Position):
        session.last_position = types.TextDocumentPositionParams(params.text_document, params.position)
        session.changed(params.text_document.uri, Kind.CURSOR)
    answer: asyncio.Future[bytes] = loop.create_future()
    opened = documents.get(named_document(params)) if method not in _ABOUT_ALL else None
    if opened is not None:
        for waiting in (opened.pending,) if method in _WHILE_TYPING else (opened.pending, opened.of_version):
            waiting.add(answer)
            answer.add_done_callback(waiting.discard)
    trigger = getattr(getattr(params, "context", None), "trigger_kind", None)
    is_invoked = trigger is types.CodeActionTriggerKind.Invoked
    longest = LONGEST_ON_COMMAND if is_invoked or method in _ON_COMMAND else LONGEST
    timer = loop.call_later(longest, refuse, answer, _TAKES_LONG.format(longest))
    answer.add_done_callback(lambda _: timer.cancel())

    def begin() -> None:
        """Submit the work; called after the messages already received, such as new settings, are handled."""
        if answer.done():
            return
        queue = opened.queue if opened is not None else DocumentQueue()
        turn = Turn.LATER if method in _LONG or method in _ABOUT_ALL else Turn.SOON
        submit = partial(session.queues.submit, queue, lambda: in_steps(make()), turn)
        edits = documents.edits_besides(opened) if method in _ABOUT_ALL or method in _ACROSS else []
        work = asyncio.ensure_future(_after(edits, submit)) if edits else submit()
        work.add_done_callback(partial(_hand_over, answer, begin))
        answer.add_done_callback(lambda _: work.cancel())

    loop.call_soon(begin)
    return answer


def refuse(answer: asyncio.Future[Any], why: str | None = None) -> None:
    """Refuse a pending request with ContentModified and the message `why`."""
    if not answer.done():
        answer.set_exception(ContentModified(why))


def named_document(params: Any) -> str:
    """Return the URI of the document in the parameters of a request, "" if there is none."""
    for name in ("text_document", "item"):
        params = getattr(params, name, params)
    if isinstance(params, types.CodeLens):
        params = {"uri": params.data[1]} if isinstance(params.data, (list, tuple)) and len(params.data) == 2 else None
    if isinstance(params, dict):
        params = params.get("textDocument", params)
        uri = params.get("uri") if isinstance(params, dict) else None
    else:
        uri = getattr(params, "uri", None)
    return uri if isinstance(uri, str) else ""


async def _after(edits: list[asyncio.Future[object]], submit: Callable[[], asyncio.Future[bytes]]) -> bytes:
    """Submit the work after pending edits, so that documents have the same text as in the editor."""
    await asyncio.wait(edits)
    return await submit()


def _hand_over(answer: asyncio.Future[bytes], again: Callable[[], None], work: asyncio.Future[bytes]) -> None:
    if answer.done():
        if not work.cancelled():
            work.exception()  # retrieved, since asyncio logs exceptions that are not
    elif work.cancelled():
        answer.cancel()
    elif isinstance(error := work.exception(), NotYetError):
        begun = (
            asyncio.wait([error.task], timeout=error.patience) if error.task is not None else asyncio.sleep(_NOT_BEGUN)
        )
        waiting: asyncio.Future[Any] = asyncio.ensure_future(begun)
        waiting.add_done_callback(lambda _: again())
        answer.add_done_callback(lambda _: waiting.cancel())
    elif error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(work.result())
