"""A recorded run has steps, with the payload and the handles at each of them."""

from __future__ import annotations

import os
import tempfile
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from interpreter.mlir.worker.faults import Fault, faults
from interpreter.scripts import LOOP, MATCH, PAYLOAD, QUICK, TILE, UNROLL, script_of, sequence
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.interpreter.observing.records import Liveness, Wanted
from tdls.interpreter.observing.steps import Step, StepEnd
from tdls.interpreter.recording.recording import Recording, State, recorded
from tdls.interpreter.runs.model import Emit, Limits, RunRequest, Status, TextFile
from tdls.settings.model import BackendChoice
from tdls.structs import replace
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tdls.interpreter.backend import Backend

ANY = "!transform.any_op"
HELPER = f"""\
  transform.named_sequence private @helper(%x: {ANY} {{transform.readonly}}) {{
    transform.annotate %x "second" : {ANY}
    transform.yield
  }}
"""
EACH = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "first" : {ANY}
      transform.include @helper failures(propagate) (%each) : ({ANY}) -> ()
    }}
    transform.include @helper failures(propagate) (%all) : ({ANY}) -> ()
"""
CONSTANTS = """\
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    return
  }
"""
TILING = sequence(MATCH + TILE)
LOOPING = sequence(EACH, CONSTANTS + HELPER)
SILENCED = f"""\
    %func = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    transform.alternatives %func : {ANY} {{
    ^bb0(%first: {ANY}):
      %a, %b = transform.split_handle %first : ({ANY}) -> ({ANY}, {ANY})
      transform.annotate %a "never" : {ANY}
    }}, {{
    ^bb0(%second: {ANY}):
      transform.annotate %second "then" : {ANY}
    }}
    transform.annotate %root "my.after" : {ANY}
"""
ALIASES = f"""\
    %again = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %func = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    %value = transform.get_result %again[0] : ({ANY}) -> !transform.any_value
    %count = transform.num_associations %func : ({ANY}) -> !transform.param<i64>
