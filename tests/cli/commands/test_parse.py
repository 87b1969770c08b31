from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tdls.cli.commands.parse import command

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
#alias = affine_map<(d0) -> (d0)>
module attributes {a = "x"} {
  func.func @f(%arg0: i32) -> i32 {
    %0:2 = my.op %arg0 {unit, size = 4 : i32} : i32 -> (i32, i32)
    cf.br ^bb1(%0#1 : i32)
  ^bb1(%1: i32):
    func.call @f(%1) : (i32) -> i32
    %2 = "arith.addi"(%1, %0#0) : (i32, i32) -> i32
    return %2 : i32
  }
}
"""


def parse(folder: Path, text: str, *options: str) -> tuple[int, str]:
    file = folder / "a.mlir"
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(command, [str(file), *options], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout


def operations(item: Any) -> list[dict[str, Any]]:
    nested = [
        inner
        for region in item["regions"]
        for block in region["blocks"]
        for operation in block["operations"]
        for inner in operations(operation)
    ]
    return [item, *nested]


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    status, output = parse(tmp_path, TEXT, "--format", "json")
    assert status == 0
    read: dict[str, Any] = json.loads(output)
    return read


def test_json_has_everything(document: dict[str, Any]) -> None:
    alias, module = document["members"]
    assert (alias["alias"], alias["value"], alias["range"]) == ("#alias", "affine_map<(d0) -> (d0)>", "1:1-1:34")
    assert [(item["name"], item["form"]) for item in operations(module)] == [
        ("builtin.module", "exact"),
        ("func.func", "exact"),
        ("my.op", "structural"),
        ("cf.br", "exact"),
        ("func.call", "exact"),
        ("arith.addi", "generic"),
        ("func.return", "exact"),
    ]
    assert document["problems"] == []


def test_json_of_an_operation_of_unknown_form(document: dict[str, Any]) -> None:
    _, function, unknown, branch, call, addition, _ = operations(document["members"][1])
    assert function["symbol"] == "f"
    assert unknown["range"] == "4:5-4:66"
    assert unknown["results"] == [{"name": "%0", "count": 2}]
    assert unknown["operands"] == ["%arg0"]
    assert unknown["operand_groups"] is None
    assert unknown["attributes"] == [{"name": "unit", "value": None}, {"name": "size", "value": "4 : i32"}]
    assert [successor["label"] for successor in branch["successors"]] == ["^bb1"]
    assert branch["operands"] == ["%0#1"]
    assert call["symbol_uses"] == ["@f"]
    assert addition["operands"] == ["%1", "%0#0"]
    assert addition["operand_types"] == ["i32", "i32"]
    assert addition["result_types"] == ["i32"]


def test_text_has_a_line_for_each_part(tmp_path: Path) -> None:
    status, output = parse(tmp_path, TEXT)
    lines = [line.strip() for line in output.splitlines()]
    assert status == 0
    for line in (
        "#alias = affine_map<(d0) -> (d0)>  1:1-1:34",
        "%0:2 = my.op  4:5-4:66 structural",
        "operand %arg0",
        "attribute unit",
        "attribute size = 4 : i32",
        "operand destOperands = %0#1 : i32",
        "successor ^bb1",
        "symbol @f",
        "operand lhs = %1 : i32",
        "operand rhs = %0#0 : i32",
    ):
        assert line in lines
    assert any(line.startswith("func.func @f  3:3-10:4 exact") for line in lines)
    assert any(line.startswith("block ^bb1(%1: i32)  6:3-") for line in lines)


def test_syntax_errors_are_listed_after_the_tree(tmp_path: Path) -> None:
    status, output = parse(tmp_path, TEXT.replace("(%1, %0#0)", "(%1, )"))
    assert status == 1
    last = output.splitlines()[-1]
    assert last.startswith("error 8:")
    assert "arith.addi" in output


def test_long_values_are_cut_in_the_text_only(tmp_path: Path) -> None:
    value = f'"{"x" * 1000}"'
    text = f"my.op {{a = {value}}}\n"
    _, output = parse(tmp_path, text)
    assert max(map(len, output.splitlines())) < 200
    _, output = parse(tmp_path, text, "--format", "json")
    assert json.loads(output)["members"][0]["attributes"] == [{"name": "a", "value": value}]
