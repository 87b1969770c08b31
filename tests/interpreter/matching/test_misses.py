"""Why operations that look at payload operations one by one fail, or find nothing: both backends say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.matching.test_explanation import ANY, explanation, lines, script

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

PAYLOAD = """\
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %n: index) {
  %c = arith.constant 0 : index
  scf.for %i = %c to %n step %n {
    %0 = linalg.abs ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  }
  %1 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = arith.addf %1, %a {tag = 1 : i64} : tensor<8x8xf32>
  %3 = arith.addf %1, %2 : tensor<8x8xf32>
  "test.unknown"(%3) : (tensor<8x8xf32>) -> ()
  return
}
"""
EXP = f'  %h = transform.structured.match ops{{["linalg.exp"]}} in %root : ({ANY}) -> {ANY}\n'
BOTH = f"  %h = transform.structured.match interface{{LinalgOp}} in %root : ({ANY}) -> {ANY}\n"
AROUND = "its parents are `func.func @f`, `builtin.module`"
TYPES = f": ({ANY}) -> {ANY}\n"


def said(backend: Backend, body: str) -> list[list[str]]:
    return [lines(found.remark) for found in explanation(backend, script(body), PAYLOAD).nothing]


@pytest.mark.parametrize(
    ("asks", "reason"),
    [
        ('op_name = "scf.for"', f"`linalg.exp` is in no `scf.for`: {AROUND}"),
        (
            "isolated_from_above, nth_parent = 3",
            f"`linalg.exp` is in 2 of 3 operations isolated from above: {AROUND}",
        ),
    ],
)
@pytest.mark.parametrize("allows", [False, True])
def test_parents(backend: Backend, asks: str, reason: str, allows: bool) -> None:
    asks += ", allow_empty_results" if allows else ""
    subject = "`%p` holds nothing" if allows else "`%p` is not found"
    assert said(backend, f"{EXP}  %p = transform.get_parent_op %h {{{asks}}} {TYPES}") == [
        [f"script.mlir:4 {subject}: {reason}", "payload.mlir:6 this one"]
    ]


def test_only_those_without_a_parent_are_misses(backend: Backend) -> None:
    (found,) = said(backend, f'{BOTH}  %p = transform.get_parent_op %h {{op_name = "scf.for"}} {TYPES}')
    assert found[1:] == ["payload.mlir:6 this one"]


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (0, "operand 0 of `linalg.exp` is `%arg0`, block argument 0 of `func.func @f`, which no operation defines"),
        (7, "`linalg.exp` has 2 operands, and none with number 7"),
    ],
)
def test_producers(backend: Backend, number: int, reason: str) -> None:
    assert said(backend, f"{EXP}  %p = transform.get_producer_of_operand %h[{number}] {TYPES}") == [
        [f"script.mlir:4 `%p` is not found: {reason}", "payload.mlir:6 this one"]
    ]


def test_selections_say_the_nearest_name_first(backend: Backend) -> None:
    assert said(backend, f'{BOTH}  %p = transform.select "linalg.exp2" in %h {TYPES}') == [
        [
            "script.mlir:4 `%p` holds nothing: `linalg.exp` is no `linalg.exp2` (1 other as well)",
            "payload.mlir:6 `linalg.exp` is no `linalg.exp2`",
            "payload.mlir:4 `linalg.abs` is no `linalg.exp2`",
        ]
    ]


def test_handles_that_are_split(backend: Backend) -> None:
    split = f"  %x, %y, %z = transform.split_handle %h : ({ANY}) -> ({ANY}, {ANY}, {ANY})\n"
    assert said(backend, BOTH + split) == [
        [
            "script.mlir:4 `transform.split_handle` fails: 3 handles asked for, but `%h` holds 2 operations",
            "payload.mlir:4 operation 1 is `linalg.abs`",
            "payload.mlir:6 operation 2 is `linalg.exp`",
        ]
    ]


def test_suppressed_failures_are_reported(backend: Backend) -> None:
    inside = f'    %p = transform.get_parent_op %it {{op_name = "scf.for"}} {TYPES}'
    begin = f"  transform.sequence %h : {ANY} failures(suppress) {{\n  ^bb0(%it: {ANY}):\n"
    (found,) = said(backend, f"{EXP}{begin}{inside}  }}\n")
    assert found[0].startswith("script.mlir:6 `%p` holds nothing: `linalg.exp` is in no `scf.for`")


def test_the_last_candidate_of_a_loop_is_reported(backend: Backend) -> None:
    inside = f'    %p = transform.get_parent_op %it {{op_name = "scf.for"}} {TYPES}'
    (found,) = said(backend, f"{BOTH}  transform.foreach %h : {ANY} {{\n  ^bb0(%it: {ANY}):\n{inside}  }}\n")
    assert found == [
        f"script.mlir:6 `%p` is not found: `linalg.exp` is in no `scf.for`: {AROUND}",
        "payload.mlir:6 this one",
    ]
