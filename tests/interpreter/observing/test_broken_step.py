"""Steps that leave payload which MLIR rejects after the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import QUICK, run, script_of, sequence
from tdls.interpreter.observing.passed_numbers import with_passed_numbers
from tdls.interpreter.observing.steps import StepEnd
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import RunRequest, RunResult, Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

ANY, PARAM = "!transform.any_op", "!transform.any_param"
PAYLOAD = """\
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %m: memref<8xf32>) -> tensor<8x8xf32> {
    %c0 = arith.constant 0 : index
    %z = arith.constant 1.0 : f32
    %k = arith.cmpi eq, %c0, %c0 : index
    %l = memref.load %m[%c0] : memref<8xf32>
    %v = vector.broadcast %z : f32 to vector<8xf32>
    %s = vector.extract %v[0] : f32 from vector<8xf32>
    %n = memref.alloc() : memref<8xf32>
    scf.forall (%j) in (8) {
      memref.store %z, %m[%j] : memref<8xf32>
    }
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = linalg.transpose ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    return %t : tensor<8x8xf32>
  }
"""
BREAKING = """\
arith.constant value "x"
arith.constant value 5 : i7
arith.cmpi predicate 77 : i64
arith.cmpi shape.lib 5 : i64
memref.load alignment 3 : i64
memref.store alignment 3 : i64
memref.alloc alignment -1 : i64
memref.alloc operandSegmentSizes array<i32: 1, 0>
vector.broadcast bufferization.escape 5 : i64
vector.extract static_position array<i64: 99>
vector.extract static_position array<i64: 0, 0>
linalg.transpose permutation array<i64: 0, 0>
linalg.transpose permutation array<i64: 0>
linalg.matmul indexing_maps [affine_map<(i, j) -> (i, j)>]
scf.forall mapping ["x"]
scf.forall mapping [#gpu.thread<x>, #gpu.thread<y>]
scf.forall staticUpperBound array<i64: 1, 2>
func.func sym_visibility "x"
func.func sym_name 5 : i64
func.func arg_attrs []
func.func res_attrs [{}, {}]
func.func gpu.known_block_size array<i32: 1>
func.func bufferization.writable true
func.func llvm.data_layout "nonsense"
func.func nvvm.kernel 5 : i64
func.func nvvm.maxntid 5 : i64
func.func nvvm.minctasm "x"
func.func rocdl.kernel 5 : i64
func.func spirv.entry_point_abi 5 : i64
func.func dlti.dl_spec 5 : i64
func.func dlti.other 5 : i64
""".splitlines()
"""The name of an operation, and an attribute that its verifier rejects."""
MASKED = """\
  func.func @f(%v: vector<4x8xf32>, %m: vector<4x8xi1>, %b: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    vector.mask %m { vector.transfer_write %v, %b[%c0, %c0] : vector<4x8xf32>, memref<?x?xf32> } : vector<4x8xi1>
    return
  }
"""
PATTERNS = f"""\
    %t = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    transform.apply_patterns to %t {{ // HERE
      transform.apply_patterns.vector.transfer_to_scf full_unroll = false max_transfer_rank = 1
    }} : {ANY}
"""
AROUND = {
    "alone": "{0}",
    "in a loop": f"    transform.foreach %t : {ANY} {{{{\n    ^bb0(%each: {ANY}):\n{{0}}    }}}}\n",
    "in a sequence": f"    transform.include @s failures(propagate) (%t) : ({ANY}) -> ()\n",
}


def breaking(line: str, around: str) -> str:
    """Return a script that gives an operation the attribute of `line`, between steps that do no harm."""
    operation, name, value = line.split(" ", 2)
    handle = {"alone": "%t", "in a loop": "%each", "in a sequence": "%own"}[around]
    step = f"    %p = transform.param.constant {value} -> !transform.any_param\n"
    step += f'    transform.annotate {handle} "{name}" = %p : {ANY}, !transform.any_param // HERE\n'
    harmless = f'    %g = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'
    harmless += f'    transform.annotate %g "harmless" : {ANY}\n'
    match = f'    %t = transform.structured.match ops{{["{operation}"]}} in %root : ({ANY}) -> {ANY}\n'
    called = f"  transform.named_sequence @s(%own: {ANY} {{transform.readonly}}) {{\n{step}    transform.yield\n  }}\n"
    body = match + AROUND[around].format(step) + harmless
    return sequence(body, PAYLOAD + (called if around == "in a sequence" else ""))


def check(result: RunResult, text: str) -> None:
    assert (result.status, result.broke_payload) == (Status.FAILURE, True)
    lines = text.splitlines()
    error = attributed(result)[-1]
    assert lines[error.line - 1].endswith("// HERE")
    assert error.message.startswith("this leaves payload that MLIR rejects: ")
    assert error.notes[0].message == "this became invalid"
    assert error.notes[0].line <= lines.index(next(line for line in lines if "@__transform_main" in line))


@pytest.mark.parametrize("line", BREAKING)
def test_the_step_is_named(bindings: Backend, line: str) -> None:
    text = breaking(line, [*AROUND][BREAKING.index(line) % 3])
    check(run(bindings, text), text)


@pytest.mark.parametrize("around", AROUND)
def test_the_step_is_named_by_a_tool(tool: Backend, around: str) -> None:
    text = breaking(BREAKING[0], around)
    check(run(tool, text), text)


def test_patterns_that_break_the_payload(backend: Backend) -> None:
    text = sequence(PATTERNS, MASKED)
    check(run(backend, text), text)


def test_the_step_of_a_recorded_run(backend: Backend) -> None:
    recording = recorded(backend, RunRequest(script_of(breaking(BREAKING[0], "in a loop")), limits=QUICK))
    step = recording.failing
    assert step is not None
    assert (step.operation, step.execution, step.ended) == ("transform.annotate", 1, StepEnd.BROKE_PAYLOAD)
    assert "failed to verify" in step.reason
    assert [other for other in recording.steps if other.ended is not StepEnd.COMPLETED] == [step]


@pytest.mark.parametrize(("value", "held"), [("4.0 : f32", ["4.000000e+00 : f32"]), ("4 : i32", [])])
def test_a_result_that_rests_on_no_integer_is_a_failure(backend: Backend, value: str, held: list[str]) -> None:
    steps = f"""\
    %m = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %p = transform.param.constant {value} -> {PARAM}
    transform.foreach %m, %p : {ANY}, {PARAM} {{
    ^bb0(%each: {ANY}, %s: {PARAM}):
      %t, %l = transform.structured.tile_using_forall %each num_threads [%s] : ({ANY}, {PARAM}) -> ({ANY}, {ANY})
    }}
"""
    request = RunRequest(script_of(sequence(steps, PAYLOAD)), limits=QUICK)
    result = with_passed_numbers(run(backend, sequence("")), request, backend.run)
    assert [error.message.split("`")[3] for error in result.diagnostics] == held


def test_a_result_that_rests_on_a_negative_size_is_a_failure(backend: Backend) -> None:
    match = f'%m = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}'
    tile = f"%t, %l = transform.structured.tile_using_for %m tile_sizes [-4] : ({ANY}) -> ({ANY}, {ANY})"
    request = RunRequest(script_of(sequence(f"{match}\n{tile}\n", PAYLOAD)), limits=QUICK)
    result = with_passed_numbers(run(backend, sequence("")), request, backend.run)
    assert [error.message for error in result.diagnostics] == ["a size cannot be negative, as in `[-4]`"]
