"""The tools that build the facts, on small inputs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from facts.additions import completed
from facts.bindings import read_bindings, same_signature, signature
from facts.build import rebuild
from facts.deduction import with_effects
from facts.effects import Observation
from facts.installation import Installation
from facts.instances import instances
from facts.oracles import consumed_in_wrapper
from facts.records import FactsError, Records, dump
from facts.writing import merged, write_dialect
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    ConditionalEffect,
    EffectSource,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
)
from tdls.catalogue.shipped import FACTS_FOLDER, ShippedSource
from tdls.catalogue.sources.ods import constraints
from tdls.catalogue.sources.ods.definitions import RecordIndex
from tdls.settings.llvm_versions import newest_version
from tdls.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

MAIN = newest_version()

BOUND = """
class FuseOp(_ods_ir.OpView):
  OPERATION_NAME = "my.fuse"
  _ODS_OPERAND_SEGMENTS = [1,-1,0,]
  _ODS_REGIONS = (1, True)

  def __init__(self, results_, target, sizes, from_, depth, *, flag=None, loc=None, ip=None):
    operands = []
    attributes = {}
    operands.append(target)
    operands.append(_get_op_results_or_values(sizes))
    operands.append(from_)
    attributes["depth"] = (depth if (
      isinstance(depth, _ods_ir.Attribute) or
      not _ods_ir.AttrBuilder.contains('my.I64Attr')) else
        _ods_ir.AttrBuilder.get('my.I64Attr')(depth, context=_ods_context))
    if bool(flag): attributes["flag"] = _ods_ir.UnitAttr.get(loc)
    results = []
    results.extend(results_)
    _ods_successors = []
    _ods_successors.append(next)
    super().__init__(self.OPERATION_NAME)

  @builtins.property
  def results_(self) -> _ods_ir.OpResultList:
    return self.operation.results[0:0 + 1]

  @builtins.property
  def body(self) -> _ods_ir.Region:
    return self.regions[0]

class FuseOpAdaptor(_ods_ir.OpAdaptor):
  OPERATION_NAME = "my.fuse"
