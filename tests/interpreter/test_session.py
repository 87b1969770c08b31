"""A session tries scripts and steps from states of a payload, with the same answers from bindings and tools."""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.scripts import LOOP, NESTED_TOO_DEEP, PAYLOAD, UNROLL, doubling, sequence
from samples import some
from tdls import Attempt, Outcome, PayloadError, Session, State
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import BackendError
from tdls.interpreter.runs.model import Emit
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ANY = "!transform.any_op"
MATCH = f'%mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}'
TILE = f"%tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : ({ANY}) -> ({ANY}, {ANY})"
UNTILED = f'transform.annotate %mm "late" : {ANY}'
CRASH = f"""\
%split = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
%parts = transform.structured.split %split after 0 {{dimension = 1}} : {ANY}
"""
SCRIPT = sequence(f"{MATCH}\n{TILE}\n", "")


@pytest.fixture(scope="module", params=["bindings", "tool"])
def opened(request: pytest.FixtureRequest) -> Iterator[Session]:
    if request.param == "bindings":
        require_bindings()
    backend = "bindings:torch_mlir" if request.param == "bindings" else str(require_mlir_opt(22))
    with Session(PAYLOAD, backend=backend) as session:
        yield session


@pytest.fixture(scope="module")
def warm() -> Iterator[Session]:
    require_bindings()
    with Session(PAYLOAD, backend="bindings:torch_mlir") as session:
        yield session


def reached(attempt: Attempt) -> State:
    assert attempt.state is not None, (attempt.outcome, attempt.reason)
    return attempt.state


def test_states_branch(opened: Session) -> None:
    matched = reached(opened.run(MATCH))
    tiled, annotated = reached(matched.run(TILE)), reached(matched.run(f'transform.annotate %mm "mine" : {ANY}'))
    assert "scf.for" in tiled.payload
    assert (tiled.summary, matched.summary) == ("1 linalg.matmul in 2 for", "")
    assert "mine" not in tiled.payload
    assert "mine" in annotated.payload
    assert "scf.for" not in annotated.payload
    assert "scf.for" not in matched.payload
    assert (annotated.parent, matched.parent, opened.state.parent) == (matched, opened.state, None)


def test_live_handles_and_what_they_hold(opened: Session) -> None:
    state = reached(reached(opened.run(MATCH)).run(TILE))
    assert {name: handle.count for name, handle in state.handles.items()} == {"%root": 1, "%tiled": 1, "%loop": 1}
    assert state.operations == {
        "%root": ("builtin.module",),
        "%tiled": ("linalg.matmul",),
        "%loop": ("scf.for",),
    }


def test_handles_to_consumed_payload_are_not_live(opened: Session) -> None:
    """`%again` and `%value` are not consumed, but what they hold is: MLIR knows."""
    others = (
        f"{MATCH}\n{MATCH.replace('%mm', '%again')}\n"
        f"%value = transform.get_result %again[0] : ({ANY}) -> !transform.any_value\n"
        f"%count = transform.num_associations %again : ({ANY}) -> !transform.param<i64>"
    )
    matched = reached(opened.run(others))
    assert set(matched.handles) == {"%root", "%mm", "%again", "%value", "%count"}
    assert set(reached(matched.run(TILE)).handles) == {"%root", "%count", "%tiled", "%loop"}


def test_changes(opened: Session) -> None:
    matched = reached(opened.run(MATCH))
    assert (matched.changes().added, matched.changes().removed) == ((), ())
    tiled = reached(matched.run(TILE))
    assert any("scf.for" in tiled.changes().after[number] for number in tiled.changes().added)
    assert tiled.changes().added == tiled.changes(opened.state).added


ENDS = {
    "a handle that is stale": (f"{MATCH}\n{TILE}\n{UNTILED}", Outcome.DEFINITE, "invalidated"),
    "a failure that can be silenced": (
        f"{MATCH}\n%a, %b = transform.split_handle %mm : ({ANY}) -> ({ANY}, {ANY})",
        Outcome.SILENCEABLE,
        "expected to contain 2 payloads",
    ),
    "no such operation": ("transform.nope", Outcome.INVALID, "nope"),
    "no such value": (f'transform.annotate %x "y" : {ANY}', Outcome.INVALID, "undeclared"),
    "a crash": (CRASH, Outcome.CRASH, ""),
}


