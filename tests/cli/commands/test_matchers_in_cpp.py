"""Explanations of matchers that a project implements in C++ name the places of their conditions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from command_line import tdls
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    import pytest

RECORD = """\
include "mlir/Dialect/Transform/IR/TransformDialect.td"
def TestSucceedIfOperandOfOpKind : Op<Transform_Dialect, "test_succeed_if_operand_of_op_kind",
    [DeclareOpInterfaceMethods<TransformOpInterface>, MatchOpInterface]> {
  let arguments = (ins TransformHandleTypeInterface:$operand_handle, StrAttr:$op_kind);
  let assemblyFormat = "$operand_handle `,` $op_kind attr-dict `:` type($operand_handle)";
  let cppNamespace = "::mlir::test";
}
"""
CODE = """\
using namespace mlir;

DiagnosedSilenceableFailure mlir::test::TestSucceedIfOperandOfOpKind::apply(
    transform::TransformRewriter &rewriter, transform::TransformResults &results, transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}
"""
ANY = "!transform.any_op"
SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @fill(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.match.operation_name %op ["arith.addi"] : {ANY}
    transform.test_succeed_if_operand_of_op_kind %op, "linalg.matmul" : {ANY}
    transform.yield %op : {ANY}
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %all = transform.collect_matching @fill in %root : ({ANY}) -> {ANY}
    transform.yield
  }}
}}
"""
PAYLOAD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"


def test_the_line_that_implements_a_condition_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, text in (("Ops.td", RECORD), ("Ops.cpp", CODE), ("script.mlir", SCRIPT), ("payload.mlir", PAYLOAD)):
        Path(name).write_text(text)
    tool = str(require_mlir_opt(22))
    arguments = ["script.mlir", "--payload", "payload.mlir", "--backend", tool, "--explain-matches", "--format", "json"]
    done = tdls("run", *arguments)
    ((matcher,),) = [run["matches"]["matchers"] for run in json.loads(done.stdout)["runs"]]
    assert (matcher["accepted"], matcher["failed"][0]["place"]["line"]) == (0, 4)
    implemented = matcher["failed"][0]["implemented"]
    assert (Path(implemented["path"]).name, implemented["line"]) == ("Ops.cpp", 3)
    assert f"(its condition is in {implemented['path']}:3)" in done.stderr
