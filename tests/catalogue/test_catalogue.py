"""Queries of the floors above to the catalogue."""

from __future__ import annotations

import pytest

from tdls.catalogue.catalogue import TOP_LEVEL_DIALECT, Catalogue
from tdls.catalogue.model import (
    Arity,
    AttributeSpelling,
    EffectSource,
    HandleEffect,
    OperationDefinition,
    PayloadEffect,
    handle_effect,
)
from tdls.catalogue.shipped import FACTS_FOLDER, ShippedSource
from tdls.catalogue.source import MemorySource
from tdls.settings.llvm_versions import newest_version

MAIN = newest_version()
SHIPPED = Catalogue.shipped()


def definition_of(name: str, catalogue: Catalogue = SHIPPED) -> OperationDefinition:
    definition = catalogue.operation(name)
    assert definition is not None, name
    return definition


def test_a_definition_says_all_that_ods_says() -> None:
    definition = next(
        definition
        for definition in SHIPPED.variants("transform.structured.tile_using_for")
        if 22 in definition.versions
    )
    assert [(operand.name, operand.arity, operand.effect) for operand in definition.operands] == [
        ("target", Arity.ONE, HandleEffect.CONSUMES),
        ("dynamic_sizes", Arity.VARIADIC, HandleEffect.READS),
    ]
    assert [(result.name, result.arity, result.effect) for result in definition.results] == [
        ("tiled_linalg_op", Arity.ONE, HandleEffect.PRODUCES),
        ("loops", Arity.VARIADIC, HandleEffect.PRODUCES),
    ]
    assert [
        (attribute.name, attribute.constraint, attribute.optional, attribute.default)
        for attribute in definition.attributes
    ] == [
        ("static_sizes", "DenseI64ArrayAttr", True, "{}"),
        ("interchange", "DenseI64ArrayAttr", True, "{}"),
        ("scalable_sizes", "DenseBoolArrayAttr", True, "{}"),
    ]
    assert definition.assembly_format is not None
    assert definition.assembly_format.startswith("$target `tile_sizes` custom<DynamicIndexList>(")
    assert definition.traits == {
        "MemoryEffectOpInterface",
        "ReportTrackingListenerFailuresOpTrait",
        "TransformOpInterface",
    }
    assert definition.payload_effect is PayloadEffect.MODIFIES
    assert "transform.structured.tile" in definition.former_names
    assert definition.source == "LLVM 19 to 22"
    assert definition.dialect == "transform"


def test_variants_stand_newest_first() -> None:
    versions = [definition.versions for definition in SHIPPED.variants("transform.structured.fuse")]
    assert versions == [(MAIN,), (23,), (22,), (20, 21), (18, 19)]
    assert definition_of("transform.structured.fuse").versions == (MAIN,)


def test_a_known_format_goes_before_a_newer_unknown_one() -> None:
    newest = SHIPPED.variants("gpu.barrier")[0]
    assert (newest.versions, newest.format_known) == ((23, MAIN), False)
    assert definition_of("gpu.barrier").format_known


def test_unknown_names_have_no_definition() -> None:
    paths = ("../facts/arith.addi", "_index.a", f"{'a' * 300}.b")
    for name in ("transform.nope", "nodialect.op", "arith", "", "transform.", "a b.c", *paths):
        assert SHIPPED.operation(name) is None
        assert SHIPPED.variants(name) == ()


@pytest.mark.parametrize(
    ("operation", "attribute", "spelling", "value_type", "cases"),
    [
        ("transform.include", "failure_propagation_mode", AttributeSpelling.KEYWORD, "i32", ("propagate", "suppress")),
        ("transform.named_sequence", "sym_name", AttributeSpelling.SYMBOL_NAME, None, ()),
        ("transform.structured.tile_using_for", "interchange", AttributeSpelling.DENSE_ARRAY, None, ()),
        ("transform.structured.split", "dimension", AttributeSpelling.ATTRIBUTE, "i64", ()),
        ("arith.addi", "overflowFlags", AttributeSpelling.CUSTOM, None, ("none", "nsw", "nuw")),
        ("affine.linearize_index", "disjoint", AttributeSpelling.PROPERTY, None, ()),
    ],
)
def test_attributes_say_how_they_are_written(
    operation: str, attribute: str, spelling: AttributeSpelling, value_type: str | None, cases: tuple[str, ...]
) -> None:
    variants = [definition for definition in SHIPPED.variants(operation) if 22 in definition.versions]
    found = next(described for described in variants[0].attributes if described.name == attribute)
    assert (found.spelling, found.type, found.cases) == (spelling, value_type, cases)