@pytest.mark.parametrize("name", ENDS)
def test_outcomes(name: str, opened: Session) -> None:
    text, outcome, words = ENDS[name]
    attempt = opened.run(text)
    assert attempt.outcome is outcome, attempt.diagnostics
    assert attempt.state is None
    assert words in attempt.reason
    assert opened.run(MATCH).succeeded


def test_a_failure_without_a_reason_is_explained(opened: Session) -> None:
    text = f"{MATCH}\ntransform.structured.vectorize %mm vector_sizes [4, 4, 4, 4] : {ANY}"
    assert opened.run(text).explanation == ""
    attempt = opened.run(text, explain=True)
    assert attempt.outcome is Outcome.SILENCEABLE
    assert "has 3 loops, but 4 sizes" in attempt.explanation


def test_time_is_limited(opened: Session) -> None:
    attempt = opened.run(doubling(60).replace(PAYLOAD, ""), seconds=1.0)
    assert attempt.outcome is Outcome.TIME_LIMIT
    assert "after 1 s" in attempt.reason
    assert opened.run(MATCH).succeeded


def test_memory_is_limited() -> None:
    require_bindings()
    with Session(LOOP, backend="bindings:torch_mlir", seconds=60, memory=100) as session:
        attempt = session.run(UNROLL.strip())
        assert attempt.outcome is Outcome.MEMORY_LIMIT
        assert session.run(f'transform.annotate %root "my.x" : {ANY}').succeeded


def test_only_the_new_text_is_reported(opened: Session) -> None:
    remark = f'transform.debug.emit_remark_at %mm, "@@" : {ANY}'
    print_it = f'transform.print %mm {{name = "@@"}} : {ANY}'
    first = opened.run("\n".join([MATCH, remark.replace("@@", "one"), print_it.replace("@@", "one")]))
    second = reached(first).run(f"{remark.replace('@@', 'two')}\n{print_it.replace('@@', 'two')}")
    for attempt, word, other in ((first, "one", "two"), (second, "two", "one")):
        assert [each.message for each in attempt.diagnostics] == [word]
        assert word in attempt.printed
        assert other not in attempt.printed


def test_diagnostics_name_the_text_and_the_line(opened: Session) -> None:
    state = reached(reached(opened.run(MATCH)).run(f"\n{TILE}"))
    attempt = state.run(f"\n\ntransform.print %mm : {ANY}")
    (error,) = attempt.diagnostics
    assert (error.file, error.line, error.column) == ("step 3", 3, 1)
    assert [(note.file, note.line) for note in error.notes[:2]] == [("step 1", 1), ("step 2", 2)]
    assert error.notes[2].file == "payload"


def test_scripts(opened: Session) -> None:
    annotated = reached(reached(opened.run(MATCH)).run(f'transform.annotate %mm "mine" : {ANY}'))
    tiled = reached(annotated.run(SCRIPT))
    assert set(tiled.handles) == {"%root"}
    assert "scf.for" in tiled.payload
    assert "mine" in tiled.payload
    assert reached(tiled.run(f'%l = transform.structured.match ops{{["scf.for"]}} in %root : ({ANY}) -> {ANY}'))
    failing = annotated.run(
        SCRIPT.replace(
            "transform.yield", f"%a, %b = transform.split_handle %loop : ({ANY}) -> ({ANY}, {ANY}) transform.yield"
        )
    )
    assert failing.outcome is Outcome.SILENCEABLE


def test_libraries(tmp_path: Path) -> None:
    library = tmp_path / "library.mlir"
    library.write_text(
        "module attributes {transform.with_named_sequence} {\n"
        f"  transform.named_sequence @mark(%x: {ANY} {{transform.readonly}}) {{\n"
        f'    transform.annotate %x "marked" : {ANY}\n    transform.yield\n  }}\n}}\n',
        encoding="utf-8",
    )
    require_bindings()
    with Session(PAYLOAD, libraries=[library], backend="bindings:torch_mlir") as session:
        call = f"transform.include @mark failures(propagate) (%mm) : ({ANY}) -> ()"
        assert "marked" in reached(session.run(f"{MATCH}\n{call}")).payload


