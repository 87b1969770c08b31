"""The files that a recorded run leaves: lines of JSON for passings and states.

A run that ends badly leaves what it had.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdls.interpreter.model import Contents
from tdls.interpreter.observation.journal import Journal
from tdls.interpreter.observation.trail import bends_of
from tdls.interpreter.recording.checkpoints import Checkpoints
from tdls.interpreter.recording.records import Passing
from tdls.interpreter.recording.spelled_states import state_of_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from tdls.interpreter.jobs.way_back import WayBack
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.recording.records import StateRecord, Wanted

RECORDING: Final = "recording"
"""The key of what the process that runs the script has to know, in the message of a journal."""


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
        """The run may take `seconds`. The folder of the files is made in `place`.

        `checkpoints` are those that the run makes, where they are wanted and there can be any.
        """
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
        self.checkpoints: Checkpoints | None = None
        if wanted.checkpoints and hasattr(os, "fork"):
            with contextlib.suppress(OSError):
                self.checkpoints = Checkpoints(self.folder, seconds, wanted.checkpoints)

    def __enter__(self) -> RecordingJournal:
        return self

    def message(self) -> dict[str, Any]:
        """Return what the process that runs the script has to know; see `Writer.of` and `Recorder`."""
        checkpoints = self.checkpoints.message() if self.checkpoints is not None else None
        return {**super().message(), RECORDING: {**self._message, "checkpoints": checkpoints}}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.checkpoints is not None:
            self.checkpoints.close()
        super().__exit__(kind, error, trace)

    def taken_checkpoints(self) -> Checkpoints | None:
        """Return the checkpoints that the run has made, for whoever closes them; None without any."""
        checkpoints, self.checkpoints = self.checkpoints, None
        if checkpoints is None:
            return None
        checkpoints.begin(self.way_back)
        if not checkpoints.count:
            checkpoints.close()
            return None
        return checkpoints

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
            found[line["passing"]], text = state_of_line(line, text, way_back)
        return found


def _lines(path: Path) -> Iterator[Any]:
    """Yield what the lines of a file say; a last line that is not complete does not count."""
    for line in path.read_bytes().split(b"\n")[:-1]:
        yield json.loads(line)


def _counted(stored: list[Any] | None) -> Contents | None:
    return None if stored is None else Contents(stored[0], stored[1])
