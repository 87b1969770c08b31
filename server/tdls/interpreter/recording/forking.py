"""Checkpoints of a recorded run: processes that it forks and that wait, to go on from there when a state is asked for.

This is the side of the run. A checkpoint reads errands from a pipe, lines of JSON. For each it forks once more, and
that process goes on with the script from there, tells states as far as it has to, and ends. The checkpoint stays as it
is. It ends when nobody holds the other end of its pipe, when nobody asked for long, and with the worker.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.ends import ending_with_thread
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable

_SPACING = 0.02
"""Seconds of the run between two checkpoints, at least."""
_RUN_PER_FORK = 10
"""How many times as long as making a checkpoint the run goes on before the next one, at least."""
_LIFETIME = 600.0
"""Seconds that a checkpoint waits for an errand."""
_COMMANDS, _ANSWERS = 3, 4
"""The file descriptors of a checkpoint beside the three of all processes."""
_CHUNK = 1 << 16
LOWEST: Final = 19
"""The priority that is as low as possible."""
_FEWEST_TO_THIN = 3


class Errand(NamedTuple):
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

    def at(self, passing: int) -> Errand | None:
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

    def _be_a_checkpoint(self, slot: list[int]) -> Errand:
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
    os.closerange(_ANSWERS + 1, max(*kept, *_opened()) + 1)


def _opened() -> list[int]:
    """Return the file descriptors that are open, as far as the system tells."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError, ValueError):
            return [int(path.name) for path in Path(folder).iterdir()]
    return [1023]


def _errand(seconds: float) -> Errand:
    """Read errands, and let a process do each; return in those."""
    buffer = b""
    while True:
        while b"\n" not in buffer:
            ready = readable([_COMMANDS], _LIFETIME)
            piece = os.read(_COMMANDS, _CHUNK) if ready else b""
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


def _begun(asked: dict[str, Any], seconds: float, end_with_parent: Callable[[], None] | None) -> Errand:
    """Return what this process is for, which lives no longer than it may."""
    if end_with_parent is not None:
        end_with_parent()
    os.close(_COMMANDS)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if asked["niceness"]:
        _give_way(asked["niceness"])
    return Errand(frozenset(asked["numbers"]), frozenset(asked["texts"]), asked["last"], _ANSWERS)


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
