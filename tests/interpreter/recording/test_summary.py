"""The loops and buffers of a payload in one line."""

from __future__ import annotations

import pytest

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.recording.summary import summary_of_text

MATMUL = "linalg.matmul ins(%m, %m : memref<8x8xf32>, memref<8x8xf32>) outs(%m : memref<8x8xf32>)"
CASES = {
    MATMUL: "",
    "scf.for %i = %c0 to %c64 step %c8 { scf.for %j = %c8 to %n step %c8 { } }": "8x? for",
    "affine.for %i = 0 to 63 step 8 { } affine.for %i = 0 to 63 step 8 { }": "2 times 8 for",
    "affine.for %i = max affine_map<(d0) -> (d0, 4)>(%n) to 64 { }": "? for",
    "affine.parallel (%i, %j) = (0, 0) to (16, 16) step (4, 8) { }": "4x2 parallel",
    "scf.parallel (%i) = (%c0) to (%c64) step (%c8) { scf.reduce }": "8 parallel",
    f"scf.forall (%i, %j) in (%n, 4) {{ scf.for %k = %c0 to %c64 step %c8 {{ {MATMUL} }} }}": (
        "1 linalg.matmul in ?x4 forall, then 8 for"
    ),
    f"scf.forall (%i, %j) = (0, 0) to (64, 32) step (8, 8) {{ {MATMUL} {MATMUL} }}": "2 linalg.matmul in 8x4 forall",
    f"scf.while : () -> () {{ scf.condition(%b) }} do {{ {MATMUL} scf.yield }}": "1 linalg.matmul in while",
    "%a = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>": "16 KB in #gpu.address_space<workgroup>",
    "%a = memref.alloc() : memref<4xi8, strided<[1]>, 2> %b = memref.alloca() : memref<4xf64, 2>": "36 B in space 2",
    "%a = memref.alloc() : memref<256xf32, #map> %b = memref.alloc() : memref<4xf32, #map, #space>": (
        "1 KB in the default space; 16 B in #npu.space<1>"
    ),
    "%a = memref.alloc(%n) : memref<?xf32> %b = memref.alloc() : memref<4xindex>": "2 buffers of unknown size",
}


@pytest.mark.parametrize("body", CASES)
def test_summary(body: str) -> None:
    constants = "".join(f"%c{number} = arith.constant {number} : index " for number in (0, 8, 64))
    aliases = "#map = affine_map<(d0) -> (d0 * 2)>\n#space = #npu.space<1>\n"
    text = f"{aliases}func.func @f(%m: memref<8x8xf32>, %n: index, %b: i1) {{ {constants} {body} return }}\n"
    assert summary_of_text(text, Catalogue.shipped()) == CASES[body]


def test_operations_to_look_at() -> None:
    text = f"func.func @f(%m: memref<8x8xf32>) {{ affine.for %i = 0 to 4 {{ {MATMUL} math.absf %m }} }}"
    assert summary_of_text(text, Catalogue.shipped(), {"math.absf", "affine.for"}) == "1 math.absf in 4 for"
    assert summary_of_text("", Catalogue.shipped()) == ""


def test_constants_of_the_module_are_buffers() -> None:
    text = 'memref.global "private" @w : memref<256xf32> = dense<1.0> {alignment = 64}\nfunc.func @f() { return }'
    assert summary_of_text(text, Catalogue.shipped()) == "1 KB in the default space"