@pytest.mark.parametrize("text", ["nope", "func.func @f() {", NESTED_TOO_DEEP], ids=["word", "unclosed", "crash"])
def test_payload_that_mlir_cannot_read(text: str) -> None:
    require_bindings()
    with pytest.raises(PayloadError, match=r"."):
        Session(text, backend="bindings:torch_mlir")


def test_payload_of_bytecode(tmp_path: Path) -> None:
    path, mlir_opt = tmp_path / "payload.mlirbc", str(require_mlir_opt(22))
    subprocess.run([mlir_opt, "--emit-bytecode", "-", "-o", str(path)], input=PAYLOAD, text=True, check=True)
    with Session(path, backend=mlir_opt) as session:
        assert reached(session.run(MATCH)).operations == {"%mm": ("linalg.matmul",), "%root": ("builtin.module",)}
    (request,) = plan(Script("script.mlir", SCRIPT, Catalogue.shipped()), None, RunOptions(payload=path))
    backend = open_backend(BackendChoice(mlir_opt))
    assert "scf.for" in backend.run(request).texts[Emit.PAYLOAD]
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(BackendError, match="cannot read it"):
        backend.run(request)


def test_no_mlir(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no such program"):
        Session(PAYLOAD, backend=str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError):
        Session(tmp_path / "absent.mlir")


def test_an_attempt_can_be_cancelled(opened: Session) -> None:
    for _ in range(20):  # it may end before it began
        timer = threading.Timer(1.0, opened.cancel)
        timer.start()
        attempt = opened.run(doubling(60).replace(PAYLOAD, ""), seconds=10)
        timer.join()
        if attempt.outcome is Outcome.CANCELLED:
            break
    assert attempt.outcome is Outcome.CANCELLED
    assert opened.run(MATCH).succeeded


_OPERATIONS: tuple[Callable[[int], str], ...] = (
    lambda n: f'%m{n} = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}',
    lambda n: f"%t{n}, %l{n} = transform.structured.tile_using_for %mm tile_sizes [2] : ({ANY}) -> ({ANY}, {ANY})",
    lambda n: f'transform.annotate %mm "a{n}" : {ANY}',
    lambda n: f"%p{n} = transform.get_parent_op %mm : ({ANY}) -> {ANY}",
    lambda _: f"transform.apply_cse to %root : {ANY}",
)


@given(st.lists(st.integers(0, len(_OPERATIONS) - 1), max_size=5))
def test_steps_one_by_one_are_the_steps_at_once(warm: Session, numbers: list[int]) -> None:
    texts = [MATCH, *(_OPERATIONS[number](place) for place, number in enumerate(numbers))]
    state: State | None = warm.state
    outcome = Outcome.SUCCESS
    for text in texts:
        attempt = state.run(text) if state is not None else None
        if attempt is None or attempt.state is None:
            outcome = attempt.outcome if attempt is not None else outcome
            state = None
            break
        state = attempt.state
    at_once = warm.run("\n".join(texts))
    assert at_once.outcome is outcome
    if state is not None and at_once.state is not None:
        assert state.payload == at_once.state.payload
        assert state.handles == at_once.state.handles


def test_many_attempts_leave_nothing(warm: Session) -> None:
    matched = reached(warm.run(MATCH))
    before = _resources()
    for number in range(some(1_000)):
        attempt = matched.run(CRASH if number % 50 == 7 else TILE)
        assert attempt.outcome is (Outcome.CRASH if number % 50 == 7 else Outcome.SUCCESS)
    processes, descriptors = _resources()
    assert processes <= before[0]
    assert descriptors <= before[1] + 2  # a garbage collection may be due


def _resources() -> tuple[int, int]:
    process = psutil.Process()
    return len(process.children(recursive=True)), process.num_fds() if psutil.POSIX else 0
