"""A match that the rule reports as impossible finds no operation in MLIR's runs."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from oracle.payload_modules import SEEDS
from oracle.tools import SPLIT_MARKER, run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform.impossible_match import RULE
from tdls.catalogue.catalogue import Catalogue
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOGUE = Catalogue.shipped()
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!any) -> !any
    %constant = transform.structured.match ops{["arith.constant"]} in %root : (!any) -> !any
    %found = BODY
    transform.debug.emit_remark_at %found, "found" : TYPE
    transform.yield
  }
  func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %c = arith.constant 1 : index
    %r = scf.for %i = %c to %c step %c iter_args(%x = %b) -> tensor<16x16xf32> {
      %m = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%x : tensor<16x16xf32>)
        -> tensor<16x16xf32>
      %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%m : tensor<16x16xf32>) {
      ^bb0(%e: f32):
        %n = arith.negf %e : f32
        linalg.yield %n : f32
      } -> tensor<16x16xf32>
      scf.yield %g : tensor<16x16xf32>
    }
    return %r : tensor<16x16xf32>
  }
}
"""
HANDLES = ("root", "func", "loop", "mm", "generic", "constant")
NAMES = ("func.func", "scf.for", "linalg.matmul", "arith.mulf", "arith.negf")
INTERFACES = ("LinalgOp", "LoopLikeInterface")
MATCHES = [
    *(f'ops{{["{name}"]}} in %{handle}' for name in NAMES for handle in HANDLES),
    *(f'ops{{["{name}"]}} interface{{{interface}}} in %root' for name in NAMES for interface in INTERFACES),
    *(f"interface{{{interface}}} in %{handle}" for handle in HANDLES for interface in INTERFACES),
    *(f'ops{{["{name}"]}} filter_result_type = tensor<16x16xf32> in %root' for name in NAMES),
]


def script(body: str, type_text: str = "!transform.any_op") -> str:
    return SCRIPT.replace("BODY", body).replace("TYPE", type_text).replace("!any", "!transform.any_op")


def bodies() -> Iterator[str]:
    for match in MATCHES:
        yield script(f"transform.structured.match {match} : (!any) -> !any")
    for handle, name in product(HANDLES, NAMES):
        typed = f'!transform.op<"{name}">'
        yield script(f'transform.get_parent_op %{handle} {{op_name = "{name}"}} : (!any) -> !any')
        yield script(f'transform.select "{name}" in %{handle} : (!any) -> !any')
        yield script(f"transform.cast %{handle} : !any to {typed}", typed)
        yield script(f'transform.structured.match ops{{["{name}"]}} in %{handle} : (!any) -> {typed}', typed)
        yield script(f'transform.structured.match ops{{["scf.for"]}} in %{handle} : (!any) -> {typed}', typed)


BODIES = list(bodies())
BY_INTERFACE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %structured = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %structured "LinalgOp" : !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %loops "LoopLikeOpInterface" : !transform.any_op
    transform.yield
  }
}
"""


@pytest.fixture(scope="module", autouse=True)
def mlir() -> None:
    require_mlir_opt(22)


def test_reported_matches_find_nothing() -> None:
    outcomes = run(BODIES, "--transform-interpreter")
    found = [any(diagnostic.message == "found" for diagnostic in outcome.diagnostics) for outcome in outcomes]
    findings = [findings_in_file(SourceFile.of(text, CATALOGUE)) for text in BODIES]
    reported = [any(finding.rule == RULE.name for finding in each) for each in findings]
    assert [text for text, *both in zip(BODIES, found, reported, strict=True) if all(both)] == []
    assert sum(found) > 20
    assert sum(reported) > 25


def test_traits_tell_which_operations_have_an_interface() -> None:
    payloads = [text for path in sorted(SEEDS.glob("*.mlir")) for text in path.read_text("utf-8").split(SPLIT_MARKER)]
    outcomes = run([BY_INTERFACE + text for text in payloads], "--transform-interpreter", "--mlir-print-op-generic")
    seen: set[str] = set()
    for outcome in outcomes:
        for context in SourceFile.of(outcome.text or "", CATALOGUE).contexts:
            for operation in context.model.walk():
                for trait in ("LinalgOp", "LoopLikeOpInterface"):
                    assert operation.has_trait(trait) is (operation.syntax.attribute(trait) is not None), operation.name
                    seen |= {operation.name} if operation.has_trait(trait) else set()
    assert len(seen) > 20
