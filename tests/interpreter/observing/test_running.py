"""The operations in execution when a run was ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.observing.crashing_setup import NAME
from interpreter.scripts import (
    LONGER_AND_LONGER,
    LOOP,
    MATCH,
    NESTED_TOO_DEEP,
    PAYLOAD,
    TILE,
    UNROLL,
    doubling,
    run,
    script_of,
    sequence,
)
from tdls.interpreter.backend import open_backend
from tdls.interpreter.mlir.tool import Tool
from tdls.interpreter.mlir.worker.worker_process import WorkerProcess
from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.observing.records import Passing
from tdls.interpreter.observing.steps import with_executing
from tdls.interpreter.runs.model import Emit, Limits, RunResult, Status
from tdls.settings.model import BackendChoice, SetupStep
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.mlir.tool import Done

ANY = "!transform.any_op"
CRASH = f'    "{NAME}"() : () -> ()\n'
_CALL = f"    transform.include @called failures(propagate) (%root) : ({ANY}) -> ()\n"
_CALLED = f"  transform.named_sequence @called(%c: {ANY} {{transform.readonly}}) {{\n@@    transform.yield\n  }}\n"
_EACH = f"""\
    %all = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "first" : {ANY}
      transform.annotate %each "second" : {ANY}
    }}
    transform.annotate %all "third" : {ANY}
"""
FAILS = f"""\
    %functions = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    %one:5 = transform.split_handle %functions : ({ANY}) -> ({ANY}, {ANY}, {ANY}, {ANY}, {ANY})
"""
CALLING = sequence(_EACH + _CALL, _CALLED.replace("@@", f"    transform.print %c : {ANY}\n"))
CRASHING = {
    "straight": sequence(MATCH + CRASH + TILE),
    "callee": sequence(_CALL, _CALLED.replace("@@", CRASH)),
    "body": sequence(
        _EACH.replace('      transform.annotate %each "second"', CRASH + '      transform.annotate %each "second"')
    ),
    "behind body": sequence(_EACH + CRASH),
}


@pytest.fixture(scope="module")
def broken() -> Iterator[Backend]:
    require_bindings()
    setup = SetupStep(Path(__file__).parent, "crashing_setup:register")
    backend = open_backend(BackendChoice("bindings:torch_mlir", setup=(setup,)))
    yield backend
    backend.close()


@pytest.mark.parametrize("observe", [False, True])
@pytest.mark.parametrize("name", ["straight", "callee", "body", "behind body"])
def test_crash(name: str, broken: Backend, observe: bool) -> None:
    text = CRASHING[name]
    result = run(broken, text, observe=observe)
    assert result.status is Status.CRASH, result.diagnostics
    assert result.executing
    assert result.executing[0].line == text[: text.index(NAME)].count("\n") + 1
    assert bool(result.handles) is observe


@pytest.mark.parametrize("observe", [False, True])
def test_crash_of_a_tool(tool: Backend, observe: bool) -> None:
    text = sequence(MATCH + TILE + f"    transform.print %matmul : {ANY}\n")
    result = run(tool, text, options=(("disable-expensive-checks", "true"),), observe=observe)
    assert (result.status, result.diagnostics) == (Status.CRASH, ())
    assert result.executing
    assert result.executing[0].line == text[: text.index("transform.print")].count("\n") + 1
    assert [handle.executions for handle in result.handles] == ([1, 1, 1, 1] if observe else [])


def test_diagnostics_before_a_crash(broken: Backend) -> None:
    remark = f'    transform.debug.emit_remark_at %matmul, "before" : {ANY}\n'
    result = run(broken, sequence(MATCH + remark + CRASH + remark))
    assert result.status is Status.CRASH
    assert [diagnostic.message for diagnostic in result.diagnostics] == ["before"]


def test_diagnostics_before_a_time_limit(bindings: Backend) -> None:
    call = "    transform.include @s60"
    remark = f'    transform.debug.emit_remark_at %root, "before" : {ANY}\n'
    result = run(bindings, doubling(60).replace(call, remark + call), limits=Limits(seconds=3))
    assert result.status is Status.TIMEOUT
    assert [diagnostic.message for diagnostic in result.diagnostics] == ["before"]


def test_handles_before_a_crash(broken: Backend) -> None:
    result = run(broken, CRASHING["straight"], observe=True)
    assert [handle.executions for handle in result.handles] == [1, 1, 0, 0]


@pytest.mark.parametrize("observe", [False, True])
def test_out_of_memory(backend: Backend, observe: bool) -> None:
    text = sequence(UNROLL, LOOP)
    result = run(backend, text, limits=Limits(seconds=90, memory=200 << 20), observe=observe)
    assert result.status is Status.OUT_OF_MEMORY
    assert result.executing
    assert text.splitlines()[result.executing[0].line - 1].strip().startswith("transform.loop.unroll")


@pytest.mark.parametrize("observe", [False, True])
def test_timeout(backend: Backend, observe: bool) -> None:
    text = doubling(60)
    for seconds in LONGER_AND_LONGER:
        result = run(backend, text, limits=Limits(seconds=seconds), observe=observe)
        assert result.status is Status.TIMEOUT
        if result.executing:
            break
    assert result.executing
    assert "include" in text.splitlines()[result.executing[0].line - 1]


@pytest.mark.parametrize(
    ("passed", "line"),
    [
        (["main"], "%all ="),
        (["main", "%all", "^bb0"], 'annotate %each "first"'),
        (["main", "%all", "^bb0", "first", "second"], "foreach"),
        (["main", "%all", "^bb0", "first", "second", "^bb0"], 'annotate %each "first"'),
        (["main", "%all", "^bb0", "first", "second", "}\n    transform"], 'annotate %all "third"'),
        (["main", "%all", "^bb0", "}\n    transform"], 'annotate %all "third"'),
        (["main", "%all", "^bb0", "first", "second", "}\n    transform", "third", "called"], "print"),
        (["main", "%all", "^bb0", "}\n    transform", "third", "called", "print"], "include"),
        (["main", "include"], None),
    ],
)
def test_trail(passed: list[str], line: str | None) -> None:
    """`passed` are points, by the text before them on their line."""
    points = steps_of(script_of(CALLING))
    offsets = [point.offset for point in points]
    passings = [
        Passing(next(at for at, offset in enumerate(offsets) if offset > CALLING.index(mark))) for mark in passed
    ]
    places = with_executing(RunResult(Status.FAILURE, "", ""), points, passings).executing
    assert bool(places) is (line is not None)
    assert line is None or line in CALLING.splitlines()[places[0].line - 1]


FAILING = sequence(
    _CALL,
    PAYLOAD
    + _CALLED.replace(
        "@@",
        f"""\
    %all = transform.structured.match ops{{["linalg.matmul"]}} in %c : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.structured.vectorize %each vector_sizes [4, 4, 4, 4] : {ANY}
    }}