def test_only_types_are_spelled() -> None:
    assert definition_of("scf.if").operands[0].type == "i1"
    assert definition_of("transform.apply_cse").operands[0].type is None
    lowered = definition_of("transform.structured.lower_pack").operands[0]
    assert (lowered.type, lowered.custom_type) == ('!transform.op<"linalg.pack">', "transform.op")
    assert definition_of("gpu.wait").results[0].type == "!gpu.async.token"


def test_traits_for_type_inference_are_kept() -> None:
    assert "SameOperandsAndResultType" in definition_of("arith.addi").traits
    assert "AllTypesMatch<lowerBound,upperBound,step>" in definition_of("scf.for").traits
    assert "TypesMatchWith<lhs,result,::getI1SameShape($_self)>" in definition_of("arith.cmpi").traits
    assert "SingleBlockImplicitTerminator<YieldOp>" in definition_of("transform.foreach").traits


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("builtin.module", "builtin"),
        ("func.func", "func"),
        ("transform.sequence", "transform"),
        ("transform.foreach", None),
        ("pdl.pattern", "pdl"),
        ("transform.named_sequence", None),
        ("scf.for", None),
        ("my.unknown", None),
    ],
)
def test_default_dialects(name: str, default: str | None) -> None:
    assert SHIPPED.default_dialect(name) == default
    assert TOP_LEVEL_DIALECT == "builtin"


@pytest.mark.parametrize(
    ("former", "name", "last_version"),
    [
        ("transform.structured.tile", "transform.structured.tile_using_for", 17),
        ("transform.loop.get_parent_for", "transform.get_parent_op", 17),
        (
            "transform.apply_patterns.x86vector.vector_contract_to_fma",
            "transform.apply_patterns.x86.vector_contract_to_fma",
            22,
        ),
        ("transform.vector.lower_vectors", "transform.apply_patterns.vector.lower_contraction", 16),
        ("tensor.pack", "linalg.pack", 20),
    ],
)
def test_former_names(former: str, name: str | None, last_version: int) -> None:
    rename = SHIPPED.renamed(former)
    assert rename is not None
    assert (rename.name, rename.last_version) == (name, last_version)
    assert SHIPPED.renamed("transform.structured.tile_using_for") is None
    if name is not None:
        assert former in definition_of(name).former_names


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("transform.structured.tile_using_fro", "transform.structured.tile_using_for"),
        ("transform.tile_using_for", "transform.structured.tile_using_for"),
        ("transfrom.yield", "transform.yield"),
        ("transform.named_sequnce", "transform.named_sequence"),
        ("linlg.matmul", "linalg.matmul"),
        ("arith.contsant", "arith.constant"),
        *[(name, None) for name in ("transform.my.place_herd", "acme.frobnicate", "x", "", "transform.air.herd")],
    ],
)
def test_did_you_mean(written: str, meant: str | None) -> None:
    assert next(iter(SHIPPED.similar(written)), None) == meant


def test_names_by_dialect() -> None:
    assert SHIPPED.operation_names("ub") == ("ub.poison", "ub.unreachable")
    assert SHIPPED.operation_names("nodialect") == ()
    assert set(SHIPPED.operation_names("scf")) <= set(SHIPPED.operation_names())
    assert {"transform", "builtin", "linalg"} <= SHIPPED.dialects()
    assert "transform.any_op" in SHIPPED.type_names("transform")
    assert SHIPPED.attribute_kind_names("ub") == ("ub.poison",)


