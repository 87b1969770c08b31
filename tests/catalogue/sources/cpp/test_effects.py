"""Effects that bodies of ``getEffects`` give an operation, in the forms in which projects write them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    ConditionalEffect,
    EffectSource,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    RegionDefinition,
    ResultDefinition,
    SourcePlace,
)
from tdls.catalogue.sources.cpp import joined, read_sources
from tdls.structs import replace

FILE = Path("MyOps.cpp")
BODIES = Path(__file__).with_name("effect_bodies.cpp")
OPERATION = OperationDefinition(
    "transform.my.fuse",
    operands=(
        OperandDefinition("target"),
        OperandDefinition("anchor_op", arity=Arity.OPTIONAL),
        OperandDefinition("sizes", arity=Arity.VARIADIC),
    ),
    results=(ResultDefinition("fused"), ResultDefinition("loops", arity=Arity.VARIADIC)),
    attributes=(
        AttributeDefinition("keep", "UnitAttr", optional=True),
        AttributeDefinition("deep", "BoolAttr", default="false"),
        AttributeDefinition("depth", "I64Attr"),
    ),
    regions=(RegionDefinition("body"),),
)

CONSUMES, READS, PRODUCES = HandleEffect.CONSUMES, HandleEffect.READS, HandleEffect.PRODUCES
NONE, UNKNOWN = HandleEffect.NONE, HandleEffect.UNKNOWN


@dataclass(frozen=True)
class Declared:
    """As `TableGenOperation`."""

    definition: OperationDefinition = OPERATION
    cpp_class: str = "mlir::transform::my::FuseOp"
    declares_effects: bool = True
    cpp_code: str = ""


def source(body: str, before: str = "") -> str:
    return f"""
