"""Numbers of sizes and handles that are reported are those that fail in MLIR."""

from __future__ import annotations

import re
from itertools import product

import pytest

from oracle.payload_modules import SEEDS
from oracle.tools import SPLIT_MARKER, run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform import handle_count, never_succeeds
from tdls.catalogue.catalogue import Catalogue
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
ANY = "!transform.any_op"
RULES = {never_succeeds.RULE.name, handle_count.RULE.name}
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    BODY
    transform.yield
  }
  func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
    %r = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>)
      -> tensor<16x16xf32>
    return %r : tensor<16x16xf32>
  }
}
"""
RANKS = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %rank = transform.match.structured %one : (!transform.any_op) -> !transform.param<i64> {
      ^bb0(%op: !transform.any_op):
        %found = transform.match.structured.rank %op : (!transform.any_op) -> !transform.param<i64>
        transform.match.structured.yield %found : !transform.param<i64>
      }
      transform.annotate %one "rank" = %rank : !transform.any_op, !transform.param<i64>
    }
    transform.yield
  }
}
"""


def results(count: int) -> str:
    return f"({ANY}) -> ({', '.join([ANY] * count)})"


MATCHES = {
    "one": ('ops{["linalg.matmul"]}', ""),
    "several": ("interface{LinalgOp}", ""),
    "several that may be fewer": ("interface{LinalgOp}", "transform.apply_dce to %root : !transform.any_op"),
}
BODIES = [
    *(
        f"%h = transform.structured.match {what} in %root : {results(1)}\n{change}\n"
        f'%_f = transform.structured.match ops{{["arith.mulf"]}} in %h : {results(1)}'
        for what, change in MATCHES.values()
    ),
    *(
        f"%t:{size + 1} = transform.structured.tile_using_for %mm tile_sizes {[4] * size} : {results(size + 1)}"
        for size in range(1, 6)
    ),
    *(
        f'%p = transform.structured.pack %mm packed_sizes = {[4] * size} : ({ANY}) -> !transform.op<"linalg.generic">'
        for size in range(6)
    ),
    *(f"transform.structured.vectorize %mm vector_sizes {[16] * size} : {ANY}" for size in range(6)),
    *(f"%p = transform.structured.split %mm after 4 {{dimension = {number}}} : {ANY}" for number in range(5)),
    *(
        f"%p:3 = transform.structured.multitile_sizes %mm {{target_size = 4, dimension = {number}}} : ({ANY}) -> {ANY}"
        for number in range(5)
    ),
    *(
        f"%t:{count} = transform.structured.tile_reduction_using_for %mm by tile_sizes = [0, 0, 4] : {results(count)}"
        for count in range(3, 7)
    ),
    *(
        f"%h:{count} = transform.split_handle %{handle} {options} : {results(count)}"
        for handle, options, count in product(
            ("root", "mm"), ("", "{overflow_result = 0}", "{fail_on_payload_too_small = false}"), (1, 2, 3)
        )
    ),
    *(
        f"transform.foreach %mm : {ANY} {{\n^bb0(%one: {ANY}):\n"
        f"%h:{count} = transform.split_handle %one : {results(count)}\n}}"
        for count in (1, 2)
    ),
]


@pytest.fixture(scope="module", autouse=True)
def mlir() -> None:
    require_mlir_opt(22)


def is_reported(text: str) -> bool:
    return any(finding.rule in RULES for finding in findings_in_file(SourceFile.of(text, CATALOGUE)))


def test_reported_scripts_fail() -> None:
    scripts = [SCRIPT.replace("BODY", body) for body in BODIES]
    failed = [outcome.text is None for outcome in run(scripts, "--transform-interpreter")]
    reported = [is_reported(text) for text in scripts]
    assert [
        body for body, is_reported, other in zip(BODIES, reported, failed, strict=True) if is_reported and not other
    ] == []
    missed = [
        body for body, is_reported, other in zip(BODIES, reported, failed, strict=True) if other and not is_reported
    ]
    assert all("split_handle %mm" in body or "overflow_result" in body or "apply_dce" in body for body in missed), (
        missed
    )
    assert sum(reported) > 20


def test_loops_are_those_of_the_operations() -> None:
    payloads = [text for path in sorted(SEEDS.glob("*.mlir")) for text in path.read_text("utf-8").split(SPLIT_MARKER)]
    names = CATALOGUE.operation_names("linalg")
    known = {
        definition.name: definition.loops
        for definition in map(CATALOGUE.operation, names)
        if definition is not None and definition.loops
    }
    seen: dict[str, int] = {}
    for outcome in run([RANKS + text for text in payloads], "--transform-interpreter", "--mlir-print-op-generic"):
        for context in SourceFile.of(outcome.text or "", CATALOGUE).contexts:
            for operation in context.model.walk():
                rank = operation.syntax.attribute("rank")
                if rank is not None and operation.name in known:
                    seen[operation.name] = int(re.findall(r"\d+", rank.value or "")[0])
    assert {name: known[name] for name in seen} == seen
    assert len(seen) > 4
