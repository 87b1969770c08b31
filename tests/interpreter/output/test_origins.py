"""Each line of a transformed payload is traced to the operation of the source that it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, PAYLOAD, TILE, run, sequence
from tdls.interpreter.output.origins import origins
from tdls.interpreter.runs.model import Emit, Place, TextFile
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

NESTED = """\
module {
  func.func private @g(i32)
  func.func @f(%a: i32, %c: i1) -> i32 {
    %r = scf.if %c -> (i32) {
      %x = arith.addi %a, %a : i32
      scf.yield %x : i32
    } else {
      scf.yield %a : i32
    }
    cf.switch %a : i32, [
      default: ^bb1(%r : i32),
      42: ^bb2
    ]
  ^bb1(%y: i32):
    cf.br ^bb2
  ^bb2:
    "my.op"() ({
      %z = "my.inner"() : () -> i32
    }, {
    }) : () -> ()
    return %a : i32
  }
}
"""


def lines_of(text: str) -> list[int]:
    """Return the origins of the lines of `text` as the bindings print it, as lines, 0 for none."""
    ir = require_bindings().ir
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        operation = ir.Module.parse(text).operation
        plain, located = str(operation), operation.get_asm(enable_debug_info=True)
        found = origins(plain, located)
        assert origins(plain, operation.get_asm(enable_debug_info=True, use_local_scope=True)) == found
    return [place.line if place else 0 for place in found]


def test_operations_with_regions_and_several_lines() -> None:
    lines = lines_of(NESTED)
    opening, switch, regions = 4, 10, 17
    assert lines[:9] == [1, 2, 3, opening, 5, 6, opening, 8, opening]
    assert [lines[9], lines[12]] == [switch, switch]
    assert lines[13:] == [0, 15, 0, regions, 18, regions, regions, 21, 3, 1]


@pytest.mark.parametrize(
    "location",
    [
        '"a.mlir":7:3',
        'fused["a.mlir":7:3, "b.mlir":9:1]',
        'fused<"why">["a.mlir":7:3]',
        '"name"("a.mlir":7:3)',
        'callsite("a.mlir":7:3 at "b.mlir":9:1)',
        'fused[unknown, callsite("name"("a.mlir":7:3) at "b.mlir":9:1)]',
    ],
)
def test_locations(location: str) -> None:
    assert lines_of(f'module {{\n  "my.op"() : () -> () loc({location})\n}}\n') == [1, 7, 1]


def test_no_location() -> None:
    assert lines_of('module {\n  "my.op"() : () -> () loc(unknown)\n}\n') == [1, 0, 1]


def test_aliases_have_no_origin() -> None:
    assert lines_of('#map = affine_map<(d0) -> (d0)>\nmodule {\n  "my.op"() {m = #map} : () -> ()\n}\n') == [0, 2, 3, 2]


def test_texts_that_do_not_pair() -> None:
    assert origins("module {\n}\n", 'module {\n  "my.op"() loc("a":1:1)\n} loc("a":1:1)\n') == []


def test_payload_in_the_script(backend: Backend) -> None:
    text = sequence(MATCH + TILE)
    found = by_line(run(backend, text, observe=True))
    matmul = Place("script.mlir", 3, "    %0 = linalg".index("linalg") + 1)
    assert found["scf.for"] == found["linalg.matmul"] == matmul
    assert found["func.func"] == Place("script.mlir", 2, 3)


def test_payload_in_its_own_file(backend: Backend) -> None:
    payload = TextFile("pay load.mlir", f"// Überschrift\nmodule {{\n{PAYLOAD}}}\n")
    found = by_line(run(backend, sequence(MATCH + TILE, ""), payload=payload, observe=True))
    assert found["scf.for"] == Place("pay load.mlir", 4, 10)


def by_line(result: RunResult) -> dict[str, Place | None]:
    """Return the origin of each line by an operation's name in it."""
    lines = result.texts[Emit.PAYLOAD].splitlines()
    names = ("scf.for", "linalg.matmul", "func.func")
    return {name: place for line, place in zip(lines, result.origins, strict=True) for name in names if name in line}


def test_without_a_wish_there_are_none(backend: Backend) -> None:
    assert run(backend, sequence(MATCH)).origins == ()