""",
    ),
)
_SILENCED = f"""\
    %matmul = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    transform.sequence %matmul : {ANY} failures(suppress) {{
    ^bb0(%inner: {ANY}):
      transform.structured.vectorize %inner vector_sizes [4, 4, 4, 4] : {ANY}
    }}
"""


@pytest.mark.parametrize("observe", [False, True])
def test_failure(backend: Backend, observe: bool) -> None:
    """The operation that failed, then the loop and the call around its execution."""
    result = run(backend, FAILING, observe=observe)
    assert result.status is Status.FAILURE, result.diagnostics
    lines = [FAILING.splitlines()[place.line - 1].split()[0] for place in result.executing]
    assert lines == ["transform.structured.vectorize", "transform.foreach", "transform.include"]


def test_silenced_failures_are_not_the_cause(backend: Backend) -> None:
    text = sequence(_SILENCED + FAILS)
    result = run(backend, text)
    assert result.status is Status.FAILURE, result.diagnostics
    assert [text.splitlines()[place.line - 1].split()[2] for place in result.executing] == ["transform.split_handle"]


def test_nothing_is_executed_where_there_is_no_entry_point(backend: Backend) -> None:
    result = run(backend, sequence(MATCH), entry_point="absent")
    assert (result.status, result.executing) == (Status.FAILURE, ())


def test_crash_while_reading(backend: Backend) -> None:
    assert run(backend, NESTED_TOO_DEEP).executing == ()


def test_success(backend: Backend) -> None:
    assert run(backend, sequence(MATCH), observe=True).executing == ()


@pytest.mark.parametrize(
    "wishes", [{}, {"until": 0}, {"emits": frozenset({Emit.MODULE, Emit.BEFORE})}, {"observe": True}]
)
def test_a_run_takes_the_time_that_it_has_once(
    backend: Backend, wishes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs that only observe another one get a few seconds if that one took all of its time."""
    text = doubling(60)
    if "until" in wishes:
        wishes = {"until": text.rindex("transform.yield")}
    run(backend, sequence(MATCH))
    given: list[float] = []
    carried_out, waited = WorkerProcess.ask, Tool._run

    def ask(worker: WorkerProcess, message: dict[str, Any], *wishes: Any) -> Any:
        given.append(message["seconds"])
        return carried_out(worker, message, *wishes)

    def wait(tool: Tool, arguments: Sequence[str], limits: Limits) -> Done:
        given.append(limits.left)
        return waited(tool, arguments, limits)

    monkeypatch.setattr(WorkerProcess, "ask", ask)
    monkeypatch.setattr(Tool, "_run", wait)
    for seconds in (0.6, *LONGER_AND_LONGER):
        given.clear()
        result = run(backend, text, limits=Limits(seconds=seconds), **wishes)
        assert result.status is Status.TIMEOUT
        assert result.detail.startswith(f"it was still running after {seconds:g} s")
        if sum(given) > 0:  # a busy machine may take all of a short time to start the run
            break
    assert 0 < sum(given) <= seconds + min(seconds, 5.0)
