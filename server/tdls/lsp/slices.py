"""Long work on the event loop, in slices, so that other requests get their turn."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_T = TypeVar("_T")
_SLICE = 0.004
"""Seconds of work after which requests get their turn; several pieces of work may take turns with each other."""


class ContentModified(JsonRpcException):
    """The document changed while its answer was made."""

    CODE = types.LSPErrorCodes.ContentModified
    MESSAGE = "the document changed"


async def in_slices(work: Generator[None, None, _T], still_wanted: Callable[[], bool]) -> _T:
    """Return the result of `work`, which yields wherever it may be interrupted.

    Raises `ContentModified` when, after other requests had their turn, the result is not `still_wanted`.
    """
    while True:
        deadline = time.perf_counter() + _SLICE
        try:
            while time.perf_counter() < deadline:
                next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        await asyncio.sleep(0)
        if not still_wanted():
            raise ContentModified
