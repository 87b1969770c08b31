"""A run that goes as far as a place in the script gives the payload as it is then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, PAYLOAD, QUICK, TILE, run, script_of, sequence
from oracle.run_agreement import request_of
from oracle.run_corpus.scripts import Script, scripts
from samples import every
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit, RunRequest, Status
from tdls.structs import replace

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

ALL = frozenset(Emit)
ANY = "!transform.any_op"
UNROLL = f"    transform.loop.unroll %loop {{factor = 2}} : {ANY}\n"
EACH = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "first" : {ANY}
      transform.annotate %each "second" : {ANY}
    }}
    transform.annotate %all "third" : {ANY}
"""
PATTERNS = f"""\
    %func = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    transform.apply_patterns to %func {{
      transform.apply_patterns.canonicalization
      transform.apply_patterns.linalg.tiling_canonicalization
    }} : {ANY}
"""
CONSTANTS = """\
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    return
  }
"""


@pytest.mark.parametrize(
    ("last", "done"), [("%matmul", MATCH), ("%tiled", MATCH + TILE), ("transform.loop", MATCH + TILE + UNROLL)]
)
def test_each_step(last: str, done: str, backend: Backend) -> None:
    text = sequence(MATCH + TILE + UNROLL)
    stopped = run(backend, text, until=text.index(last), emits=ALL)
    whole = run(backend, sequence(done), emits=ALL)
    assert stopped.status is Status.SUCCESS
    assert stopped.texts[Emit.PAYLOAD] == whole.texts[Emit.PAYLOAD]
    assert stopped.texts[Emit.BEFORE] == whole.texts[Emit.BEFORE]
    assert "tdls" not in stopped.texts[Emit.MODULE]
    assert stopped.diagnostics == ()


@pytest.mark.parametrize(
    ("place", "marks"),
    [
        ("transform.foreach", {"first": 2, "second": 2, "third": 0}),
        ('transform.annotate %each "first"', {"first": 1, "second": 0, "third": 0}),
        ("^bb0", {"first": 1, "second": 0, "third": 0}),
        ('"second"', {"first": 1, "second": 1, "third": 0}),
        ('"third"', {"first": 2, "second": 2, "third": 2}),
        ("transform.yield", {"first": 2, "second": 2, "third": 2}),
        ("transform.named_sequence", {"first": 2, "second": 2, "third": 2}),
    ],
)
def test_inside_of_regions(place: str, marks: dict[str, int], backend: Backend) -> None:
    text = sequence(EACH, CONSTANTS)
    result = run(backend, text, until=text.index(place))
    assert result.status is Status.SUCCESS, result.diagnostics
    assert {mark: result.texts[Emit.PAYLOAD].count(mark) for mark in marks} == marks


@pytest.mark.parametrize("script", scripts()[7 :: every(60)], ids=lambda script: script.name)
def test_as_far_as_the_end(script: Script, backend: Backend) -> None:
    request = request_of(script, *Emit)
    place = script.text.rindex("named_sequence", 0, script.text.index(f"@{script.entry_point}"))
    plain, stopped = backend.run(request), backend.run(replace(request, until=place))
    assert replace(stopped, seconds=0.0) == replace(plain, seconds=0.0)


@pytest.mark.parametrize(("around", "is_done"), [("transform.sequence", True), ("transform.alternatives", False)])
def test_inside_of_operations_at_the_top(around: str, is_done: bool, backend: Backend) -> None:
    """Alternatives work on copies, until one of them succeeds."""
    propagation = " failures(propagate)" if around.endswith("sequence") else ""
    mark = f'      transform.annotate %inner "first" : {ANY}\n'
    block = f"    ^bb0(%inner: {ANY}):\n{mark}{mark.replace('first', 'second')}    }}\n"
    head = f'    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'
    text = sequence(f"{head}    {around} %f : {ANY}{propagation} {{\n{block}", CONSTANTS)
    result = run(backend, text, until=text.index('"first"'), emits=ALL)
    assert result.status is Status.SUCCESS, result.diagnostics
    assert ("first" in result.texts[Emit.PAYLOAD]) is is_done
    assert "second" not in result.texts[Emit.PAYLOAD]
    assert result.texts[Emit.MODULE].count("transform.annotate") + result.texts[Emit.MODULE].count(" annotate") == 2
    assert "tdls" not in result.texts[Emit.MODULE]


