"""Asks the checkpoints of a recorded run for further states: forked processes that continue the run from there.

Each has a slot: a pipe for state requests and one for answers, which have names until the run is over. A checkpoint
with a broken pipe is not used again. Closing `Checkpoints` ends all of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.reports import ReportError, checked, decoded, decoded_lines, expect
from tdls.interpreter.recording.forks import LOWEST
from tdls.interpreter.recording.records import Urgency
from tdls.interpreter.recording.stored_states import StoredState, state_of_line
from tdls.interpreter.source_map import SourceMap
from tdls.limits import RUN_OUTPUT
from tdls.structs import Struct
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tdls.interpreter.confinement.reports import WritableFolder
    from tdls.interpreter.recording.records import StateRecord

NOTES: Final = "checkpoints"
MEMORY: Final = 2 << 30
"""Maximum memory of all checkpoints of a run in bytes, as if they shared none."""
_CHUNK = 1 << 20
_NICENESS = {Urgency.NOW: 0, Urgency.SOON: 5, Urgency.SOMETIME: LOWEST}
_GRACE_SECONDS = 2.0


_ANSWER = "an answer of a checkpoint"


class _Note(NamedTuple):
    """A line of the notes: the slot of a new checkpoint, and its passing."""

    slot: int
    passing: int


class _End(Struct, frozen=True):
    """A checkpoint's message at the end of a request: its number, and the exit code of its process."""

    end: int
    code: int


class _Slot(Struct, eq=False):
    """The pipes of a checkpoint at `passing`."""

    commands: int
    answers: int
    reader: int | None
    """Keeps the checkpoint's end of `commands` open until the checkpoint has opened it itself."""
    passing: int | None = None
    buffer: bytes = b""

    def close(self) -> None:
        for descriptor in (self.commands, self.answers, self.reader):
            if descriptor is not None:
                os.close(descriptor)


class Checkpoints:
    """The client of one run's checkpoints. Thread-safe; requests with less urgency give way to urgent ones."""

    def __init__(self, folder: WritableFolder, handles: Sequence[int], seconds: float, most: int) -> None:
        """Create pipes for `most` checkpoints in `folder`, which has to stay until `begin`.

        `handles` are the numbers of handles of all points. A request may take `seconds`. Raises OSError.
        """
        self._handles = handles
        self._seconds = seconds
        self._request_number = 0
        self._turn = threading.Lock()
        self._waiting = 0
        self._counting = threading.Lock()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        self._is_closed = False
        self._source_map = SourceMap()
        self._slots: list[_Slot] = []
        try:
            for number in range(most):
                self._slots.append(_opened(folder, *_pipes(number)))
        except OSError:
            self.close()
            raise

    def message(self) -> dict[str, Any]:
        """Return the data for the process of the run; see `Forks`."""
        return {"seconds": self._seconds, "memory": MEMORY}

    def pipes(self) -> list[tuple[str, str]]:
        """Return the names of the pipes of each slot, for requests and for answers."""
        return [_pipes(number) for number in range(len(self._slots))]

    def begin(self, notes: bytes, source_map: SourceMap) -> None:
        """Read the checkpoints from the `notes` of the finished run. Raises ReportError.

        `source_map` maps the positions in their answers.
        """
        self._source_map = source_map
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

    def states(
        self, numbers: Collection[int], texts: Collection[int], *, urgency: Urgency = Urgency.NOW
    ) -> Iterator[tuple[int, int, StateRecord]]:
        """Yield passing, point and state for `numbers`, in order; a payload is guaranteed only for those in `texts`.

        Unavailable states are left out. A request that is not urgent ends when another one is made.
        """
        text: bytes | None = None
        with contextlib.suppress(ReportError):
            for line in self._stored(numbers, texts, urgency):
                record, text = state_of_line(line, text, self._source_map, self._handles)
                yield line.passing, line.point, record

    def _stored(self, numbers: Collection[int], texts: Collection[int], urgency: Urgency) -> Iterator[StoredState]:
        """Yield the answers of a checkpoint. Raises ReportError."""
        is_quiet = urgency is not Urgency.NOW
        with self._having_a_turn(is_quiet) as has_turn:
            slot = self._slot_before(min(numbers)) if has_turn else None
            if slot is None:
                return
            self._request_number += 1
            request = {
                "errand": self._request_number,
                "numbers": sorted(numbers),
                "texts": sorted(texts),
                "last": max(numbers),
                "niceness": _NICENESS[urgency],
            }
            is_over = False
            try:
                self._write(slot, request)
                for line in self._lines(slot, is_quiet):
                    if isinstance(line, StoredState):
                        expect(line.passing in numbers, _ANSWER, "that state was not requested")
                        yield line
                    elif line.end == self._request_number:
                        is_over = True
                        return
            except OSError:
                is_over = True
                self._give_up(slot)
            finally:
                if not is_over:
                    self._stop(slot)

    def close(self) -> None:
        """End all checkpoints; for any thread."""
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
        """Number of checkpoints."""
        return len(self._slots)

    @contextlib.contextmanager
    def _having_a_turn(self, is_quiet: bool) -> Iterator[bool]:
        """Acquire the lock and interrupt a request that is not urgent; yield False if the lock is not available."""
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

    def _write(self, slot: _Slot, request: dict[str, Any] | None) -> None:
        write_all(slot.commands, json.dumps(request).encode() + b"\n")

    def _lines(self, slot: _Slot, is_quiet: bool) -> Iterator[StoredState | _End]:
        """Yield the messages of a checkpoint; raises OSError if it is gone.

        Incomplete and invalid lines are ignored.
        """
        deadline = time.monotonic() + self._seconds + _GRACE_SECONDS
        others = [self._wake_reader] if is_quiet else []
        while True:
            while b"\n" in slot.buffer:
                line, slot.buffer = slot.buffer.split(b"\n", 1)
                try:
                    value = decoded(line, dict[str, Any], _ANSWER)
                    message = checked(value, _End, _ANSWER) if "end" in value else checked(value, StoredState, _ANSWER)
                except ReportError:
                    continue
                yield message
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
        """End the current request of a checkpoint, and read its remaining answers."""
        try:
            self._write(slot, None)
            for line in self._lines(slot, is_quiet=False):
                if isinstance(line, _End) and line.end == self._request_number:
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
    """Create and open the two pipes of a slot. Raises OSError."""
    folder.make_pipe(commands)
    folder.make_pipe(answers)
    reader = folder.open_pipe(commands, writes=False)
    writer = folder.open_pipe(commands, writes=True)
    return _Slot(writer, folder.open_pipe(answers, writes=False), reader)
