"""Requests about documents: each is answered in the lane of its document, or refused in time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.lsp.protocol.errors import ContentModified, NotYetError
from tdls.lsp.session.document_queue import DocumentQueue

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.document_queue import DocumentQueues

LONGEST = 1.6
"""Seconds after which a request is refused that is answered in a lane."""
_NOT_BEGUN = 0.05
"""Seconds until a request is tried again that waits for work which has not begun."""
_TAKES_LONG = "the document is large, and the answer is still being made: ask again"
_ABOUT_ALL = {types.WORKSPACE_SYMBOL, "tdls/overview"}
"""Methods about all documents, whether or not they name one."""
_ACROSS = {
    types.CALL_HIERARCHY_INCOMING_CALLS,
    types.CALL_HIERARCHY_OUTGOING_CALLS,
    types.CODE_LENS_RESOLVE,
    types.TEXT_DOCUMENT_DECLARATION,
    types.TEXT_DOCUMENT_DEFINITION,
    types.TEXT_DOCUMENT_IMPLEMENTATION,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,
    types.TEXT_DOCUMENT_REFERENCES,
    types.TEXT_DOCUMENT_RENAME,
    types.TEXT_DOCUMENT_TYPE_DEFINITION,
}
"""Methods about one document whose answers name places in others."""
_WHILE_TYPING = {types.TEXT_DOCUMENT_COMPLETION, types.TEXT_DOCUMENT_SIGNATURE_HELP}
"""Methods whose answers editors use although the document has changed; they do not repeat refused ones."""
_LONG = {
    types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    types.TEXT_DOCUMENT_FOLDING_RANGE,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
}
"""Methods about the whole of a document. Requests about one place do not wait for them."""


def answered(
    queues: DocumentQueues,
    documents: OpenDocuments,
    method: str,
    params: Any,
    make: Callable[[], bytes],
) -> asyncio.Future[bytes]:
    """Return the answer that `make` makes to a request, in the lane of the document that it names.

    The request is about the text that its document has now: ContentModified is raised if that changes before, unless
    the method is one of `_WHILE_TYPING`, or if the answer takes longer than `LONGEST`; facts about sections that were
    found by then are kept, so that a second request is quicker. Where the answer names places in several documents,
    edits that are under way in their lanes are waited for.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[bytes] = loop.create_future()
    opened = documents.get(named_document(params)) if method not in _ABOUT_ALL else None
    if opened is not None:
        for waiting in (opened.pending,) if method in _WHILE_TYPING else (opened.pending, opened.of_version):
            waiting.add(answer)
            answer.add_done_callback(waiting.discard)
    timer = loop.call_later(LONGEST, refuse, answer, _TAKES_LONG)
    answer.add_done_callback(lambda _: timer.cancel())

    def begin() -> None:
        """Let messages from before have their turn, such as new settings."""
        if answer.done():
            return
        queue = opened.queue if opened is not None else DocumentQueue()
        submit = partial(queues.submit, queue, make, gives_answer=opened is not None, is_long=method in _LONG)
        edits = documents.edits_besides(opened) if method in _ABOUT_ALL or method in _ACROSS else []
        work = asyncio.ensure_future(_after(edits, submit)) if edits else submit()
        work.add_done_callback(partial(_hand_over, answer, begin))
        answer.add_done_callback(lambda _: work.cancel())

    loop.call_soon(begin)
    return answer


def refuse(answer: asyncio.Future[Any], why: str | None = None) -> None:
    """Refuse a request that is not answered yet."""
    if not answer.done():
        answer.set_exception(ContentModified(why))


def named_document(params: Any) -> str:
    """Return the URI of the document that the parameters of a request name, "" if they name none."""
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
    """Answer once documents are as the editor has them."""
    await asyncio.wait(edits)
    return await submit()


def _hand_over(answer: asyncio.Future[bytes], again: Callable[[], None], work: asyncio.Future[bytes]) -> None:
    if answer.done():
        if not work.cancelled():
            work.exception()  # nobody wants to know
    elif work.cancelled():
        answer.cancel()
    elif isinstance(error := work.exception(), NotYetError):
        _wait_for(error, answer, again)
    elif error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(work.result())


def _wait_for(error: NotYetError, answer: asyncio.Future[bytes], again: Callable[[], None]) -> None:
    """Try a request again when there is a better answer, or when its patience is at its end."""
    begun = asyncio.wait([error.task], timeout=error.patience) if error.task is not None else asyncio.sleep(_NOT_BEGUN)
    waiting: asyncio.Future[Any] = asyncio.ensure_future(begun)
    waiting.add_done_callback(lambda _: again())
    answer.add_done_callback(lambda _: waiting.cancel())
