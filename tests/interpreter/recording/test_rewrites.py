"""The passes and patterns of a step, from MLIR's log of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.scripts import QUICK, script_of
from tdls.ide.runs.rewrites import rewrite_lines
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import RunRequest, Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.recording.recording import Recording

ANY = "!transform.any_op"
FUNCTIONS = f'    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'
CANONICALIZE = f"""\
    transform.apply_patterns to %f {{
      transform.apply_patterns.canonicalization
    }} : {ANY}
"""
SUMS = """\
  func.func @sums(%i: index) -> index {
    %c3 = arith.constant 3 : index
    %a = arith.addi %i, %c3 : index
    %b = arith.addi %a, %c3 : index
    return %b : index
  }
"""
CASTS = """\
  func.func @casts(%t: tensor<4xf32>) -> tensor<?xf32> {
    %a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %b = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
    %c = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
    return %c : tensor<?xf32>
  }
"""
BACK_AND_FORTH = """\
  func.func @f(%t: tensor<4x?xf32>) -> tensor<4x?xf32> {
    %a = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
    %b = tensor.cast %a : tensor<?x?xf32> to tensor<4x?xf32>
    return %b : tensor<4x?xf32>
  }
"""


def text_of(payload: str, body: str) -> str:
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{payload}"
        f"  transform.named_sequence @__transform_main(%root: {ANY}) {{\n{body}    transform.yield\n  }}\n}}\n"
    )


def record(backend: Backend, text: str) -> Recording:
    return recorded(backend, RunRequest(script_of(text), limits=QUICK), Wanted.every())


def lines(recording: Recording, number: int) -> list[str]:
    return list(rewrite_lines(recording, recording.steps[number - 1]))


def test_pattern_that_stops_the_attempts_fired(tool: Backend) -> None:
    recording = record(tool, text_of(SUMS, FUNCTIONS + CANONICALIZE))
    assert lines(recording, 1) == []
    assert lines(recording, 2) == ["AddIAddConstant fired: arith.addi (5:10)", "5 more patterns were tried"]


def test_last_pattern_for_an_operation_that_is_gone_may_have_fired(tool: Backend) -> None:
    recording = record(tool, text_of(BACK_AND_FORTH, FUNCTIONS + CANONICALIZE))
    assert lines(recording, 2)[0] == "ChainedTensorCast perhaps fired: tensor.cast (4:10)"


def test_pattern_with_more_behind_it_fired(tool: Backend) -> None:
    """Casts that remain show that there are more patterns for them."""
    recording = record(tool, text_of(CASTS, FUNCTIONS + CANONICALIZE))
    assert lines(recording, 2)[0] == "ChainedTensorCast fired 2 times: tensor.cast (4:10), tensor.cast (5:10)"


def test_idle_step(tool: Backend) -> None:
    recording = record(tool, text_of(SUMS, FUNCTIONS + CANONICALIZE * 2))
    assert lines(recording, 3) == ["6 patterns were tried"]


def test_iterations_of_a_loop(tool: Backend) -> None:
    """Each execution has its own patterns."""
    each = f"    transform.foreach %f : {ANY} {{\n    ^bb0(%g: {ANY}):\n{CANONICALIZE.replace('%f', '%g')}    }}\n"
    recording = record(tool, text_of(CASTS + SUMS, FUNCTIONS + each))
    assert [step.operation for step in recording.steps[1:]] == ["transform.foreach", *["transform.apply_patterns"] * 2]
    assert not lines(recording, 2)
    assert any("ChainedTensorCast" in line for line in lines(recording, 3))
    assert any("AddIAddConstant" in line for line in lines(recording, 4))


def test_pass(tool: Backend) -> None:
    body = f'    %g = transform.apply_registered_pass "canonicalize" to %f : ({ANY}) -> {ANY}\n'
    recording = record(tool, text_of(SUMS, FUNCTIONS + body))
    assert lines(recording, 2)[:2] == [
        "pass Canonicalizer on func.func (2:3)",
        "AddIAddConstant fired: arith.addi (5:10)",
    ]


def test_failed_run(tool: Backend) -> None:
    fails = f'    %no = transform.get_parent_op %f {{op_name = "scf.for"}} : ({ANY}) -> {ANY}\n'
    recording = record(tool, text_of(SUMS, FUNCTIONS + CANONICALIZE + fails))
    assert recording.result.status is Status.FAILURE
    assert any("AddIAddConstant" in line for line in lines(recording, 2))


def test_reason_why_they_are_not_known(bindings: Backend) -> None:
    assert "bindings" in record(bindings, text_of(SUMS, FUNCTIONS + CANONICALIZE)).rewrites.unknown
    assert not record(bindings, text_of(SUMS, FUNCTIONS)).rewrites.unknown


def test_a_step_can_be_tried_without_a_pattern(tool: Backend) -> None:
    """The script that the line proposes applies the other patterns only; there is no line where there are options."""
    plain = text_of(CASTS, FUNCTIONS + f'    transform.apply_registered_pass "canonicalize" to %f : ({ANY}) -> {ANY}\n')
    (line,) = (line for line in lines(record(tool, plain), 2) if line.startswith("to try without "))
    assert line.startswith("to try without ChainedTensorCast: with options = ")
    changed = plain.replace('"canonicalize" to', f'"canonicalize" {line.partition(": ")[2]} to')
    recording = record(tool, changed)
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    assert not [
        line for line in lines(recording, 2) if "ChainedTensorCast" in line or line.startswith("to try without")
    ]
