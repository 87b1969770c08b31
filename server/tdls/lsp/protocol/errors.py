"""Answers to requests that cannot be given now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    import asyncio
    from typing import Any


class ContentModified(JsonRpcException):
    """The document changed before the answer was there, or the answer takes too long."""

    CODE = types.LSPErrorCodes.ContentModified
    MESSAGE = "the document changed"


class AskAgainError(JsonRpcException):
    """The document is still being checked."""

    CODE = types.LSPErrorCodes.ServerCancelled
    MESSAGE = "the document is still being checked"

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": True})


class NotYetError(Exception):
    """There is a better answer soon: the request is to be asked again once `task` is done, or after some seconds.

    `task` is None where it is not begun yet.
    """

    def __init__(self, task: asyncio.Task[Any] | None, patience: float) -> None:
        super().__init__()
        self.task = task
        self.patience = patience
