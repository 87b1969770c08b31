"""Explanations name each upstream match operation that fails."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from interpreter.matching.test_explanation import ANY, explanation, script
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

PAYLOAD = """\
func.func @f(%a: tensor<4xindex>, %b: index) -> tensor<4xindex> {
  %0 = linalg.fill ins(%b : index) outs(%a : tensor<4xindex>) -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
"""
VALUE = "!transform.any_value"
NUMBER = "!transform.param<i64>"
TWO = "%two = transform.param.constant 2 : i64 -> !transform.param<i64>"
FAILING = {
    "operation_empty": f"transform.match.operation_empty %op : {ANY}",
    "operation_name": f'transform.match.operation_name %op ["linalg.matmul"] : {ANY}',
    "param.cmpi": f"{TWO} transform.match.param.cmpi lt %two, %two : {NUMBER}",
}
"""Operations that fail for every payload operation, or for those that are not structured."""
FAILING_INSIDE = {
    "structured.body": f'transform.match.structured.body %s {{contraction = ["arith.mulf", "arith.addf"]}} : {ANY}',
    "structured.classify_contraction_dims": (
        "%d0, %d1, %d2, %d3 = transform.match.structured.classify_contraction_dims %s"
        f" : ({ANY}) -> ({NUMBER}, {NUMBER}, {NUMBER}, {NUMBER})"
    ),
    "structured.classify_convolution_dims": (
        "%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7 = transform.match.structured.classify_convolution_dims %s"
        f" : ({ANY}) -> ({', '.join([NUMBER] * 8)})"
    ),
    "structured.dim": f"transform.match.structured.dim %s[all] {{reduction}} : {ANY}",
    "structured.elemental_bitwidth": (
        f"%v = transform.match.structured.init %s[0] : ({ANY}) -> {VALUE}"
        f" %w = transform.match.structured.elemental_bitwidth %v : ({VALUE}) -> {NUMBER}"
    ),
    "structured.init": f"%v = transform.match.structured.init %s[5] : ({ANY}) -> {VALUE}",
    "structured.input": f"%v = transform.match.structured.input %s[5] : ({ANY}) -> {VALUE}",
    "structured.result": f"%v = transform.match.structured.result %s[5] : ({ANY}) -> {VALUE}",
}
NEVER_FAIL = {"structured.num_inits", "structured.num_inputs", "structured.rank"}
NOT_IN_THESE_BUILDS = {"sparse_tensor.match.sparse_inout"}


def inside(body: str) -> str:
    yielded = f"transform.match.structured.yield %s : {ANY}"
    return f"%y = transform.match.structured %op : ({ANY}) -> {ANY} {{\n^bb0(%s: {ANY}):\n{body}\n{yielded}\n}}"


ALL = {**FAILING, "structured": inside(""), **{name: inside(body) for name, body in FAILING_INSIDE.items()}}
COLLECTING = f"  %all = transform.collect_matching @m in %root : ({ANY}) -> {ANY}\n"


@pytest.mark.parametrize("name", sorted(ALL))
def test_failing_conditions_are_reported(backend: Backend, name: str) -> None:
    head = f"transform.named_sequence @m(%op: {ANY} {{transform.readonly}}) -> {ANY} {{"
    matcher = f"{head}\n{ALL[name]}\ntransform.yield %op : {ANY}\n}}\n"
    (report,) = explanation(backend, script(COLLECTING, matcher), PAYLOAD).matchers
    assert report.accepted == (name == "structured")
    assert report.stops[0].condition.operation == f"transform.match.{name}"


def upstream() -> set[str]:
    catalogue = Catalogue.shipped()
    known = (name.removeprefix("transform.") for name in catalogue.operation_names("transform"))
    return {name.removeprefix("match.") for name in known if re.search(r"(^|\.)match\.", name)} - {"structured.yield"}


def test_all_of_upstream_are_looked_at() -> None:
    assert {*ALL, *NEVER_FAIL, *NOT_IN_THESE_BUILDS} == upstream()
