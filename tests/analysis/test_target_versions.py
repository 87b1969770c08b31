"""Operations that only some versions of MLIR accept: an error for a target without them, and none for another."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.settings.llvm_versions import newest_version
from tdls.text.level import Level

MAIN, ANY = newest_version(), "!transform.any_op"
UNSCOPED = """%r = transform.alternatives -> !transform.any_op {
^bb0(%arg0: !transform.any_op):
  transform.yield %arg0 : !transform.any_op
}"""
CALLED = """transform.named_sequence @called(%arg0: !transform.any_op {transform.readonly}) {
  transform.yield
}"""
CALL = "transform.include @called failures(propagate) (%0)"
LAUNCH = """%i = "x.i"() : () -> index
  gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i) threads(%g, %h, %j) in (%k = %i, %l = %i, %m = %i) {} {{
    gpu.terminator
  }}"""

SLICED = """%i, %m = "x.x"() : () -> (index, memref<8x8xf32{1}>)
  memref.subview %m{0} [8, 4] [1, 1] : memref<8x8xf32{1}> to memref<8x4xf32, {2}>"""
TENSOR, BUFFER = "tensor<4xf32>", "memref<4xf32>"
FILLED = f"linalg.transpose ins(%t : {TENSOR}) outs(%m : {BUFFER}) permutation = [0]"
MAPPED = f"%1 = linalg.map ins(%t : {TENSOR}) outs(%t : {TENSOR}) (%x: f32) {{ linalg.yield %x : f32 }}"
BODY = """transform.match.structured %0 : !transform.any_op {{
  ^bb0(%arg0: !transform.any_op):
    transform.match.structured.body %arg0 {{{}}} : !transform.any_op
  }}"""


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        (UNSCOPED, {23, MAIN}),
        (UNSCOPED.replace(" ->", " %0 : !transform.any_op ->"), set()),
        # LLVM 19 ignores it, with a warning
        (f"{CALLED}\n  {CALL} {{arg_attrs = [{{}}]}} : (!transform.any_op) -> ()", {MAIN}),
        ('%v = "tosa.const"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>', {22, 23, MAIN}),
        (f"{CALLED}\n  {CALL} arg_attrs = [{{}}] : (!transform.any_op) -> ()", {18, 19, 22, 23}),
        ('transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu chipset = "gfx942"', {18, 19, MAIN}),
        ("transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu", {18, 19}),
        ("transform.structured.fuse %0 interchange [0] : (!transform.any_op) -> !transform.any_op", {22, 23, MAIN}),
        (
            "transform.structured.fuse %0 interchange [1] : (!transform.any_op) -> !transform.any_op",
            {18, 19, 22, 23, MAIN, None},
        ),
        ("func.func private @f() attributes {no_inline}\n  " + LAUNCH.format(""), set()),
        (f"%s = transform.structured.split %0 after %0 {{dimension = 0, multiway}} : {ANY}, {ANY}", {18, 19}),
        (LAUNCH.format("module(@m) function(@f)"), {18, 19}),
        (LAUNCH.format("module(@m) cooperative"), {18, 19, 22}),
        (SLICED.format("[0, 6]", "", "strided<[8, 1], offset: 6>"), {22, 23, MAIN}),
        (SLICED.format("[0, %i]", "", "strided<[8, 1], offset: 4>"), {19, 22, 23, MAIN}),
        (SLICED.format("[0, %i]", ", 3", "strided<[8, 1], offset: ?>, 3"), set()),
        ("func.func private @f(!quant.uniform<f8E4M3FN<-448:448>:f32, 0.9:127>)", {18, 19, 22}),
        ("func.func private @f(!quant.uniform<i8<-8:7>:f32, 0.9:127>)", set()),
        (f'%t, %m = "x.x"() : () -> ({TENSOR}, {BUFFER})\n  {FILLED}', {19, 22, 23, MAIN}),
        (f'%t = "x.x"() : () -> {TENSOR}\n  {MAPPED}', {22, 23, MAIN}),
        (BODY.format("elementwise, passthrough"), {19, 22, 23, MAIN}),
        (BODY.format("passthrough, reduction_position = 0"), {18, 19, 22, 23, MAIN, None}),
    ],
)
def test_an_operation_is_wrong_for_the_versions_that_reject_it(operation: str, wrong: set[int | None]) -> None:
    text = f"""module attributes {{transform.with_named_sequence}} {{
  %0 = "x.x"() : () -> !transform.any_op
  {operation}
}}
"""
    found = {
        target
        for target in (18, 19, 22, 23, MAIN, None)
        for finding in findings_in_file(SourceFile.of(text, Catalogue.shipped().at(target)))
        if finding.level is Level.ERROR
    }
    assert found == wrong
