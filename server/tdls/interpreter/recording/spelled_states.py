"""States as lines of JSON, as the process that runs the script tells them."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tdls.interpreter.model import Contents, PayloadItem
from tdls.interpreter.recording.records import HandleRecord, Liveness, StateRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.jobs.way_back import WayBack

SAME: Final = "same"
"""Stands for the text that was told last."""
_COMPRESSION = 1


def compressed(text: str) -> bytes:
    """Return `text` as `StateRecord` keeps it."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def state_line(passing: int, point: int, text: bytes | str | None, handles: list[list[Any]]) -> bytes:
    """Return the line for a state; `text` is compressed, or `SAME`, or None."""
    spelled = base64.b64encode(text).decode() if isinstance(text, bytes) else text
    packed = base64.b64encode(zlib.compress(json.dumps(handles).encode(), _COMPRESSION)).decode()
    told = {"passing": passing, "point": point, "text": spelled, "handles": packed}
    return json.dumps(told).encode() + b"\n"


def state_of_line(line: dict[str, Any], before: bytes | None, way_back: WayBack) -> tuple[StateRecord, bytes | None]:
    """Return the state that a line tells, and the text that was told last, compressed; `before` it was that one.

    `way_back` is for the places that it names.
    """
    handles = _Packed(base64.b64decode(line["handles"]), way_back)
    if line["text"] is None:
        return StateRecord(None, handles), before
    text = before if line["text"] == SAME else base64.b64decode(line["text"])
    return StateRecord(text, handles), text


@dataclass(frozen=True, slots=True)
class _Packed:
    """Handles as they were told."""

    data: bytes
    way_back: WayBack

    @property
    def size(self) -> int:
        return len(self.data)

    def unpacked(self) -> tuple[HandleRecord, ...]:
        return tuple(_handle(stored, self.way_back) for stored in json.loads(zlib.decompress(self.data)))


def _handle(stored: list[Any], way_back: WayBack) -> HandleRecord:
    point, index, defined, liveness, since, contents = stored
    return HandleRecord(
        point,
        index,
        defined,
        Liveness(liveness),
        since,
        _contents(contents, way_back.first_place) if contents else None,
    )


def _contents(stored: list[Any], place: Callable[[str], Any]) -> Contents:
    size, names, items = stored
    return Contents(size, names, tuple(PayloadItem(name, place(location)) for name, location in items))
