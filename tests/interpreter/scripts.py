"""Scripts for runs, and ways to run them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.model import Limits, RunRequest
from tdls.interpreter.runs.script import Script

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

PAYLOAD = """\
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                       outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
"""
MATCH = """\
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
"""
TILE = """\
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
"""
ENTRY = "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly})"
LONGER_AND_LONGER = (2, 8, 30, 90)
"""Limits, in seconds, of runs that do not end: their journal takes a moment, and longer on a busy machine."""
QUICK = Limits(seconds=20.0, memory=1 << 30, output=16 << 20)


def sequence(body: str, payload: str = PAYLOAD) -> str:
    """Return a module with `payload` and a script that does `body` with its root, ``%root``."""
    begin = f"module attributes {{transform.with_named_sequence}} {{\n{payload}"
    return begin + f"  {ENTRY} {{\n{body}    transform.yield\n  }}\n}}\n"


def script_of(text: str, name: str = "script.mlir") -> Script:
    """Return a script with MLIR's own operations."""
    return Script(name, text, Catalogue.shipped())


def run(backend: Backend, text: str, **wishes: Any) -> RunResult:
    """Run the script `text`, called ``script.mlir``."""
    return backend.run(RunRequest(script_of(text), **{"limits": QUICK, **wishes}))


def doubling(levels: int) -> str:
    """Return a script that goes through 2 to the power of `levels` sequences, of which each does nothing."""
    argument = "(%r: !transform.any_op {transform.readonly})"
    sequences = [f"  transform.named_sequence @s0{argument} {{ transform.yield }}\n"]
    for level in range(levels):
        include = f"    transform.include @s{level} failures(propagate) (%r) : (!transform.any_op) -> ()\n"
        sequences.append(
            f"  transform.named_sequence @s{level + 1}{argument} {{\n{include * 2}    transform.yield\n  }}\n"
        )
    body = f"    transform.include @s{levels} failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    return sequence(body, "".join(sequences))


LOOP = """\
  func.func @f(%m: memref<?xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1000000000 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %m[%i] : memref<?xf32>
    }
    return
  }
"""
UNROLL = """\
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 100000000} : !transform.any_op
"""
NESTED_TOO_DEEP = "module {" * 20_000 + "}" * 20_000
"""MLIR's parser recurses, until its stack ends."""
