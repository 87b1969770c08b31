"""Checkpoints of a recorded run, as tdls asks them for states; see `forking` for the processes.

Each has a slot: a pipe for errands and one for answers, with names until the run is over. A checkpoint of which a pipe
does not answer is not asked again. Closing this ends all of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.ends import ending_with_thread
from tdls.interpreter.confinement.reports import ReportError, checked, decoded, decoded_lines, expect
from tdls.interpreter.recording.records import StoredState, Urgency, state_of_line
from tdls.interpreter.source_map import SourceMap
from tdls.limits import RUN_OUTPUT
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tdls.interpreter.confinement.writable_folder import WritableFolder
    from tdls.interpreter.recording.records import StateRecord

_SPACING = 0.02
"""Seconds of the run between two checkpoints, at least."""
_RUN_PER_FORK = 10
"""How many times as long as making a checkpoint the run goes on before the next one, at least."""
_LIFETIME = 600.0
"""Seconds that a checkpoint waits for an errand."""
_COMMANDS, _ANSWERS = 3, 4
"""The file descriptors of a checkpoint beside the three of all processes."""
_COMMAND_CHUNK = 1 << 16
LOWEST: Final = 19
"""The priority that is as low as possible."""
_FEWEST_TO_THIN = 3


class StateRequest(NamedTuple):
    """States to tell: those of the passings `numbers`, those in `texts` with their payload; written to `answers`.

    Nothing is told behind the passing `last`.
    """

    numbers: frozenset[int]
    texts: frozenset[int]
    last: int
    answers: int


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    slot: int
    process: int
    began: float


class Forks:
    """Makes the checkpoints of one run, each in one of the slots that the message of `Checkpoints` names."""

    def __init__(self, message: dict[str, Any], notes: int, slots: list[list[int]], leave: Callable[[], None]) -> None:
        """`notes` is the descriptor of a file, and each of `slots` has those of two pipes.

        `leave` is called in each checkpoint, to leave what belongs to the run.
        """
        self._slots = slots
        self._memory: int = message["memory"]
        self._seconds: float = message["seconds"]
        self._notes = notes
        self._leave = leave
        self._kept: list[_Checkpoint] = []
        self._began = time.perf_counter()
        self._cost = 0.0
        """How long it took to make the last one, in seconds."""

    def at(self, passing: int) -> StateRequest | None:
        """Make a checkpoint where one is due. Return None in the run, an errand in each process made for one."""
        now = time.perf_counter() - self._began
        if not self._is_due(now):
            return None
        try:
            slot = self._free_slot()
            process = os.fork()
        except OSError:
            self._leave_slots()
            return None
        if process == 0:
            return self._be_a_checkpoint(self._slots[slot])
        self._kept.append(_Checkpoint(slot, process, now))
        self._cost = time.perf_counter() - self._began - now
        write_all(self._notes, json.dumps([slot, passing]).encode() + b"\n")
        return None

    def close(self) -> None:
        """Make no more of them; those that are there stay."""
        self._leave_slots()
        os.close(self._notes)

    def _leave_slots(self) -> None:
        for descriptor in (descriptor for slot in self._slots for descriptor in slot):
            os.close(descriptor)
        self._slots = []

    def _is_due(self, now: float) -> bool:
        if not self._slots or len(self._kept) == len(self._slots) < _FEWEST_TO_THIN:
            return False
        if _own_memory() * min(len(self._kept) + 1, len(self._slots)) > self._memory:
            return False
        spacing = max(_SPACING, now / len(self._slots), self._cost * _RUN_PER_FORK)
        return not self._kept or now - self._kept[-1].began >= spacing

    def _free_slot(self) -> int:
        """Return a slot without a checkpoint; where there is none, the one goes without which the gap is smallest."""
        if len(self._kept) < len(self._slots):
            return len(self._kept)
        gaps = [behind.began - before.began for before, behind in zip(self._kept, self._kept[2:], strict=False)]
        gone = self._kept.pop(1 + gaps.index(min(gaps)))
        os.kill(gone.process, signal.SIGKILL)
        os.waitpid(gone.process, 0)
        return gone.slot

    def _be_a_checkpoint(self, slot: list[int]) -> StateRequest:
        """Wait for errands; return only in processes made for one."""
        try:
            self._slots = []
            self._leave()
            _keep_only(*slot)
            return _errand(self._seconds)
        except BaseException:
            os._exit(1)


def _keep_only(commands: int, answers: int) -> None:
    """Let these be `_COMMANDS` and `_ANSWERS`, and close all other files; standard streams are nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    kept = [nothing, nothing, nothing, commands, answers]
    while min(kept) <= _ANSWERS:  # none may be overwritten before it is copied
        kept = [os.dup(descriptor) for descriptor in kept]
    for target, descriptor in enumerate(kept):
        os.dup2(descriptor, target)
    os.closerange(_ANSWERS + 1, max(*kept, *_open_descriptors()) + 1)