"""
TARGET = OperandDefinition("target", "TransformHandleTypeInterface")
KEEP = AttributeDefinition("keep", "UnitAttr", optional=True)


def observations(definition: OperationDefinition, consumes: str) -> list[Observation]:
    """Observations in which the first operand is consumed where `consumes` does not occur in the instance."""
    return [
        Observation(
            instance,
            (HandleEffect.READS if consumes in instance.operation else HandleEffect.CONSUMES,),
            (),
            PayloadEffect.MODIFIES,
        )
        for instance in instances(definition, 1)
    ]


def test_bindings_are_read_without_importing_them(tmp_path: Path) -> None:
    (tmp_path / "_my_ops_gen.py").write_text(BOUND, encoding="utf-8")
    (tmp_path / "_torch_ops_gen.py").write_text(BOUND.replace("my.fuse", "torch.fuse"), encoding="utf-8")
    (definition,) = read_bindings(tmp_path).values()
    assert definition.name == "my.fuse"
    assert [(operand.name, operand.arity) for operand in definition.operands] == [
        ("target", Arity.ONE),
        ("sizes", Arity.VARIADIC),
        ("from", Arity.OPTIONAL),
    ]
    assert [(result.name, result.arity) for result in definition.results] == [("results", Arity.VARIADIC)]
    assert [(attribute.name, attribute.constraint, attribute.optional) for attribute in definition.attributes] == [
        ("depth", "I64Attr", False),
        ("flag", "UnitAttr", True),
    ]
    assert [region.name for region in definition.regions] == ["body"]
    assert [successor.name for successor in definition.successors] == ["next"]
    assert not definition.format_known


def test_signatures_differ_where_a_reader_would_notice() -> None:
    definition = OperationDefinition("my.op", (TARGET,), attributes=(KEEP,))
    same = signature(definition)
    unnamed = replace(KEEP, constraint="anonymous_12")
    assert same_signature(same, signature(replace(definition, attributes=(unnamed,))))
    for other in (
        replace(definition, operands=()),
        replace(definition, operands=(replace(TARGET, arity=Arity.VARIADIC),)),
        replace(definition, attributes=(replace(KEEP, optional=False),)),
        replace(definition, attributes=(replace(KEEP, constraint="BoolAttr"),)),
    ):
        assert not same_signature(same, signature(other))


def test_equal_definitions_become_one() -> None:
    at = {version: OperationDefinition("my.op", versions=(version,)) for version in (19, 22)}
    changed = replace(at[22], summary="new", versions=(23,))
    tables = [{"my.op": changed}, {"my.op": at[22]}, {"my.op": at[19]}]
    assert merged(tables) == {"my.op": [changed, replace(at[22], versions=(19, 22))]}


def test_written_facts_are_found(tmp_path: Path) -> None:
    definitions = {name: OperationDefinition(name, (TARGET,), versions=(22,)) for name in ("my.a", "my.a.b", "my.ab")}
    write_dialect(tmp_path, "my", [Installation(22, definitions)])
    source = ShippedSource(tmp_path)
    assert source.operations.names("my") == ("my.a", "my.a.b", "my.ab")
    for name, definition in definitions.items():
        assert source.operations.variants(name) == (replace(definition, source="LLVM 22"),)
    assert source.operations.variants("my.") == ()


def test_an_attribute_that_decides_is_found() -> None:
    definition = OperationDefinition("my.op", (TARGET,), attributes=(KEEP, replace(KEEP, name="other")))
    (operand,) = with_effects(definition, observations(definition, "keep")).operands
    assert operand.effect is HandleEffect.CONSUMES
    assert operand.effect_when == (ConditionalEffect("keep", HandleEffect.READS),)


def test_a_body_that_decides_is_found() -> None:
    definition = Catalogue.shipped().operation("transform.foreach")
    assert definition is not None
    bare = replace(definition, effect_source=EffectSource.FIXED, attributes=(), results=())
    seen = [
        Observation(
            instance,
            tuple(
                HandleEffect.CONSUMES if number in instance.consumed_arguments else HandleEffect.READS
                for number in range(sum(instance.operand_counts))
            ),
            (),
            PayloadEffect.MODIFIES if instance.consumed_arguments else PayloadEffect.NONE,
        )
        for instance in instances(bare, 1)
    ]
    found = with_effects(bare, seen)
    assert found.effect_source is EffectSource.REGION
    assert found.operands[0].effect is HandleEffect.UNKNOWN
    assert found.payload_effect is PayloadEffect.UNKNOWN


def test_undecided_conditions_are_an_error() -> None:
    definition = OperationDefinition("my.op", (replace(TARGET, arity=Arity.VARIADIC),))
    with pytest.raises(FactsError, match=r"my\.op: the effect on 'target' is one of \['consumes', 'reads'\]"):
        with_effects(
            definition,
            [
                Observation(instance, effects, (), PayloadEffect.NONE)
                for instance in instances(definition, 0)
                for effects in ((HandleEffect.READS,), (HandleEffect.CONSUMES,))
            ],
        )


def test_consumed_arguments_are_read_off_a_printed_sequence() -> None:
    head = 'transform.named_sequence @wrapper(%arg0: !transform.op<"a(b)"> {transform.consumed}, %arg1: i32 '
    assert consumed_in_wrapper(head + "{transform.readonly}) {\n") == frozenset({0})
    assert consumed_in_wrapper(head + "{transform.consumed}) -> !transform.any_op {\n") == frozenset({0, 1})
    assert consumed_in_wrapper("module {\n}") is None


@pytest.mark.parametrize(
    ("builder", "spelled"),
    [
        ("$_builder.getIntegerType(32)", "i32"),
        ("$_builder.getF32Type()", "f32"),
        ("$_builder.getIndexType()", "index"),
        ("::mlir::VectorType::get({4} ,$_builder.getF16Type())", "vector<4xf16>"),
        ("$_builder.getType<::mlir::LLVM::LLVMPointerType>(3)", "!llvm.ptr<3>"),
        ("mlir::gpu::AsyncTokenType::get($_builder.getContext())", "!gpu.async.token"),
        ("somethingElse()", None),
    ],
)
def test_builders_are_spelled(builder: str, spelled: str | None) -> None:
    definitions = RecordIndex(Records("x.td", {"!instanceof": {}}))
    constraint = {"builderCall": builder, "!superclasses": [], "!anonymous": False, "!name": "X"}
    assert constraints.only_type(definitions, constraint) == spelled


def test_a_missing_include_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="no such folder; give the include folder"):
        list(dump(tmp_path / "missing", "llvm-tblgen-22"))


@pytest.mark.parametrize("version", [19, 22, 23, MAIN])
@pytest.mark.parametrize("dialect", ["linalg", "transform"])
def test_facts_written_by_hand_are_shipped(dialect: str, version: int) -> None:
    catalogue = Catalogue.shipped()
    names = catalogue.operation_names(dialect)
    variants = [
        definition for name in names for definition in catalogue.variants(name) if version in definition.versions
    ]
    shipped = {definition.name: definition for definition in variants}
    assert completed(Installation(version, dict(shipped))).operations == shipped


def test_facts_written_by_hand_are_in_the_generated_ones(tmp_path: Path) -> None:
    shutil.copytree(FACTS_FOLDER, tmp_path, dirs_exist_ok=True)
    rebuild(tmp_path)
    for dialect in ("_index", "_versions", "_changes", "linalg", "transform"):
        shipped = (FACTS_FOLDER / f"{dialect}.json").read_text(encoding="utf-8")
        assert (tmp_path / f"{dialect}.json").read_text(encoding="utf-8") == shipped
