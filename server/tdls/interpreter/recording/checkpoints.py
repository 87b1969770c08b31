"""Checkpoints of a recorded run, as tdls asks them for states; see `forking` for the processes.

Each has a slot: a pipe for errands and one for answers, with names until the run is over. A checkpoint of which a pipe
does not answer is not asked again. Closing this ends all of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.interpreter.jobs.way_back import WayBack
from tdls.interpreter.recording.forking import LOWEST
from tdls.interpreter.recording.records import Urgency
from tdls.interpreter.recording.spelled_states import state_of_line
from tdls.system.descriptors import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tdls.interpreter.recording.records import StateRecord

_MEMORY = 2 << 30
"""Bytes that all checkpoints of a run may have at most, if none shared anything with another one."""
_CHUNK = 1 << 20
_NICENESS = {Urgency.NOW: 0, Urgency.SOON: 5, Urgency.SOMETIME: LOWEST}
_GRACE_SECONDS = 2.0


@dataclass(eq=False, slots=True)
class _Slot:
    """The pipes of one checkpoint, which stands at `passing`."""

    commands: int
    answers: int
    reader: int | None
    """Holds the end of `commands` open that the checkpoint reads, until that has opened it itself."""
    passing: int | None = None
    buffer: bytes = b""

    def close(self) -> None:
        for descriptor in (self.commands, self.answers, self.reader):
            if descriptor is not None:
                os.close(descriptor)


class Checkpoints:
    """The checkpoints of one run. Several threads may ask; one that asks quietly gives way to those that do not."""

    def __init__(self, folder: str, seconds: float, most: int) -> None:
        """There are `most` of them. Pipes are made in `folder`. An errand may take `seconds`. Raises OSError."""
        self._folder = Path(folder)
        self._seconds = seconds
        self._errand = 0
        self._turn = threading.Lock()
        self._waiting = 0
        self._counting = threading.Lock()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        self._is_closed = False
        self._way_back = WayBack()
        self._notes = self._folder / "checkpoints"
        self._notes.write_bytes(b"")
        self._slots: list[_Slot] = []
        try:
            for number in range(most):
                self._slots.append(_opened(*self._paths(number)))
        except OSError:
            self.close()
            raise

    def message(self) -> dict[str, Any]:
        """Return what the run has to know; see `Forks`."""
        return {
            "slots": [list(map(str, self._paths(number))) for number in range(len(self._slots))],
            "notes": str(self._notes),
            "seconds": self._seconds,
            "memory": _MEMORY,
        }

    def begin(self, way_back: WayBack) -> None:
        """Learn which checkpoints there are, when the run is over; `way_back` is for the places that they name."""
        self._way_back = way_back
        for line in self._notes.read_bytes().split(b"\n")[:-1]:
            slot, passing = json.loads(line)
            self._slots[slot].passing = passing
        for slot in self._slots:
            if slot.passing is None:
                slot.close()
            elif slot.reader is not None:
                os.close(slot.reader)
                slot.reader = None
        self._slots = sorted(
            (slot for slot in self._slots if slot.passing is not None), key=lambda slot: slot.passing or 0
        )

    def tell(
        self, numbers: Collection[int], texts: Collection[int], *, urgency: Urgency = Urgency.NOW
    ) -> Iterator[tuple[int, int, StateRecord]]:
        """Yield passing, point and state for `numbers`, in their order; only those in `texts` have a payload for sure.

        What does not come is not known to the checkpoints. Asking quietly ends when somebody else asks.
        """
        text: bytes | None = None
        for line in self._told(numbers, texts, urgency):
            record, text = state_of_line(line, text, self._way_back)
            yield line["passing"], line["point"], record

    def _told(self, numbers: Collection[int], texts: Collection[int], urgency: Urgency) -> Iterator[dict[str, Any]]:
        """Yield what a checkpoint says of states."""
        is_quiet = urgency is not Urgency.NOW
        with self._having_a_turn(is_quiet) as has_turn:
            slot = self._slot_before(min(numbers)) if has_turn else None
            if slot is None:
                return
            self._errand += 1
            errand = {
                "errand": self._errand,
                "numbers": sorted(numbers),
                "texts": sorted(texts),
                "last": max(numbers),
                "niceness": _NICENESS[urgency],
            }
            is_over = False
            try:
                self._write(slot, errand)
                for line in self._lines(slot, is_quiet):
                    if "end" in line:
                        is_over = line["end"] == self._errand
                        if is_over:
                            return
                        continue
                    yield line
            except OSError:
                is_over = True
                self._give_up(slot)
            finally:
                if not is_over:
                    self._stop(slot)

    def close(self) -> None:
        """End all of them; for any thread."""
        with self._having_a_turn(is_quiet=False):
            if self._is_closed:
                return
            self._is_closed = True
            for slot in self._slots:
                slot.close()
            self._slots = []
            os.close(self._wake_reader)
            os.close(self._wake_writer)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._slots)

    @contextlib.contextmanager
    def _having_a_turn(self, is_quiet: bool) -> Iterator[bool]:
        """Wait for those that ask, and let one end that asks quietly; give False to one whose turn it is not."""
        if is_quiet:
            if self._waiting or not self._turn.acquire(blocking=False):
                yield False
                return
        else:
            with self._counting:
                self._waiting += 1
            if not self._is_closed:
                with contextlib.suppress(OSError):
                    os.write(self._wake_writer, b".")
            self._turn.acquire()
            with self._counting:
                self._waiting -= 1
            with contextlib.suppress(OSError):
                os.read(self._wake_reader, _CHUNK)
        try:
            yield not self._is_closed
        finally:
            self._turn.release()

    def _paths(self, number: int) -> tuple[Path, Path]:
        return self._folder / f"commands{number}", self._folder / f"answers{number}"

    def _slot_before(self, passing: int) -> _Slot | None:
        before = [slot for slot in self._slots if slot.passing is not None and slot.passing <= passing]
        return before[-1] if before else None

    def _write(self, slot: _Slot, errand: dict[str, Any] | None) -> None:
        write_all(slot.commands, json.dumps(errand).encode() + b"\n")

    def _lines(self, slot: _Slot, is_quiet: bool) -> Iterator[dict[str, Any]]:
        """Yield what a checkpoint says, until it says nothing any more; raises OSError where it is gone."""
        deadline = time.monotonic() + self._seconds + _GRACE_SECONDS
        others = [self._wake_reader] if is_quiet else []
        while True:
            while b"\n" in slot.buffer:
                line, slot.buffer = slot.buffer.split(b"\n", 1)
                with contextlib.suppress(ValueError):  # a line that its process did not end
                    if isinstance(said := json.loads(line), dict):
                        yield said
            ready, _, _ = select.select([slot.answers, *others], [], [], max(0.0, deadline - time.monotonic()))
            if slot.answers not in ready:
                if self._wake_reader in ready:
                    return
                raise TimeoutError
            piece = os.read(slot.answers, _CHUNK)
            if not piece:
                raise BrokenPipeError
            slot.buffer += piece

    def _stop(self, slot: _Slot) -> None:
        """End what a checkpoint is at, and read what it still says."""
        try:
            self._write(slot, None)
            for line in self._lines(slot, is_quiet=False):
                if line.get("end") == self._errand:
                    return
        except OSError:
            self._give_up(slot)

    def _give_up(self, slot: _Slot) -> None:
        if slot in self._slots:
            self._slots.remove(slot)
            slot.close()


def _opened(commands: Path, answers: Path) -> _Slot:
    """Make the two pipes. Raises OSError."""
    make_pipe: Callable[[Path], None] = os.mkfifo
    make_pipe(commands)
    make_pipe(answers)
    reader = os.open(commands, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(commands, os.O_WRONLY)
    return _Slot(writer, os.open(answers, os.O_RDONLY | os.O_NONBLOCK), reader)