// A file in the style of a project.
#include "My/MyOps.h"
using namespace mlir;
{before}
void transform::my::FuseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {{
{body}
}}
"""


def values_of(definition: OperationDefinition) -> list[OperandDefinition | ResultDefinition]:
    return [*definition.operands, *definition.results]


def effects_of(definition: OperationDefinition) -> tuple[HandleEffect, ...]:
    return tuple(value.effect for value in values_of(definition))


def definition_of(text: str, operation: OperationDefinition = OPERATION) -> OperationDefinition:
    return joined(Declared(operation), read_sources({FILE: text}))[0]


def cases() -> list[Any]:
    """Bodies with the effects that are expected, from ``effect_bodies.cpp``."""
    pieces = BODIES.read_text(encoding="utf-8").split("// expect:")[1:]
    expected = [dict(word.split("=") for word in piece.partition("\n")[0].split()) for piece in pieces]
    bodies = [piece.partition("\n")[2].strip() for piece in pieces]
    return [pytest.param(body, effects, id=body[:60]) for body, effects in zip(bodies, expected, strict=True)]


@pytest.mark.parametrize(("body", "expected"), cases())
def test_handles(body: str, expected: dict[str, str]) -> None:
    definition = definition_of(source(body))
    found = {value.name: value.effect.value for value in values_of(definition)}
    assert found == dict.fromkeys(found, "none") | expected


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        ("", PayloadEffect.NONE),
        ("modifiesPayload(effects);", PayloadEffect.MODIFIES),
        ("transform::onlyReadsPayload(effects);", PayloadEffect.READS),
        ("onlyReadsPayload(effects);\nif (isParam()) return;\nmodifiesPayload(effects);", PayloadEffect.MODIFIES),
        ("addMore(effects);", PayloadEffect.UNKNOWN),
        ("effects.emplace_back(MemoryEffects::Write::get(), PayloadIRResource::get());", PayloadEffect.MODIFIES),
        ("effects.emplace_back(MemoryEffects::Read::get(), PayloadIRResource::get());", PayloadEffect.READS),
        ("if (getKeep()) onlyReadsPayload(effects);", PayloadEffect.READS),
    ],
)
def test_payload(body: str, effect: PayloadEffect) -> None:
    assert definition_of(source(body)).payload_effect is effect


@pytest.mark.parametrize(
    ("condition", "exception"),
    [
        ("getKeep()", ConditionalEffect("keep", READS)),
        ("getKeepAttr()", ConditionalEffect("keep", READS)),
        ("(*this).getKeep()", ConditionalEffect("keep", READS)),
        ("getDeep()", ConditionalEffect("deep", READS, "true")),
        ("getDeep() && !getDeep() || this->getDeep()", ConditionalEffect("deep", READS, "true")),
    ],
)
def test_attributes_decide(condition: str, exception: ConditionalEffect) -> None:
    reads, consumes = "onlyReadsHandle(getTargetMutable(), effects);", "consumesHandle(getTargetMutable(), effects);"
    for body in (
        f"if ({condition})\n  {reads}\nelse\n  {consumes}",
        f"if ({condition}) {{ {reads} return; }}\n{consumes}",
        f"if (!({condition})) {{ {consumes} }} else {{ {reads} }}",
        f"bool keeps = {condition};\nif (!keeps) {consumes}\nelse {reads}",
        f"{reads}\nif ({condition}) return;\n{consumes}",
    ):
        target = definition_of(source(body)).operands[0]
        assert (target.effect, target.effect_when) == (CONSUMES, (exception,)), body


@pytest.mark.parametrize("condition", ["getDepth()", "getDepth() == 1", "getDeepAttr()", "getKeep() && getDeep()"])
def test_conditions_that_no_exception_can_say(condition: str) -> None:
    definition = definition_of(source(f"if ({condition}) consumesHandle(getTargetMutable(), effects);"))
    assert effects_of(definition) == (UNKNOWN, NONE, NONE, NONE, NONE)


def test_effects_of_the_region() -> None:
    definition = definition_of(source("getPotentialTopLevelEffects(effects);"))
    assert definition.effect_source is EffectSource.REGION
    assert effects_of(definition) == (UNKNOWN, UNKNOWN, UNKNOWN, PRODUCES, PRODUCES)


def test_a_list_of_another_name_for_its_type() -> None:
    text = source("consumesHandle(getTargetMutable(), effects);")
    renamed = text.replace("SmallVectorImpl<MemoryEffects::EffectInstance>", "EffectList")
    assert effects_of(definition_of(renamed))[0] is CONSUMES
    unnamed = source("").replace(" &effects", " &")
    assert effects_of(definition_of(unnamed)) == (NONE,) * 5


TRAIT = """
namespace mlir::transform {
template <typename OpTy>
class ReadsEverythingTrait : public OpTrait::TraitBase<OpTy, ReadsEverythingTrait> {
public:
  static LogicalResult verifyTrait(Operation *op) { return success(); }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    onlyReadsHandle(this->getOperation()->getOpOperands(), effects);
    producesHandle(this->getOperation()->getOpResults(), effects);
    onlyReadsPayload(effects);
  }
};
}
"""


def test_traits_of_the_project() -> None:
    operation = replace(OPERATION, traits=frozenset(("ReadsEverythingTrait", "TransformOpInterface")))
    definition = joined(Declared(operation, declares_effects=False), read_sources({FILE: TRAIT}))[0]
    assert effects_of(definition) == (READS, READS, READS, PRODUCES, PRODUCES)


def test_traits_that_inherit() -> None:
    inherited = """
template <typename OpTy>
class SingleTrait : public mlir::transform::ReadsEverythingTrait<OpTy>, private Other {
  DiagnosedSilenceableFailure apply() { return DiagnosedSilenceableFailure::success(); }
};
"""
    operation = replace(OPERATION, traits=frozenset(("SingleTrait",)))
    facts = read_sources({FILE: TRAIT, Path("Traits.h"): inherited})
    assert effects_of(joined(Declared(operation), facts)[0]) == (READS, READS, READS, PRODUCES, PRODUCES)


def test_loops_over_operands_that_an_operation_does_not_have() -> None:
    text = source("""
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    onlyReadsHandle(operand, effects);
    if (isa<TransformHandleTypeInterface>(operand.get().getType()))
      onlyReadsPayload(effects);
  }""")
    assert definition_of(text, replace(OPERATION, operands=())).payload_effect is PayloadEffect.NONE
    assert definition_of(text).payload_effect is PayloadEffect.READS
    assert effects_of(definition_of(text))[:3] == (READS, READS, READS)


def test_members_that_tablegen_has() -> None:
    place = SourcePlace(Path("Ops.td"), 7)
    code = """
  StringRef getTitle() { return "}"; }
  void getEffects(::llvm::SmallVectorImpl<
      ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
    consumesHandle(getTargetMutable(), effects);
    addMore(effects);
  }
  bool allowsRepeatedHandleOperands() { return true; }
