"""Errors for requests that cannot be answered now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    import asyncio
    from typing import Any


class ContentModified(JsonRpcException):
    """The document changed before the answer was complete, or the answer takes too long."""

    CODE = types.LSPErrorCodes.ContentModified
    MESSAGE = "the document changed"


class AskAgainError(JsonRpcException):
    """The document is still being checked; the client should send the request again."""

    CODE = types.LSPErrorCodes.ServerCancelled
    MESSAGE = "the document is still being checked"

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": True})


class NotYetError(Exception):
    """A better answer is available soon: retry the request once `task` is done, or after `patience` seconds.

    `task` is None if the work has not begun yet. This error never reaches the client.
    """

    def __init__(self, task: asyncio.Task[Any] | None, patience: float) -> None:
        super().__init__()
        self.task = task
        self.patience = patience
