"""Dialects described in IRDL, as tdls reads them and as mlir-opt registers them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdls.catalogue.model import Arity, HandleEffect, OperandDefinition, OperationDefinition, ResultDefinition
from tdls.project.scanning.irdl import read_irdl
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = Path("ore.irdl")
DIALECT = """
module {
  irdl.dialect @ore {
    irdl.type @lump
    irdl.type @vein {
      %0 = irdl.any
      %1 = irdl.is i32
      irdl.parameters(metal: %0, depth: %1)
    }
    irdl.attribute @grade {
      %0 = irdl.any
      irdl.parameters(value: %0)
    }
    irdl.operation @melt {
      %0 = irdl.is i32
      %1 = irdl.is f32
      irdl.operands(lump: %0, flux: variadic %1)
      irdl.results(bar: %1)
      irdl.attributes { "heat" = %0 }
    }
    irdl.operation @mix {
      %0 = irdl.is i32
      irdl.operands(first: optional %0, rest: variadic %0)
      irdl.results(left: optional %0, right: optional %0)
    }
    irdl.operation @dig {
      %0 = irdl.region
      %1 = irdl.region with size 1
      irdl.regions(shaft: %0, gallery: %1)
    }
    irdl.operation @assay {
      %0 = irdl.base @ore::@lump
      %1 = irdl.base "!builtin.integer"
      %2 = irdl.any_of(%0, %1)
      %3 = irdl.parametric @ore::@vein<%2, %1>
      irdl.operands(sample: %2, vein: %3, other: %4)
    }
    irdl.operation @wait
  }
}
"""


def found() -> dict[str, OperationDefinition]:
    return {definition.name: definition for definition in read_irdl(FILE, DIALECT).operations}


def shape(values: Sequence[OperandDefinition | ResultDefinition]) -> list[tuple[str, Arity, str]]:
    return [(value.name, value.arity, value.constraint) for value in values]


def test_operations() -> None:
    melt, assay = found()["ore.melt"], found()["ore.assay"]
    assert shape(melt.operands) == [("lump", Arity.ONE, "i32"), ("flux", Arity.VARIADIC, "f32")]
    assert shape(melt.results) == [("bar", Arity.ONE, "f32")]
    assert [(attribute.name, attribute.constraint, attribute.optional) for attribute in melt.attributes] == [
        ("heat", "i32", False)
    ]
    assert [operand.type for operand in melt.operands] == ["i32", "f32"]
    assert melt.traits == frozenset()
    assert {operand.effect for operand in melt.operands} == {HandleEffect.UNKNOWN}
    assert found()["ore.mix"].traits == {"AttrSizedOperandSegments", "AttrSizedResultSegments"}
    assert [region.name for region in found()["ore.dig"].regions] == ["shaft", "gallery"]
    assert [operand.constraint for operand in assay.operands] == ["!ore.lump | !builtin.integer", "!ore.vein", ""]
    assert found()["ore.wait"] == OperationDefinition("ore.wait", defined_at=found()["ore.wait"].defined_at)


def test_types_and_attributes() -> None:
    definitions = read_irdl(FILE, DIALECT)
    lump, vein = definitions.types
    assert (lump.name, lump.parameters, lump.assembly_format) == ("ore.lump", (), None)
    assert [(parameter.name, parameter.type) for parameter in vein.parameters] == [("metal", "any"), ("depth", "i32")]
    assert vein.assembly_format == "`<` $metal `,` $depth `>`"
    assert [attribute.name for attribute in definitions.attributes] == ["ore.grade"]


def test_places() -> None:
    lines = DIALECT.splitlines()
    for definition in found().values():
        assert definition.defined_at is not None
        text = lines[definition.defined_at.line][definition.defined_at.column :]
        assert text.startswith(f"@{definition.name.partition('.')[2]}")


GENERIC = """"irdl.operands"(%0, %0) <{
  names = ["first", "rest"], variadicity = #irdl<variadicity_array[ single, variadic]>
}> : (!irdl.attribute, !irdl.attribute) -> ()"""


@pytest.mark.parametrize("operands", ["irdl.operands(first: %0, rest: variadic %0)", GENERIC])
def test_both_forms(operands: str) -> None:
    text = f"irdl.dialect @ore {{ irdl.operation @mix {{ %0 = irdl.any\n {operands} }} }}"
    (mix,) = read_irdl(FILE, text).operations
    assert shape(mix.operands) == [("first", Arity.ONE, "any"), ("rest", Arity.VARIADIC, "any")]


def test_lists_without_names() -> None:
    text = "irdl.dialect @ore { irdl.operation @mix { %0 = irdl.is i32\n irdl.operands(%0, variadic %0) } }"
    (mix,) = read_irdl(FILE, text).operations
    assert shape(mix.operands) == [("operand0", Arity.ONE, "i32"), ("operand1", Arity.VARIADIC, "i32")]


def test_an_error_costs_its_operation_only() -> None:
    text = DIALECT.replace("irdl.results(bar: %1)", "irdl.results(bar: )")
    definitions = read_irdl(FILE, text)
    assert {operation.name for operation in definitions.operations} == set(found())
    (problem,) = definitions.problems
    assert "irdl.results" in text.splitlines()[problem.line]


@pytest.mark.parametrize("text", ["", "irdl.dialect", "irdl.dialect @a {", "irdl.operation @b {}", "func.func @f()"])
def test_any_text_is_read(text: str) -> None:
    assert read_irdl(FILE, text).operations == ()


@settings(max_examples=60)
@given(st.integers(0, len(DIALECT) - 1), st.integers(1, 40))
def test_damaged_text_is_read(start: int, length: int) -> None:
    text = DIALECT[:start] + DIALECT[start + length :]
    definitions = read_irdl(FILE, text)
    lines = text.count("\n")
    assert all(0 <= problem.line <= lines for problem in definitions.problems)
    places = [operation.defined_at for operation in definitions.operations]
    assert all(place is not None and text.splitlines()[place.line][place.column] == "@" for place in places)


def instance(definition: OperationDefinition, operands: int) -> str:
    """An operation of this definition in the generic form, with `operands` of them."""
    types = [operand.type or "" for operand in definition.operands] or ["i32"]
    types = (types + types[-1:] * operands)[:operands]
    sizes = f"operandSegmentSizes = array<i32: {min(operands, 1)}, {max(operands - 1, 0)}>, "
    sizes += "resultSegmentSizes = array<i32: 0, 0>"
    properties = (
        sizes
        if definition.traits
        else ", ".join(f"{attribute.name} = {attribute.constraint}" for attribute in definition.attributes)
    )
    values = ", ".join(f"%{type_}" for type_ in types)
    results = ", ".join(result.type or "" for result in definition.results if result.arity is Arity.ONE)
    return f'"{definition.name}"({values}) {{{properties}}} : ({", ".join(types)}) -> ({results})'


@pytest.mark.parametrize(
    ("name", "counts"), [("ore.melt", [1, 2, 3]), ("ore.mix", [0, 1, 2, 3]), ("ore.wait", [0])], ids=str
)
def test_mlir_accepts_instances_of_the_definition(name: str, counts: list[int], tmp_path: Path) -> None:
    tool = require_mlir_opt(22)
    (tmp_path / "ore.irdl").write_text(DIALECT.replace(", other: %4", ""), encoding="utf-8")
    definition = found()[name]
    for count in range(4):
        values = '%i32 = "test.value"() : () -> i32\n%f32 = "test.value"() : () -> f32\n'
        text = f"{values}{instance(definition, count)}\n"
        (tmp_path / "use.mlir").write_text(text, encoding="utf-8")
        irdl, use = tmp_path / "ore.irdl", tmp_path / "use.mlir"
        command = [str(tool), f"--irdl-file={irdl}", "--allow-unregistered-dialect", str(use)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (count in counts), done.stderr
