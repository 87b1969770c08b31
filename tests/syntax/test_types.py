"""Types as trees: two texts differ only when they are parsed and differ."""

from __future__ import annotations

import pytest

from tdls.syntax.spellings import canonical_type
from tdls.syntax.types import UNKNOWN, are_same, type_tree

SAME = [
    ("memref<4xf32, 0>", "memref<4xf32>"),
    ("memref<4xf32, 0 : i32>", "memref<4xf32>"),
    ("memref<*xf32, 0>", "memref<*xf32>"),
    ("memref<4xf32, 1>", "memref<4xf32, 1 : i64>"),
    ("memref<4xf32, 0x1>", "memref<4xf32, 1>"),
    ('memref<4xf32, "a">', r'memref<4xf32, "\61">'),
    ("memref<4xf32, strided<[2], offset: 0>>", "memref<4xf32, strided<[02]>>"),
    ("tensor<04xf32>", "tensor<4xf32>"),
    ("tensor<4xi032>", "tensor<4xi32>"),
    ("(tensor<04xi8>) -> (i32)", "(tensor<4xi8>) -> i32"),
    ("tuple<vector<[04]xi1>>", "tuple<vector<[4]xi1>>"),
]
OTHER = [
    ("memref<4xf32, 1>", "memref<4xf32>"),
    ("memref<4xf32, 1 : i32>", "memref<4xf32, 1>"),
    ("memref<4xf32, strided<[2]>>", "memref<4xf32>"),
    ("memref<4xf32, strided<[2]>>", "memref<4xf32, strided<[2], offset: 3>>"),
    ("memref<4xf32, #map>", "memref<5xf32, #map>"),
    ("tensor<4x!other>", "tensor<5x!other>"),
    ("tensor<4xf32, #encoding>", "tensor<4xf32>"),
    ("vector<[4]xf32>", "vector<4xf32>"),
    ("tensor<*xf32>", "tensor<?xf32>"),
    ("complex<f32>", "f32"),
    ("(i32) -> i32", "(i32) -> i64"),
    ("() -> ()", "(i32) -> ()"),
    ("memref<4x(i32) -> i32>", "memref<4xi32>"),
    ("!llvm.ptr<1>", "!llvm.ptr<2>"),
    ("!llvm.ptr", "i64"),
    ("!llvm.array<2 x f32>", "!llvm.array<3 x f32>"),
    ('!transform.op<"a.b">', '!transform.op<"a.c">'),
    ("!mine.a", "!mine.b"),
    ("!mine.box<f32>", "!mine.box<f16>"),
]
OPEN = [
    ("!quant.uniform<i8:f32, 1.0:0>", "!quant.uniform<i8:f32, 1.0>"),
    ("!quant.uniform<i8:f32, 1.0>", "!quant.uniform<i8:f32, 1.000000e+00>"),
    ("!llvm.ptr<0>", "!llvm.ptr"),
    ("!llvm.vec<4 x f32>", "vector<4xf32>"),
    ("!mine.integer<32>", "i32"),
    ("!mine<box<f32>>", "!mine.box<f32>"),
    ("!mine.box<small>", "!mine.box<other>"),
    ("memref<4xf32, #map>", "memref<4xf32>"),
    ("memref<4xf32, affine_map<(d0) -> (d0)>>", "memref<4xf32>"),
    ("!alias", "f32"),
    (f"vector<{'9' * 5000}xf32>", "vector<4xf32>"),
]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [(*pair, same) for pairs, same in ((SAME, True), (OTHER, False), (OPEN, None)) for pair in pairs],
)
def test_equality(first: str, second: str, same: bool | None) -> None:
    texts = canonical_type(first), canonical_type(second)
    assert are_same(*texts) is same
    assert are_same(*reversed(texts)) is same
    assert are_same(texts[0], texts[0]) is True


@pytest.mark.parametrize(
    "text", ["", "tensor<", "tensor<4xf32", "tensor<4xf32>>", "4xf32", "(i32", "!", "f32 f32", "->"]
)
def test_unread(text: str) -> None:
    assert type_tree(text).kind == UNKNOWN


@pytest.mark.parametrize("opening", ["tensor<", "(", "vector<2x", "!a.b<", "tuple<(", "tensor<4xf32, ["])
def test_takes_linear_time(opening: str) -> None:
    assert type_tree(opening * 100_000).kind == UNKNOWN
