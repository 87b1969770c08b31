"""Answers to requests that cannot be given now."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException


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