def test_later_operations_do_not_count(backend: Backend) -> None:
    text = sequence(MATCH + TILE + f"    transform.print %matmul : {ANY}\n")
    result = run(backend, text, until=text.index("%tiled"))
    assert (result.status, result.diagnostics, result.printed) == (Status.SUCCESS, (), "")


def test_failure_before(backend: Backend) -> None:
    text = sequence(MATCH + f"    transform.loop.unroll %matmul {{factor = 2}} : {ANY}\n" + TILE)
    result = run(backend, text, until=text.index("%tiled"))
    assert (result.status, result.texts) == (Status.FAILURE, {})
    assert result.diagnostics == run(backend, text).diagnostics


def test_place_that_is_not_reached(backend: Backend) -> None:
    text = sequence(EACH.replace("arith.constant", "linalg.copy", 1), CONSTANTS)
    result = run(backend, text, until=text.index('"first"'))
    assert (result.status, result.texts) == (Status.FAILURE, {})
    assert (result.diagnostics[0].file, result.diagnostics[0].line) == (
        "script.mlir",
        text[: text.index('"first"')].count("\n") + 1,
    )


def test_place_outside_of_scripts(backend: Backend) -> None:
    result = run(backend, sequence(MATCH), until=0)
    assert (result.status, len(result.diagnostics)) == (Status.FAILURE, 1)


def test_patterns_belong_to_the_operation_around_them(backend: Backend) -> None:
    text = sequence(MATCH + TILE + PATTERNS)
    result = run(backend, text, until=text.index("transform.apply_patterns.linalg"))
    assert result.texts == run(backend, text, until=text.index("transform.apply_patterns to")).texts


def test_observed(backend: Backend) -> None:
    text = sequence(MATCH + TILE)
    result = run(backend, text, until=text.index("%matmul"), observe=True)
    assert [handle.executions for handle in result.handles] == [1, 1, 0, 0]
    assert len(result.origins) == result.texts[Emit.PAYLOAD].count("\n")


UNKNOWN = f'    transform.npu.map %tiled {{depth = 2}} : {ANY}\n    transform.annotate %tiled "after" : {ANY}\n'
OF_UNKNOWN_TYPE = f"    %npu = transform.cast %tiled : {ANY} to !transform.npu.handle\n"
HELPER = (
    f"  transform.named_sequence @helper(%x: {ANY} {{transform.readonly}}) {{\n    transform.npu.map %x : {ANY}\n  }}\n"
)
INCLUDES = f"    transform.include @helper failures(propagate) (%tiled) : ({ANY}) -> ()\n"


@pytest.mark.parametrize(
    ("rest", "first", "name"),
    [
        (UNKNOWN, "npu.map", "transform.npu.map"),
        (OF_UNKNOWN_TYPE + UNKNOWN, "cast", "npu.handle"),
        (INCLUDES + UNKNOWN, "include", "transform.npu.map"),
        (f"    transform.foreach %tiled : {ANY} {{\n    ^bb0(%x: {ANY}):\n  {UNKNOWN}    }}\n", "foreach", "npu.map"),
    ],
)
def test_up_to_what_mlir_does_not_have(rest: str, first: str, name: str, backend: Backend) -> None:
    text = sequence(MATCH + TILE + rest, HELPER + PAYLOAD)
    request = RunRequest(script_of(text), emits=ALL, limits=QUICK, ends_at_unknown=True)
    shorter, recording = backend.run(request), recorded(backend, request, Wanted.every())
    assert (shorter.status, shorter.is_partial, recording.result.is_partial) == (Status.SUCCESS, True, True)
    assert shorter.texts[Emit.PAYLOAD] == run(backend, sequence(MATCH + TILE), emits=ALL).texts[Emit.PAYLOAD]
    for warning in (shorter.diagnostics[-1], recording.result.diagnostics[-1]):
        line = text.splitlines()[warning.line - 1]
        assert line[warning.column - 1 :].startswith(f"transform.{first}")
        assert name in warning.message
    assert len(recording.steps) == 2
    assert recording.text(len(recording.passings) - 1) == shorter.texts[Emit.PAYLOAD]


@pytest.mark.parametrize(
    "text", [sequence(MATCH, PAYLOAD + "  npu.payload\n"), sequence(MATCH + "    transform.annotate %none\n")]
)
def test_what_is_not_about_a_step_is_reported(text: str, backend: Backend) -> None:
    result = run(backend, text, ends_at_unknown=True)
    assert (result.status, result.is_partial) == (Status.INVALID, False)
