"""Failures that MLIR does not explain, with the likely reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import run, sequence
from tdls.interpreter.observing.likely_reasons import without_likely_reasons
from tdls.interpreter.runs.model import RunLevel, Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

ANY = "!transform.any_op"
READING = "as tdls reads it, not MLIR: "


def payload(operation: str, of: str) -> str:
    return f"""\
  func.func @f(%a: {of}, %b: {of}) -> {of} {{
    %0 = linalg.{operation} ins(%a : {of}) outs(%b : {of}) -> {of}
    return %0 : {of}
  }}
"""


def matched(operation: str, step: str) -> str:
    return (
        f'    %op = transform.structured.match ops{{["linalg.{operation}"]}} in %root : ({ANY}) -> {ANY}\n    {step}\n'
    )


def readings(result: RunResult) -> list[str]:
    notes = (note.message for diagnostic in result.diagnostics for note in diagnostic.notes)
    return [message.removeprefix(READING) for message in notes if message.startswith(READING)]


@pytest.mark.parametrize(
    ("operation", "of", "sizes", "reason"),
    [
        ("exp", "tensor<?x?xf32>", "", "has a dynamic size, and no `vector_sizes` are given"),
        ("exp", "tensor<?x8xf32>", "", "loop #0 of `linalg.exp` has a dynamic size"),
        ("exp", "tensor<?x?xf32>", " vector_sizes [8, 4, 2]", "has 2 loops, but 3 sizes are given here"),
        ("copy", "tensor<8x8xvector<4xi8>>", "", "elements of type `vector<4xi8>`"),
    ],
)
def test_operations_that_cannot_be_vectorized(
    backend: Backend, operation: str, of: str, sizes: str, reason: str
) -> None:
    step = f"transform.structured.vectorize %op{sizes} : {ANY}"
    result = run(backend, sequence(matched(operation, step), payload(operation, of)))
    assert result.status is Status.FAILURE
    (reading,) = readings(result)
    assert reason in reading


@pytest.mark.parametrize(
    ("of", "sizes"),
    [("tensor<8x8xf32>", ""), ("tensor<?x?xf32>", " vector_sizes [8, 4]")],
)
def test_operations_that_can_be_vectorized(backend: Backend, of: str, sizes: str) -> None:
    step = f"transform.structured.vectorize %op{sizes} : {ANY}"
    result = run(backend, sequence(matched("exp", step), payload("exp", of)))
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())


def test_every_failure_has_an_error(backend: Backend) -> None:
    types = f"({ANY}) -> ({ANY}, {ANY}, {ANY})"
    step = f"%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [4, 8] interchange = [5, 0] : {types}"
    text = sequence(matched("exp", step), payload("exp", "tensor<8x8xf32>"))
    result = run(backend, text)
    assert result.status is Status.FAILURE
    (error,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    assert text.splitlines()[error.line - 1].strip().startswith("%t, %l:2 = transform.structured.tile_using_for")
    assert any("has to be a permutation" in reading for reading in readings(result))


def test_a_failure_that_mlir_explains(backend: Backend) -> None:
    step = f'%up = transform.get_parent_op %op {{op_name = "scf.for"}} : ({ANY}) -> {ANY}'
    result = run(backend, sequence(matched("exp", step), payload("exp", "tensor<8x8xf32>")))
    assert result.status is Status.FAILURE
    assert readings(result) == []


LOOPS = """\
  func.func @f(%m: memref<16xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c16 step %c3 {
      memref.store %v, %m[%i] : memref<16xf32>
    }
    scf.for %i = %c0 to %c16 step %c4 {
      memref.store %v, %m[%i] : memref<16xf32>
    }
    return
  }
"""
FOR = '!transform.op<"scf.for">'
PEEL_EACH = f"""\
    %loops = transform.structured.match ops{{["scf.for"]}} in %root : ({ANY}) -> {FOR}
    transform.foreach %loops : {FOR} {{
    ^bb0(%loop: {FOR}):
      %main, %rest = transform.loop.peel %loop : ({FOR}) -> ({ANY}, {ANY})
    }}
"""
FILLED = """\
  func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>, %v: f32) -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
"""
FUSE_FILL = f"""\
    %m = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %t, %l = transform.structured.tile_using_for %m tile_sizes [0, 0, 4] : ({ANY}) -> ({ANY}, {ANY})
    %f = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}
    %x, %y = transform.structured.fuse_into_containing_op %f into %l : ({ANY}, {ANY}) -> ({ANY}, {ANY})
"""


def test_the_target_of_a_later_iteration(backend: Backend) -> None:
    result = run(backend, sequence(PEEL_EACH, LOOPS))
    (reading,) = readings(result)
    assert reading.startswith("the step 4 of `scf.for` divides 16, the distance of its bounds")


def test_a_remark_of_mlir_comes_first(backend: Backend) -> None:
    result = run(backend, sequence(FUSE_FILL, FILLED))
    (error,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    assert error.message.endswith("producer op use by containing op cannot be fused by cloning")
    (reading,) = readings(result)
    assert reading.startswith(
        "nothing in `scf.for` uses a result of `linalg.fill`: it is only what the loop begins with"
    )
    assert without_likely_reasons(result.diagnostics) == result.diagnostics[:-1]
