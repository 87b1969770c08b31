"""The stored form of states: a line of JSON for each, as the process of a run and its checkpoints write it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.reports import ReportError, decoded, decompressed, expect
from tdls.interpreter.instrumentation.journal import is_handle
from tdls.interpreter.model import Contents, PayloadItem
from tdls.interpreter.recording.records import HandleRecord, Liveness, StateRecord
from tdls.limits import RUN_OUTPUT
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.source_map import SourceMap

RECORDING: Final = "recording"
"""The key of the recording's data for the running process, in the message of a journal."""
SAME: Final = "same"
"""Stands for the previous text."""
_COMPRESSION = 1
_STATE = "a state"


class _StoredHandle(NamedTuple):
    """The stored form of a handle; see `HandleRecord`."""

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: tuple[int, dict[str, int], list[tuple[str, str]]] | None


class StoredState(Struct, frozen=True):
    """The stored form of a state; see `state_line`."""

    passing: int
    point: int
    text: str | None
    handles: str


def compressed(text: str) -> bytes:
    """Return `text` in the compressed form of `StateRecord`."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def state_line(passing: int, point: int, text: bytes | str | None, handles: list[list[Any]]) -> bytes:
    """Return the line for a state; `text` is compressed, or `SAME`, or None."""
    spelled = base64.b64encode(text).decode() if isinstance(text, bytes) else text
    packed = base64.b64encode(zlib.compress(json.dumps(handles).encode(), _COMPRESSION)).decode()
    state = {"passing": passing, "point": point, "text": spelled, "handles": packed}
    return json.dumps(state).encode() + b"\n"


def state_of_line(
    line: StoredState, before: bytes | None, source_map: SourceMap, sizes: Sequence[int]
) -> tuple[StateRecord, bytes | None]:
    """Return the state in a line, and its compressed text, or else `before`, the previous one.

    `source_map` maps its positions, and `sizes` are the numbers of handles of all points. The whole line is validated
    now, so that it can be unpacked at any time. Raises ReportError.
    """
    handles = _Packed(_bytes(line.handles), source_map)
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


class _Packed(Struct, frozen=True):
    """Handles in their stored form."""

    data: bytes
    source_map: SourceMap

    @property
    def size(self) -> int:
        return len(self.data)

    def stored(self) -> list[_StoredHandle]:
        return decoded(decompressed(self.data, RUN_OUTPUT.most, _STATE), list[_StoredHandle], _STATE)

    def unpacked(self) -> tuple[HandleRecord, ...]:
        return tuple(
            HandleRecord(
                *(handle.point, handle.number, handle.defined, handle.liveness, handle.since),
                _contents(handle.contents, self.source_map) if handle.contents is not None else None,
            )
            for handle in self.stored()
        )


def _contents(stored: tuple[int, dict[str, int], list[tuple[str, str]]], source_map: SourceMap) -> Contents:
    size, names, items = stored
    return Contents(size, names, tuple(PayloadItem(name, source_map.first_place(location)) for name, location in items))