def test_types_and_attributes_have_formats_and_parameters() -> None:
    handle, kind = SHIPPED.type_definition("transform.op"), SHIPPED.attribute_kind("arith.fastmath")
    assert handle is not None
    assert handle.assembly_format == "`<` $operation_name `>`"
    assert handle.interfaces == {"TransformHandleTypeInterface"}
    assert [parameter.name for parameter in handle.parameters] == ["operation_name"]
    assert kind is not None
    assert "nnan" in kind.cases
    attached = SHIPPED.type_definition("pdl.operation")
    assert attached is not None
    assert "TransformHandleTypeInterface" in attached.interfaces


def test_a_name_may_be_an_operation_and_an_attribute() -> None:
    assert definition_of("ub.poison").results
    assert SHIPPED.attribute_kind("ub.poison") is not None


@pytest.mark.parametrize(
    ("operation", "attributes", "effect"),
    [
        ("transform.apply_conversion_patterns", {}, HandleEffect.CONSUMES),
        ("transform.apply_conversion_patterns", {"preserve_handles": "unit"}, HandleEffect.READS),
        ("transform.structured.bufferize_to_allocation", {"bufferize_destination_only": "unit"}, HandleEffect.READS),
        ("transform.foreach", {}, HandleEffect.UNKNOWN),
    ],
)
def test_attributes_decide_some_effects(operation: str, attributes: dict[str, str], effect: HandleEffect) -> None:
    definition = definition_of(operation)
    assert handle_effect(definition, definition.operands[0], attributes) is effect


def test_bodies_and_callees_decide_others() -> None:
    assert definition_of("transform.foreach").effect_source is EffectSource.REGION
    assert definition_of("transform.include").effect_source is EffectSource.CALLEE
    assert definition_of("transform.alternatives").effect_source is EffectSource.FIXED


def test_definitions_without_versions_are_for_every_target() -> None:
    mine = Catalogue([MemorySource("mine", [OperationDefinition("my.op")])]).at(22)
    assert mine.operation_names("my") == ("my.op",)
    assert mine.is_at_target(mine.variants("my.op")[0])


def test_the_last_source_wins_and_the_first_catalogue_stays() -> None:
    first = MemorySource("first", [OperationDefinition("my.op", summary="first"), OperationDefinition("my.other")])
    second = MemorySource("second", [OperationDefinition("my.op", summary="second")])
    layered = SHIPPED.with_source(first).with_source(second)
    assert definition_of("my.op", layered).summary == "second"
    assert definition_of("my.other", layered).summary == ""
    assert definition_of("transform.yield", layered) == definition_of("transform.yield")
    assert layered.operation_names("my") == ("my.op", "my.other")
    assert "my" in layered.dialects()
    assert [source.name for source in layered.sources] == ["LLVM", "first", "second"]
    assert SHIPPED.operation("my.op") is None


def test_known_answers_are_kept_and_unknown_ones_computed_again() -> None:
    names: list[str] = []

    def names_of(known: Catalogue, name: str) -> tuple[str, ...]:
        names.append(name)
        return tuple(variant.name for variant in known.variants(name))

    answers = [SHIPPED.ask(names_of, name) for name in ("transform.yield", "transform.nothing") * 2]
    assert [set(answer) for answer in answers] == [{"transform.yield"}, set()] * 2
    assert names == ["transform.yield", "transform.nothing", "transform.nothing"]
    assert SHIPPED.incomplete().ask(names_of, "transform.yield") == answers[0]
    assert len(names) == 4


def test_kept_definitions_are_bounded() -> None:
    def numbered(_: Catalogue, number: int) -> int:
        return number

    assert [SHIPPED.ask(numbered, number) for number in range(1, 25_000)] == list(range(1, 25_000))
    assert len(SHIPPED._found) <= 10_000


def test_a_look_up_reads_only_the_file_of_its_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = type(FACTS_FOLDER).read_text

    def record(self: object, *arguments: object, **options: object) -> str:
        read.append(getattr(self, "name", ""))
        return str(original(self, *arguments, **options))  # type: ignore[arg-type]

    monkeypatch.setattr(type(FACTS_FOLDER), "read_text", record)
    source = ShippedSource()
    assert read == []
    assert source.operations.variants("arith.addi")
    assert source.operations.variants("arith.muli")
    assert source.attribute_kinds.variants("arith.fastmath")
    assert read == ["arith.json"]
