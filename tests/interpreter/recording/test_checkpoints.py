"""States that processes tell which stopped in the middle of a run are those of the run repeated as far as there."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from interpreter.scripts import LOOP, MATCH, PAYLOAD, QUICK, TILE, UNROLL, script_of, sequence
from interpreter.worker.faults import Fault, faults
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Limits, RunRequest, Status
from tdls.interpreter.recording import forks
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.recording.records import Wanted
from tdls.settings.model import BackendChoice
from tdls.structs import replace
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.interpreter.recording.backend import Backend
    from tdls.interpreter.recording.recording import Recording

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
ANY = "!transform.any_op"
KEEPING = Wanted(checkpoints=12)
STEPS = 24
"""Steps that change something, each of which is between two that do not."""
PRINTING = f"    transform.print %root : {ANY}\n"


@pytest.fixture
def own_bindings() -> Iterator[Backend]:
    """Bindings with a worker of their own."""
    require_bindings()
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    yield backend
    backend.close()


def many_steps(count: int = STEPS) -> str:
    functions = "".join(PAYLOAD.replace("@f(", f"@f{number}(") for number in range(count // 2))
    steps = "".join(
        f'    %m{number} = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}\n'
        f'    transform.annotate %m{number} "step{number}" : {ANY}\n{PRINTING}'
        for number in range(count)
    )
    return sequence(steps, functions)


def record(backend: Backend, text: str, wanted: Wanted, **wishes: object) -> Recording:
    return recorded(backend, replace(RunRequest(script_of(text), limits=QUICK), **wishes), wanted)


def state_of(recording: Recording, passing: int, backend: Backend) -> tuple[object, ...]:
    state = recording.state(passing, backend)
    handles = [(handle.name, handle.liveness, handle.contents, handle.is_current) for handle in state.handles]
    return state.text, handles


@pytest.fixture
def never_again(monkeypatch: pytest.MonkeyPatch) -> Callable[[Backend], Backend]:
    def forbid(backend: Backend) -> Backend:
        monkeypatch.setattr(type(backend), "record", lambda *_: pytest.fail("the run was repeated"))
        return backend

    return forbid


def test_states_are_those_of_a_repeated_run(bindings: Backend, never_again: Callable[[Backend], Backend]) -> None:
    text = many_steps()
    wanted = record(bindings, text, Wanted.every())
    plain = bindings.run(RunRequest(script_of(text), limits=QUICK))
    recording = record(bindings, text, KEEPING)
    assert (recording.result.status, recording.result.texts, recording.result.printed) == (
        plain.status,
        plain.texts,
        plain.printed,
    )
    assert recording.result.status is Status.SUCCESS
    assert len(recording.steps) == STEPS * 3
    assert [step.operation for step in recording.steps] == [step.operation for step in wanted.steps]
    never_again(bindings)
    for passing in sorted(range(len(recording.passings)), key=lambda number: number * 7 % len(recording.passings)):
        assert state_of(recording, passing, bindings) == state_of(wanted, passing, bindings), passing
    recording.close()


def test_states_fetched_ahead(bindings: Backend, never_again: Callable[[Backend], Backend]) -> None:
    text = many_steps()
    wanted = record(bindings, text, Wanted.every())
    recording = record(bindings, text, KEEPING)
    never_again(bindings)
    fetching = recording.fetch_ahead(5)
    assert fetching is not None
    assert fetching.wait(60)
    recording.close()
    assert recording.dropped == 0
    for passing in range(len(recording.passings)):
        assert state_of(recording, passing, bindings) == state_of(wanted, passing, bindings), passing


def test_requests_while_states_are_fetched(bindings: Backend) -> None:
    text = many_steps()
    wanted = record(bindings, text, Wanted.every())
    recording = record(bindings, text, KEEPING)
    recording.fetch_ahead(0)
    for passing in range(len(recording.passings) - 1, 0, -3):
        assert state_of(recording, passing, bindings) == state_of(wanted, passing, bindings)
    recording.close()


def test_the_state_before_a_failure(bindings: Backend, never_again: Callable[[Backend], Backend]) -> None:
    text = sequence(MATCH + TILE + f'    transform.annotate %matmul "x" : {ANY}\n')
    recording = record(bindings, text, KEEPING)
    never_again(bindings)
    assert recording.result.status is Status.FAILURE
    assert recording.failing is not None
    assert "scf.for" in (recording.state(recording.failing.before, bindings).text or "")
    recording.close()


def test_the_state_before_a_crash(bindings: Backend, never_again: Callable[[Backend], Backend]) -> None:
    crashes = (fault for fault in faults() if fault.expected == {Status.CRASH})
    crashing = next(fault for fault in crashes if "%root" in fault.script)
    recording = record(bindings, crashing.script, KEEPING, limits=crashing.limits)
    never_again(bindings)
    assert recording.result.status is Status.CRASH
    assert recording.failing is not None
    assert recording.state(recording.failing.before, bindings).text
    recording.close()


@pytest.mark.parametrize("fault", faults()[::5], ids=lambda fault: fault.name)
def test_the_state_before_any_bad_end(fault: Fault, bindings: Backend) -> None:
    recording = record(bindings, fault.script, KEEPING, limits=fault.limits)
    failing = recording.failing
    if failing is not None:
        assert recording.fetch(range(failing.before + 1))
        assert recording.text(failing.before)
    recording.close()


def test_the_state_before_the_time_was_up(bindings: Backend, never_again: Callable[[Backend], Backend]) -> None:
    recording = record(bindings, sequence(UNROLL, LOOP), KEEPING, limits=Limits(seconds=2.0))
    never_again(bindings)
    assert recording.result.status is Status.TIMEOUT
    assert recording.failing is not None
    assert "scf.for" in (recording.state(recording.failing.before, bindings).text or "")
    recording.close()


def test_without_checkpoints_the_run_is_repeated(own_bindings: Backend) -> None:
    recording = record(own_bindings, many_steps(), KEEPING)
    known = state_of(recording, 3, own_bindings)
    workers = psutil.Process().children()
    others = [process for process in psutil.Process().children(recursive=True) if process not in workers]
    assert others
    for process in others:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    again = record(own_bindings, many_steps(), Wanted())
    for passing in (3, 9, 12):
        assert state_of(recording, passing, own_bindings) == state_of(again, passing, own_bindings)
    assert state_of(recording, 3, own_bindings) == known
    recording.close()


def test_checkpoints_end_with_their_worker(own_bindings: Backend) -> None:
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    recording = record(own_bindings, many_steps(), KEEPING)
    processes = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    assert len(processes) >= 2
    own_bindings.cancel()
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
    assert recording.state(2, own_bindings).text
    recording.close()


def test_there_are_not_too_many(own_bindings: Backend) -> None:
    before = len(psutil.Process().children(recursive=True))
    recordings = [record(own_bindings, many_steps(60), KEEPING) for _ in range(3)]
    assert len(psutil.Process().children(recursive=True)) <= before + 1 + 3 * 12
    for recording in recordings:
        recording.close()
    deadline = time.monotonic() + 10
    while len(psutil.Process().children(recursive=True)) > before + 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(psutil.Process().children(recursive=True)) <= before + 1


def test_the_checkpoint_goes_without_which_the_gap_is_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[int] = []
    monkeypatch.setattr(os, "kill", lambda process, _signal: gone.append(process))
    monkeypatch.setattr(os, "waitpid", lambda process, _options: (process, 0))
    making = forks.Forks.__new__(forks.Forks)
    making._slots = [[-1, -1]] * 4
    making._kept = [forks._Checkpoint(slot, slot + 10, began) for slot, began in enumerate((0.0, 0.5, 0.6, 1.5))]
    assert making._free_slot() == 1
    assert gone == [11]