def _open_descriptors() -> list[int]:
    """Return the file descriptors that are open, as far as the system tells."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError, ValueError):
            return [int(path.name) for path in Path(folder).iterdir()]
    return [1023]


def _errand(seconds: float) -> StateRequest:
    """Read errands, and let a process do each; return in those."""
    buffer = b""
    while True:
        while b"\n" not in buffer:
            ready = readable([_COMMANDS], _LIFETIME)
            piece = os.read(_COMMANDS, _COMMAND_CHUNK) if ready else b""
            if not piece:
                os._exit(0)
            buffer += piece
        line, buffer = buffer.split(b"\n", 1)
        asked = json.loads(line)
        if not asked:  # the end of an errand that was over
            continue
        reader, writer = os.pipe()
        end_with_parent = ending_with_thread()
        process = os.fork()
        if process == 0:
            os.close(reader)
            return _begun(asked, seconds, end_with_parent)
        os.close(writer)
        ready = readable((reader, _COMMANDS), seconds)
        if reader not in ready:
            os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        os.close(reader)
        end = {"end": asked["errand"], "code": os.waitstatus_to_exitcode(status)}
        write_all(_ANSWERS, b"\n" + json.dumps(end).encode() + b"\n")


def _begun(asked: dict[str, Any], seconds: float, end_with_parent: Callable[[], None] | None) -> StateRequest:
    """Return what this process is for, which lives no longer than it may."""
    if end_with_parent is not None:
        end_with_parent()
    os.close(_COMMANDS)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if asked["niceness"]:
        _give_way(asked["niceness"])
    return StateRequest(frozenset(asked["numbers"]), frozenset(asked["texts"]), asked["last"], _ANSWERS)


def _give_way(niceness: int) -> None:
    """Let others have more of the processors; with the lowest priority, all others have them first."""
    with contextlib.suppress(OSError):
        os.nice(niceness)
        if niceness == LOWEST and sys.platform == "linux":
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _own_memory() -> int:
    """Return the bytes of memory of this process that it shares with no file; 0 where that is not known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        _, resident, shared = Path("/proc/self/statm").read_text(encoding="ascii").split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return 0


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
        self._source_map = SourceMap()
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

    def begin(self, notes: bytes, source_map: SourceMap) -> None:
        """Learn which checkpoints there are by the `notes` of the run, which is over. Raises ReportError.

        `source_map` is for the places that they name.
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

    def tell(
        self, numbers: Collection[int], texts: Collection[int], *, urgency: Urgency = Urgency.NOW
    ) -> Iterator[tuple[int, int, StateRecord]]:
        """Yield passing, point and state for `numbers`, in their order; only those in `texts` have a payload for sure.

        What does not come is not known to the checkpoints. Asking quietly ends when somebody else asks.
        """
        text: bytes | None = None
        with contextlib.suppress(ReportError):
            for line in self._told(numbers, texts, urgency):
                record, text = state_of_line(line, text, self._source_map, self._handles)
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
