"""Patches of LLVM in a project: nothing is certain about the operations that they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projects.scanning import catalogue_of
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.sources.patches import PatchedName, read_patch
from tdls.text.level import Level

if TYPE_CHECKING:
    from pathlib import Path

PATCH = """\
From 0123456789 Mon Sep 17 00:00:00 2001
Subject: [PATCH] Widen what is matched and tiled

---
diff --git a/mlir/include/mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.td b/mlir/include/mlir/Dialect/x.td
--- a/mlir/include/mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.td
+++ b/mlir/include/mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.td
@@ -900,3 +900,4 @@ def MatchOp : Op<Transform_Dialect, "structured.match",
                        OptionalAttr<StrArrayAttr>:$ops,
+                       OptionalAttr<DictionaryAttr>:$nearby,
                        OptionalAttr<MatchInterfaceEnum>:$interface,
 def MultiTileSizesOp : Op<Transform_Dialect, "structured.multitile_sizes",
@@ -2100,2 +2101,5 @@ def TileUsingForOp : Op<Transform_Dialect, "structured.tile_us
-                       Variadic<TransformAnyParamTypeOrAnyHandle>:$dynamic_sizes,
+                       Variadic<Transform_AnyThing>:$dynamic_sizes,
+def PolishOp : Op<Transform_Dialect, "structured.polish", [
+]> {}
--- a/mlir/lib/Dialect/Transform/IR/TransformOps.cpp
+++ b/mlir/lib/Dialect/Transform/IR/TransformOps.cpp
@@ -10,2 +10,2 @@ LogicalResult transform::SplitHandleOp::verify() {
-  return failure();
+  return success();
@@ -20,2 +20,2 @@ static void helper(int number) {
-  number = 1;
+  number = 2;
--- a/clang/lib/Sema/Sema.cpp
+++ b/clang/lib/Sema/Sema.cpp
@@ -1,1 +1,1 @@ void ForeachOp::apply(
-x
+y
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %funcs[0] : (!transform.any_op) -> !transform.any_value
    %near = transform.structured.match nearby {a} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %near tile_sizes [%value]
        : (!transform.any_op, !transform.any_value) -> (!transform.any_op, !transform.any_op)
    transform.structured.polish %tiled : !transform.any_op
    transform.annotate %near "stale" : !transform.any_op
    transform.annotate %loop 12 : !transform.any_op
    transform.yield
  }
}
"""


def test_the_operations_of_changed_lines_are_found() -> None:
    assert read_patch(PATCH) == (
        PatchedName("transform", "MatchOp", "structured.match"),
        PatchedName("transform", "TileUsingForOp"),
        PatchedName("transform", "PolishOp", "structured.polish"),
        PatchedName("transform", "SplitHandleOp"),
    )


@pytest.mark.parametrize("text", ["", "+++ b/README.md\n@@ -1 +1 @@ def MatchOp\n+x\n", "+x\n-y\n@@\n+++ \n"])
def test_other_patches_change_no_operation(text: str) -> None:
    assert read_patch(text) == ()


def found(catalogue: Catalogue) -> list[tuple[str, Level]]:
    return [(each.rule, each.level) for each in findings_in_file(SourceFile.of(SCRIPT, catalogue))]


@pytest.mark.parametrize("name", ["widen.patch", "third_party/llvm/widen.diff"])
def test_findings_at_patched_operations_are_hints(name: str, tmp_path: Path) -> None:
    patch = tmp_path / name
    patch.parent.mkdir(parents=True, exist_ok=True)
    patch.write_text(PATCH, encoding="utf-8")
    catalogue = catalogue_of(tmp_path)
    assert catalogue.operation("transform.structured.polish") is not None
    assert found(catalogue) == [
        ("syntax-error", Level.HINT),
        ("type-mismatch", Level.HINT),
        ("use-after-free", Level.WARNING),
        ("syntax-error", Level.ERROR),
    ]


def test_without_a_patch_they_are_certain() -> None:
    assert [rule for rule, level in found(Catalogue.shipped()) if level is Level.ERROR] == [
        "syntax-error",
        "type-mismatch",
        "syntax-error",
    ]
