"""Checkpoints of a recorded run, as tdls asks them for states; see `forking` for the processes.

Each has a slot: a pipe for errands and one for answers, with names until the run is over. A checkpoint of which a pipe
does not answer is not asked again. Closing this ends all of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.reports import ReportError, checked, decoded, decoded_lines, expect
from tdls.interpreter.jobs.way_back import WayBack
from tdls.interpreter.recording.forking import LOWEST
from tdls.interpreter.recording.records import Urgency
from tdls.interpreter.recording.spelled_states import StoredState, state_of_line
from tdls.limits import RUN_OUTPUT
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tdls.interpreter.confinement.writable_folder import WritableFolder
    from tdls.interpreter.recording.records import StateRecord

NOTES: Final = "checkpoints"
MEMORY: Final = 2 << 30
"""Bytes that all checkpoints of a run may have at most, if none shared anything with another one."""
_CHUNK = 1 << 20
_NICENESS = {Urgency.NOW: 0, Urgency.SOON: 5, Urgency.SOMETIME: LOWEST}
_GRACE_SECONDS = 2.0


_ANSWER = "an answer of a checkpoint"


class _Note(NamedTuple):
    """A line of the notes: the slot of a new checkpoint, and where it stands."""

    slot: int
    passing: int


@dataclass(frozen=True, slots=True)
class _End:
    """What a checkpoint says when an errand is over: its number, and how its process ended."""

    end: int
    code: int


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

    def __init__(self, folder: WritableFolder, handles: Sequence[int], seconds: float, most: int) -> None:
        """There are `most` of them. Pipes are made in `folder`, which has to stay until `begin`.

        `handles` are the numbers of handles of all points. An errand may take `seconds`. Raises OSError.
        """
        self._handles = handles
        self._seconds = seconds
        self._errand = 0
        self._turn = threading.Lock()
        self._waiting = 0
        self._counting = threading.Lock()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        self._is_closed = False
        self._way_back = WayBack()
        self._slots: list[_Slot] = []
        try:
            for number in range(most):
                self._slots.append(_opened(folder, *_pipes(number)))
        except OSError:
            self.close()
            raise

    def message(self) -> dict[str, Any]:
        """Return what the run has to know; see `Forks`."""
        return {"seconds": self._seconds, "memory": MEMORY}

    def pipes(self) -> list[tuple[str, str]]:
        """Return the names of the pipes of each slot, for errands and for answers."""
        return [_pipes(number) for number in range(len(self._slots))]

    def begin(self, notes: bytes, way_back: WayBack) -> None:
        """Learn which checkpoints there are by the `notes` of the run, which is over. Raises ReportError.

        `way_back` is for the places that they name.
        """
        self._way_back = way_back
        for number, passing in decoded_lines(notes, _Note, NOTES):
            expect(0 <= number < len(self._slots) and passing >= 0, NOTES, "there is no such checkpoint")
            self._slots[number].passing = passing
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
        with contextlib.suppress(ReportError):
            for line in self._told(numbers, texts, urgency):
                record, text = state_of_line(line, text, self._way_back, self._handles)
                yield line.passing, line.point, record

    def _told(self, numbers: Collection[int], texts: Collection[int], urgency: Urgency) -> Iterator[StoredState]:
        """Yield what a checkpoint says of states. Raises ReportError."""
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
                    if isinstance(line, StoredState):
                        expect(line.passing in numbers, _ANSWER, "nobody wanted that state")
                        yield line
                    elif line.end == self._errand:
                        is_over = True
                        return
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

    def _slot_before(self, passing: int) -> _Slot | None:
        before = [slot for slot in self._slots if slot.passing is not None and slot.passing <= passing]
        return before[-1] if before else None

    def _write(self, slot: _Slot, errand: dict[str, Any] | None) -> None:
        write_all(slot.commands, json.dumps(errand).encode() + b"\n")

    def _lines(self, slot: _Slot, is_quiet: bool) -> Iterator[StoredState | _End]:
        """Yield what a checkpoint says, until it says nothing any more; raises OSError where it is gone.

        Lines that a process did not end do not count, nor others that nobody can read.
        """
        deadline = time.monotonic() + self._seconds + _GRACE_SECONDS
        others = [self._wake_reader] if is_quiet else []
        while True:
            while b"\n" in slot.buffer:
                line, slot.buffer = slot.buffer.split(b"\n", 1)
                try:
                    said = decoded(line, dict[str, Any], _ANSWER)
                    told = checked(said, _End, _ANSWER) if "end" in said else checked(said, StoredState, _ANSWER)
                except ReportError:
                    continue
                yield told
            ready = readable((slot.answers, *others), deadline - time.monotonic())
            if slot.answers not in ready:
                if self._wake_reader in ready:
                    return
                raise TimeoutError
            piece = os.read(slot.answers, _CHUNK)
            if not piece or len(slot.buffer) > RUN_OUTPUT.most:
                raise BrokenPipeError
            slot.buffer += piece

    def _stop(self, slot: _Slot) -> None:
        """End what a checkpoint is at, and read what it still says."""
        try:
            self._write(slot, None)
            for line in self._lines(slot, is_quiet=False):
                if isinstance(line, _End) and line.end == self._errand:
                    return
        except OSError:
            self._give_up(slot)

    def _give_up(self, slot: _Slot) -> None:
        if slot in self._slots:
            self._slots.remove(slot)
            slot.close()


def _pipes(number: int) -> tuple[str, str]:
    return f"commands{number}", f"answers{number}"


def _opened(folder: WritableFolder, commands: str, answers: str) -> _Slot:
    """Make the two pipes. Raises OSError."""
    folder.make_pipe(commands)
    folder.make_pipe(answers)
    reader = folder.open_pipe(commands, writes=False)
    writer = folder.open_pipe(commands, writes=True)
    return _Slot(writer, folder.open_pipe(answers, writes=False), reader)
