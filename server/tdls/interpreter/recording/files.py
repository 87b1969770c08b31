"""The files that a recorded run leaves: lines of JSON for passings and states.

A run that ends badly leaves what it had.
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdls.interpreter.model import Contents, PayloadItem
from tdls.interpreter.observation.journal import Journal
from tdls.interpreter.observation.trail import bends_of
from tdls.interpreter.recording.records import HandleRecord, Liveness, Passing, StateRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.jobs.way_back import WayBack
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.recording.records import Wanted

RECORDING: Final = "recording"
"""The key of what the process that runs the script has to know, in the message of a journal."""
_COMPRESSION = 1


class RecordingJournal(Journal):
    """The files of one recorded run."""

    def __init__(
        self,
        points: Sequence[Point],
        followings: Sequence[Following | None],
        wanted: Wanted,
        seconds: float,
        place: str,
    ) -> None:
        """The run may take `seconds`. The folder of the files is made in `place`."""
        super().__init__(bends_of(points), place)
        self._passings = Path(self.folder) / "passings"
        self._states = Path(self.folder) / "states"
        self._message = {
            "passings": str(self._passings),
            "states": str(self._states),
            "handles": [len(point.handles) for point in points],
            "consumed": [list(following.consumed) if following is not None else [] for following in followings],
            "changing": [following is None or following.changes_payload for following in followings],
            "numbers": sorted(wanted.numbers),
            "all": wanted.all,
            "last": wanted.last,
            "seconds": seconds,
        }
        for path in (self._passings, self._states):
            path.write_bytes(b"")

    def __enter__(self) -> RecordingJournal:
        return self

    def message(self) -> dict[str, Any]:
        """Return what the process that runs the script has to know; see `Writer.of` and `Recorder`."""
        return {**super().message(), RECORDING: self._message}

    def passings(self) -> tuple[Passing, ...]:
        """Read the passings that were written down so far."""
        return tuple(
            Passing(point, tuple(map(_counted, contents)), entered, left)
            for point, entered, left, contents in _lines(self._passings)
        )

    def states(self, way_back: WayBack) -> dict[int, StateRecord]:
        """Read the states that were written down so far; `way_back` is for the places that they name."""
        found: dict[int, StateRecord] = {}
        text: bytes | None = None
        for line in _lines(self._states):
            if line["text"] != SAME:
                text = base64.b64decode(line["text"]) if line["text"] is not None else None
            found[line["passing"]] = StateRecord(text, tuple(_handle(stored, way_back) for stored in line["handles"]))
        return found


SAME: Final = "same"
"""Stands for the text of the state before."""


def compressed(text: str) -> bytes:
    """Return `text` as `StateRecord` keeps it."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def spelled_text(data: bytes) -> str:
    """Return compressed text as it is written down."""
    return base64.b64encode(data).decode()


def _lines(path: Path) -> Iterator[Any]:
    """Yield what the lines of a file say; a last line that is not complete does not count."""
    for line in path.read_bytes().split(b"\n")[:-1]:
        yield json.loads(line)


def _counted(stored: list[Any] | None) -> Contents | None:
    return None if stored is None else Contents(stored[0], stored[1])


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
