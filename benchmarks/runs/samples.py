"""Scripts in the module of their payload, small and large."""

from __future__ import annotations

from typing import NamedTuple

_SCRIPT = """\
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmuls tile_sizes [4, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %tiled "tiled" : !transform.any_op
    transform.yield
  }
"""
_FILLING = 7
"""Number of operations, of the ten in a function, that no transform operation matches."""


class Sample(NamedTuple):
    """A module to run the script of."""

    name: str
    text: str


def small() -> Sample:
    """One multiplication that is tiled."""
    return Sample("small script", _module(1))


def large() -> Sample:
    """5,000 operations in 500 functions with a multiplication each, of which one in ten is tiled."""
    return Sample("payload of 5,000 operations", _module(500))


def payload(count: int) -> str:
    """Return some functions of ten operations each."""
    return "".join(map(_function, range(count)))


def _module(count: int) -> str:
    return f"module attributes {{transform.with_named_sequence}} {{\n{payload(count)}{_SCRIPT}}}\n"


def _function(number: int) -> str:
    matrix = "tensor<16x16xf32>"
    product = "matmul" if number % 10 == 0 else "add"
    chain = "".join(
        f"    %v{step + 1} = arith.mulf %v{step}, %v{step} fastmath<contract> : {matrix}\n" for step in range(_FILLING)
    )
    return f"""\
  func.func @f{number}(%a: {matrix}, %v0: {matrix}) -> {matrix} {{
    %r = linalg.{product} ins(%a, %v0 : {matrix}, {matrix}) outs(%a : {matrix}) -> {matrix}
{chain}    return %r : {matrix}
  }}
"""