"""
    operation = Declared(replace(OPERATION, defined_at=place), cpp_code=code)
    definition, (problem,) = joined(operation, read_sources({}))
    assert effects_of(definition)[:2] == (CONSUMES, UNKNOWN)
    assert definition.takes_repeated
    assert (problem.path, problem.line) == (place.path, place.line)


@pytest.mark.parametrize(
    "body",
    [
        "auto x = getTarget();" + "x = x + x; auto x = x + x;" * 100,
        "auto a = b(a, a);" * 200,
        "".join(f"auto f{i} = [&] {{ f{i - 1}(); f{i - 1}(); add(effects); }};" for i in range(60)) + "f59();",
        "".join(f"for (auto x{i} : getOperation()->getOpOperands()) if (c()) {{" for i in range(60)),
        "{" * 2000,
        "if (x) return; else " * 1000,
    ],
    ids=range(6),
)
def test_hostile_bodies_end_soon(body: str) -> None:
    assert set(effects_of(definition_of(source(body)))) <= {NONE, UNKNOWN}


def test_the_example_of_the_documentation() -> None:
    page = (Path(__file__).parents[4] / "docs" / "catalogue.md").read_text(encoding="utf-8")
    text = page.partition("```cpp\n")[2].partition("```")[0]
    preserve = AttributeDefinition("preserve_handles", "UnitAttr", optional=True)
    definition = definition_of(text, replace(OPERATION, attributes=(preserve,)))
    assert effects_of(definition) == (CONSUMES, NONE, READS, PRODUCES, PRODUCES)
    assert definition.operands[0].effect_when == (ConditionalEffect("preserve_handles", READS),)
    assert definition.payload_effect is PayloadEffect.MODIFIES


def test_reasons() -> None:
    text = source("consumesHandle(getTargetMutable(), effects);\nif (odd())\n  addMore(effects);")
    definition, problems = joined(Declared(), read_sources({FILE: text}))
    assert effects_of(definition)[0] is CONSUMES
    assert [(problem.path, text.splitlines()[problem.line].strip()) for problem in problems] == [
        (FILE, "addMore(effects);"),
        (FILE, "if (odd())"),
    ]
    assert "'addMore'" in problems[0].message
    assert "transform.my.fuse" in problems[0].message


def test_known_effects_need_no_reason() -> None:
    text = source("if (odd()) modifiesPayload(effects);")
    assert joined(Declared(), read_sources({FILE: text}))[1] == ()


def test_effects_of_a_class_in_cpp_hide_those_of_traits() -> None:
    operation = replace(
        OPERATION, operands=(OperandDefinition("target", effect=READS),), payload_effect=PayloadEffect.NONE
    )
    text = source("consumesHandle(getTargetMutable(), effects);")
    definition = joined(Declared(operation, declares_effects=False), read_sources({FILE: text}))[0]
    assert definition.operands[0].effect is CONSUMES
    assert [place.line for place in definition.implemented_at] == [5]


def test_operations_of_the_payload_have_no_handles() -> None:
    payload, step = replace(OPERATION, name="my.fuse"), frozenset(("TransformOpInterface",))
    text = source("consumesHandle(getTargetMutable(), effects);")
    assert effects_of(definition_of(text, payload)) == (UNKNOWN,) * 5
    assert effects_of(definition_of(text, replace(payload, traits=step)))[0] is CONSUMES


def test_without_a_body_all_is_as_before() -> None:
    assert joined(Declared(), read_sources({FILE: "int main() {}"})) == (OPERATION, ())


@pytest.mark.parametrize(
    ("texts", "what"),
    [([], "no body"), ([source("")], None), ([source(""), source("addMore(effects);")], "several bodies")],
)
def test_bodies_that_are_missing_are_named(texts: list[str], what: str | None) -> None:
    operation = replace(OPERATION, defined_at=SourcePlace(Path("Ops.td"), 7))
    facts = read_sources({Path(f"{number}.cpp"): text for number, text in enumerate(texts)})
    found = joined(Declared(operation), facts)[1]
    expected = [f"{what} of 'getEffects' {'was' if what == 'no body' else 'were'} found for the class"] if what else []
    assert [problem.message.partition(" 'mlir::")[0] for problem in found] == expected
    assert [(problem.path, problem.line) for problem in found] == [(Path("Ops.td"), 7)] * len(expected)
