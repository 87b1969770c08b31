"""Makes checkpoints of a recorded run, in its process: forks that continue the run later, to report further states.

Each has a slot: a pipe for requests and one for answers. A checkpoint forks once more for each request.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.watch import ending_with_thread
from tdls.structs import Struct
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable

_SPACING = 0.02
"""Minimum number of seconds of the run between two checkpoints."""
_RUN_PER_FORK = 10
"""Minimum duration of the run between two checkpoints, as a multiple of the time to make one."""
_LIFETIME = 600.0
"""Seconds that a checkpoint waits for a request."""
_COMMANDS, _ANSWERS = 3, 4
"""The file descriptors of a checkpoint in addition to the three standard ones."""
_COMMAND_CHUNK = 1 << 16
LOWEST: Final = 19
"""The lowest possible priority."""
_FEWEST_TO_THIN = 3


class StateRequest(NamedTuple):
    """Request for the states of the passings `numbers`, with payload for those in `texts`; written to `answers`.

    No states are reported after the passing `last`.
    """

    numbers: frozenset[int]
    texts: frozenset[int]
    last: int
    answers: int


class _Checkpoint(Struct, frozen=True):
    slot: int
    process: int
    began: float


class Forks:
    """Creates the checkpoints of one run, each in one of the slots that the message of `Checkpoints` names."""

    def __init__(self, message: dict[str, Any], notes: int, slots: list[list[int]], leave: Callable[[], None]) -> None:
        """`notes` is the descriptor of a file, and each of `slots` has those of two pipes.

        `leave` is called in each checkpoint, to detach from the run's files.
        """
        self._slots = slots
        self._memory: int = message["memory"]
        self._seconds: float = message["seconds"]
        self._notes = notes
        self._leave = leave
        self._kept: list[_Checkpoint] = []
        self._began = time.perf_counter()
        self._cost = 0.0
        """Seconds taken to make the last checkpoint."""

    def at(self, passing: int) -> StateRequest | None:
        """Make a checkpoint if one is due. Return None in the run, and a request in each process that serves one."""
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
        """Make no more checkpoints; existing ones remain."""
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
        """Return a free slot; if there is none, end the checkpoint that leaves the smallest gap."""
        if len(self._kept) < len(self._slots):
            return len(self._kept)
        gaps = [behind.began - before.began for before, behind in zip(self._kept, self._kept[2:], strict=False)]
        gone = self._kept.pop(1 + gaps.index(min(gaps)))
        os.kill(gone.process, signal.SIGKILL)
        os.waitpid(gone.process, 0)
        return gone.slot

    def _be_a_checkpoint(self, slot: list[int]) -> StateRequest:
        """Wait for requests; return only in processes that serve one."""
        try:
            self._slots = []
            self._leave()
            _keep_only(*slot)
            return _serve_requests(self._seconds)
        except BaseException:
            os._exit(1)


def _keep_only(commands: int, answers: int) -> None:
    """Move these to `_COMMANDS` and `_ANSWERS`, close all other files, and detach the standard streams."""
    nothing = os.open(os.devnull, os.O_RDWR)
    kept = [nothing, nothing, nothing, commands, answers]
    while min(kept) <= _ANSWERS:  # none may be overwritten before it is copied
        kept = [os.dup(descriptor) for descriptor in kept]
    for target, descriptor in enumerate(kept):
        os.dup2(descriptor, target)
    os.closerange(_ANSWERS + 1, max(*kept, *_open_descriptors()) + 1)


def _open_descriptors() -> list[int]:
    """Return the open file descriptors, as far as the system lists them."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError, ValueError):
            return [int(path.name) for path in Path(folder).iterdir()]
    return [1023]


def _serve_requests(seconds: float) -> StateRequest:
    """Read requests and fork a process for each; return in these processes."""
    buffer = b""
    while True:
        while b"\n" not in buffer:
            ready = readable([_COMMANDS], _LIFETIME)
            piece = os.read(_COMMANDS, _COMMAND_CHUNK) if ready else b""
            if not piece:
                os._exit(0)
            buffer += piece
        line, buffer = buffer.split(b"\n", 1)
        request = json.loads(line)
        if not request:  # a request to stop that came after the end of the work
            continue
        reader, writer = os.pipe()
        end_with_parent = ending_with_thread()
        process = os.fork()
        if process == 0:
            os.close(reader)
            return _start_request(request, seconds, end_with_parent)
        os.close(writer)
        ready = readable((reader, _COMMANDS), seconds)
        if reader not in ready:
            os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        os.close(reader)
        end = {"end": request["errand"], "code": os.waitstatus_to_exitcode(status)}
        write_all(_ANSWERS, b"\n" + json.dumps(end).encode() + b"\n")


def _start_request(request: dict[str, Any], seconds: float, end_with_parent: Callable[[], None] | None) -> StateRequest:
    """Return the request of this process, and limit its lifetime."""
    if end_with_parent is not None:
        end_with_parent()
    os.close(_COMMANDS)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if request["niceness"]:
        _give_way(request["niceness"])
    return StateRequest(frozenset(request["numbers"]), frozenset(request["texts"]), request["last"], _ANSWERS)


def _give_way(niceness: int) -> None:
    """Lower the priority of this process; with the lowest one, it runs only on otherwise idle processors."""
    with contextlib.suppress(OSError):
        os.nice(niceness)
        if niceness == LOWEST and sys.platform == "linux":
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _own_memory() -> int:
    """Return the private memory of this process in bytes; 0 if unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        _, resident, shared = Path("/proc/self/statm").read_text(encoding="ascii").split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return 0
