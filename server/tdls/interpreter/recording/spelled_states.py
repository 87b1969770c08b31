"""States as lines of JSON, as the process that runs the script tells them."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.reports import ReportError, decoded, decompressed, expect
from tdls.interpreter.model import Contents, PayloadItem
from tdls.interpreter.observation.journal import is_handle
from tdls.interpreter.recording.records import HandleRecord, Liveness, StateRecord
from tdls.limits import RUN_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.jobs.way_back import WayBack

SAME: Final = "same"
"""Stands for the text that was told last."""
_COMPRESSION = 1
_STATE = "a state"


class _StoredHandle(NamedTuple):
    """A handle as it is told; see `HandleRecord`."""

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: tuple[int, dict[str, int], list[tuple[str, str]]] | None


@dataclass(frozen=True, slots=True)
class StoredState:
    """A state as `state_line` tells it."""

    passing: int
    point: int
    text: str | None
    handles: str


def compressed(text: str) -> bytes:
    """Return `text` as `StateRecord` keeps it."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def state_line(passing: int, point: int, text: bytes | str | None, handles: list[list[Any]]) -> bytes:
    """Return the line for a state; `text` is compressed, or `SAME`, or None."""
    spelled = base64.b64encode(text).decode() if isinstance(text, bytes) else text
    packed = base64.b64encode(zlib.compress(json.dumps(handles).encode(), _COMPRESSION)).decode()
    told = {"passing": passing, "point": point, "text": spelled, "handles": packed}
    return json.dumps(told).encode() + b"\n"


def state_of_line(
    line: StoredState, before: bytes | None, way_back: WayBack, sizes: Sequence[int]
) -> tuple[StateRecord, bytes | None]:
    """Return the state that a line tells, and the text that was told last, compressed; `before` it was that one.

    `way_back` is for the places that it names, and `sizes` are the numbers of handles of all points. All of the line is
    checked now, so that it can be read at any time. Raises ReportError.
    """
    handles = _Packed(_bytes(line.handles), way_back)
    for handle in handles.stored():
        expect(is_handle(handle.point, handle.number, sizes), _STATE, "there is no such handle")
    if line.text is None:
        return StateRecord(None, handles), before
    if line.text == SAME:
        expect(before is not None, _STATE, "there was no text before")
        return StateRecord(before, handles), before
    text = _bytes(line.text)
    decompressed(text, RUN_OUTPUT.most, _STATE)
    return StateRecord(text, handles), text


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ReportError(_STATE, str(error)) from error


@dataclass(frozen=True, slots=True)
class _Packed:
    """Handles as they were told."""

    data: bytes
    way_back: WayBack

    @property
    def size(self) -> int:
        return len(self.data)

    def stored(self) -> list[_StoredHandle]:
        return decoded(decompressed(self.data, RUN_OUTPUT.most, _STATE), list[_StoredHandle], _STATE)

    def unpacked(self) -> tuple[HandleRecord, ...]:
        return tuple(
            HandleRecord(
                *(told.point, told.number, told.defined, told.liveness, told.since),
                _contents(told.contents, self.way_back) if told.contents is not None else None,
            )
            for told in self.stored()
        )


def _contents(stored: tuple[int, dict[str, int], list[tuple[str, str]]], way_back: WayBack) -> Contents:
    size, names, items = stored
    return Contents(size, names, tuple(PayloadItem(name, way_back.first_place(location)) for name, location in items))