"""
USE_AFTER_FREE = sequence(MATCH + TILE + f'    transform.annotate %matmul "x" : {ANY}\n')


def record(backend: Backend, text: str, wanted: Wanted | None = None, **wishes: object) -> Recording:
    return recorded(backend, replace(RunRequest(script_of(text), limits=QUICK), **wishes), wanted)


def shown(step: Step) -> tuple[str, int, int, str]:
    return step.operation.removeprefix("transform."), step.depth, step.iteration, step.ended.value


def liveness(state: State) -> dict[str, Liveness]:
    return {handle.name: handle.liveness for handle in state.handles}


def after(recording: Recording, step: Step, backend: Backend) -> State:
    assert step.after is not None
    return recording.state(step.after, backend)


def test_steps_of_bodies_and_calls(backend: Backend) -> None:
    recording = record(backend, LOOPING)
    assert [shown(step) for step in recording.steps] == [
        ("structured.match", 0, 1, "completed"),
        ("foreach", 0, 1, "completed"),
        ("annotate", 1, 1, "completed"),
        ("include", 1, 1, "completed"),
        ("annotate", 2, 1, "completed"),
        ("annotate", 1, 2, "completed"),
        ("include", 1, 2, "completed"),
        ("annotate", 2, 1, "completed"),
        ("include", 0, 1, "completed"),
        ("annotate", 1, 1, "completed"),
    ]
    assert recording.result.status is Status.SUCCESS
    last = recording.steps[7]
    assert [around.number for around in last.path] == [2, 7]
    assert last.execution == 2
    assert recording.source(last)[last.start : last.end] == "transform.annotate"
    assert recording.place(last).line == LOOPING[: LOOPING.index('"second"')].count("\n") + 1


def test_each_iteration_has_its_state(backend: Backend) -> None:
    recording = record(backend, LOOPING)
    marks = []
    for step in recording.steps[2:8]:
        text = after(recording, step, backend).text or ""
        marks.append((text.count("first"), text.count("second")))
    assert marks == [(1, 0), (1, 1), (1, 1), (2, 1), (2, 2), (2, 2)]
    before = recording.state(recording.steps[2].before, backend).text
    assert before is not None
    assert "first" not in before


@pytest.mark.parametrize("wanted", [Wanted(), Wanted.every()], ids=["asked later", "all at once"])
def test_states_are_those_of_runs_that_stop_there(wanted: Wanted, backend: Backend) -> None:
    text = sequence(MATCH + TILE + f"    transform.loop.unroll %loop {{factor = 2}} : {ANY}\n")
    recording = record(backend, text, wanted)
    for step in recording.steps:
        request = replace(recording.request, until=step.start)
        assert after(recording, step, backend).text == backend.run(request).texts[Emit.PAYLOAD]
    assert after(recording, recording.steps[-1], backend).text == recording.result.texts[Emit.PAYLOAD]


def test_handles_to_consumed_payload_are_stale(backend: Backend) -> None:
    recording = record(backend, sequence(MATCH + ALIASES + TILE))
    before, tile = recording.steps[-2], recording.steps[-1]
    assert set(liveness(after(recording, before, backend)).values()) == {Liveness.LIVE}
    state = after(recording, tile, backend)
    stale = {handle.name: handle.since for handle in state.handles if handle.liveness is Liveness.STALE}
    assert stale == {"%matmul": tile, "%again": tile, "%value": tile}
    assert liveness(state)["%func"] is Liveness.LIVE
    contents = {handle.name: handle.contents for handle in state.handles}
    assert contents["%matmul"] is None
    assert contents["%count"] is not None
    assert contents["%count"].names == {"1 : i64": 1}
    assert contents["%loop"] is not None
    assert contents["%loop"].names == {"scf.for": 1}
    assert {handle.name: handle.defined for handle in state.handles}["%loop"] is tile


def test_results_of_steps(backend: Backend) -> None:
    recording = record(backend, TILING)
    found = [(new.name, new.contents and new.contents.names) for new in recording.results(recording.steps[1])]
    assert found == [("%tiled", {"linalg.matmul": 1}), ("%loop", {"scf.for": 1})]


def test_outside_of_a_callee_there_are_other_handles(backend: Backend) -> None:
    recording = record(backend, LOOPING)
    inner = recording.steps[4]
    assert set(liveness(recording.state(inner.before, backend))) == {"%x"}
    call = inner.parent
    assert call is not None
    assert set(liveness(recording.state(call.before, backend))) == {"%root", "%all", "%each"}


def test_failure(backend: Backend) -> None:
    recording = record(backend, USE_AFTER_FREE)
    failing = recording.failing
    assert recording.result.status is Status.FAILURE
    assert failing is not None
    assert (failing.operation, failing.ended, failing.number) == ("transform.annotate", StepEnd.UNFINISHED, 3)
    assert recording.place(failing).line == recording.result.diagnostics[0].line
    state = recording.state(failing.before, backend)
    assert state.text == after(recording, recording.steps[1], backend).text
    assert liveness(state)["%matmul"] is Liveness.STALE


def test_silenced_failure(backend: Backend) -> None:
    recording = record(backend, sequence(SILENCED))
    assert [(step.operation, step.region, step.ended) for step in recording.steps] == [
        ("transform.structured.match", 0, StepEnd.COMPLETED),
        ("transform.alternatives", 0, StepEnd.COMPLETED),
        ("transform.split_handle", 0, StepEnd.ABANDONED),
        ("transform.annotate", 1, StepEnd.COMPLETED),
        ("transform.annotate", 0, StepEnd.COMPLETED),
    ]
    assert recording.failing is None


def test_time_is_up(bindings: Backend) -> None:
    text = sequence(UNROLL, LOOP)
    recording = record(bindings, text, limits=Limits(seconds=2.0))
    assert recording.result.status is Status.TIMEOUT
    assert recording.failing is not None
    assert recording.failing.operation == "transform.loop.unroll"
    assert "scf.for" in (recording.state(recording.failing.before, bindings).text or "")


def test_payload_and_libraries_of_their_own(backend: Backend) -> None:
    call = f"    transform.include @helper failures(propagate) (%loop) : ({ANY}) -> ()\n"
    declaration = f"  transform.named_sequence private @helper({ANY} {{transform.readonly}})\n"
    request = RunRequest(
        script_of(sequence(MATCH + TILE + call, declaration)),
        payload=TextFile("payload.mlir", f"module {{\n{PAYLOAD}}}\n"),
        libraries=(script_of(sequence("", HELPER.replace("private ", "")).replace("__transform_main", "x"), "l.mlir"),),
        limits=QUICK,
    )
    recording = recorded(backend, request)
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    assert [(step.file, step.depth) for step in recording.steps] == [
        ("script.mlir", 0),
        ("script.mlir", 0),
        ("script.mlir", 0),
        ("l.mlir", 1),
    ]
    assert after(recording, recording.steps[3], backend).text == recording.result.texts[Emit.PAYLOAD]


def test_nothing_runs(backend: Backend) -> None:
    recording = record(backend, "module {\n  transform.nope\n}\n")
    assert recording.result.status is Status.INVALID
    assert recording.steps == ()
    assert recording.failing is None


def test_scripts_that_match_inserted_operations_are_unobserved(bindings: Backend) -> None:
    """A script that matches all operations matches the inserted ones, so that its run is no record of the plain one."""
    text = sequence(f"    %all = transform.structured.match in %root : ({ANY}) -> {ANY}\n")
    plain = bindings.run(RunRequest(script_of(text), limits=QUICK))
    recording = record(bindings, text)
    assert (recording.result.status, recording.result.texts) == (plain.status, plain.texts)
    assert bool(recording.result.unobserved) == (recording.steps == ())


def test_the_reason_why_a_run_is_not_observed(backend: Backend) -> None:
    """The script counts all operations, its own among them: with more operations inserted it fails."""
    handles = ", ".join([ANY] * 6)
    text = sequence(
        f"    %all = transform.structured.match in %root : ({ANY}) -> {ANY}\n"
        f"    %1:6 = transform.split_handle %all : ({ANY}) -> ({handles})\n",
        "  func.func private @f()\n",
    )
    request = RunRequest(script_of(text), limits=QUICK, observe=True)
    result = backend.run(request)
    recording = record(backend, text)
    assert (result.status, recording.result.status) == (Status.SUCCESS, Status.SUCCESS)
    assert (result.handles, recording.steps) == ((), ())
    for reason in (result.unobserved, recording.result.unobserved):
        assert "acts on transform operations" in reason or "observed run ended otherwise (failure: " in reason


def test_times_are_of_steps_alone(bindings: Backend) -> None:
    recording = record(bindings, LOOPING, Wanted.every())
    seconds = [step.seconds for step in recording.steps]
    assert all(second is not None and second >= 0 for second in seconds)
    inside = [step.seconds or 0.0 for step in recording.steps if step.depth == 1 and step.number < 9]
    assert sum(inside) <= (seconds[1] or 0.0)


def test_many_recordings_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_bindings()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    record(backend, TILING)
    processes, descriptors = set(psutil.Process().children(recursive=True)), _open_files()
    for number in range(some(100)):
        recording = record(backend, TILING, (None, Wanted.every())[number % 2])
        recording.state(1, backend)
    _wait_until(lambda: set(psutil.Process().children(recursive=True)) <= processes)
    assert set(psutil.Process().children(recursive=True)) <= processes
    assert _open_files() <= descriptors
    backend.close()
    assert list(tmp_path.iterdir()) == []


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert is_so()


def _open_files() -> int:
    return psutil.Process().num_fds() if os.name == "posix" else 0


@pytest.mark.parametrize("fault", faults()[::6], ids=lambda fault: fault.name)
def test_steps_before_the_end_are_reported(fault: Fault, bindings: Backend) -> None:
    recording = record(bindings, fault.script, Wanted.every(), limits=fault.limits)
    assert recording.result.status in fault.expected | {Status.TIMEOUT}
    if recording.passings and recording.result.executing:
        failing = recording.failing
        assert failing is not None
        assert recording.place(failing) == recording.result.executing[0]
        assert recording.known_state(failing.before) is not None


def test_crash_and_the_state_before_it(bindings: Backend) -> None:
    crashes = (fault for fault in faults() if fault.expected == {Status.CRASH})
    crashing = next(fault for fault in crashes if "%root" in fault.script)
    recording = record(bindings, crashing.script, limits=crashing.limits)
    failing = recording.failing
    assert recording.result.status is Status.CRASH
    assert failing is not None
    assert recording.state(failing.before, bindings).text
