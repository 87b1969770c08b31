"""A project's definitions, mostly read without MLIR's own files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogue.sources.tablegen.projects import FOLDER, only_operation, read_project, read_text
from tdls.catalogue.model import Arity, AttributeSpelling, HandleEffect, PassOption, PayloadEffect, SourcePlace
from tdls.catalogue.sources.tablegen import parse, read_parsed

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition

CONSUMES, READS, PRODUCES = HandleEffect.CONSUMES, HandleEffect.READS, HandleEffect.PRODUCES
NONE, UNKNOWN = HandleEffect.NONE, HandleEffect.UNKNOWN
HANDLES = """
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$result);
"""


def effects(definition: OperationDefinition) -> list[HandleEffect]:
    return [operand.effect for operand in definition.operands] + [result.effect for result in definition.results]


def test_an_operation_of_a_project() -> None:
    operation = only_operation(
        """
        include "mlir/Dialect/Transform/IR/TransformDialect.td"
        def My_FuseOp : Op<Transform_Dialect, "my.fuse", [
            FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface, DeclareOpInterfaceMethods<TransformOpInterface>,
            AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">]> {
          let summary = "Fuse what "
                        "the handles  stand for";
          let description = [{
            Fuses.

              code
          }];
          let arguments = (ins Variadic<TransformHandleTypeInterface>:$targets,
                               Optional<TransformAnyParamTypeOrAnyHandle>:$size,
                               DefaultValuedOptionalAttr<I64Attr, "4">:$factor, UnitAttr:$deep,
                               OptionalAttr<DenseI64ArrayAttr>:$sizes, SymbolRefAttr:$callee,
                               ConfinedAttr<I32Attr, [IntMinValue<1>]>:$level);
          let results = (outs Transform_AnyOpType:$fused);
          let regions = (region SizedRegion<1>:$body, VariadicRegion<AnyRegion>:$others);
          let successors = (successor AnySuccessor:$next);
          let assemblyFormat = "$targets (`size` $size^)? attr-dict `:` "
                               "functional-type(operands, results)";
          let cppNamespace = [{ ::my::transform }];
        }
        """
    )
    definition = operation.definition
    assert definition.name == "transform.my.fuse"
    assert operation.cpp_class == "my::transform::FuseOp"
    assert definition.summary == "Fuse what the handles stand for"
    assert definition.description == "Fuses.\n\n  code"
    assert definition.defined_at == SourcePlace(FOLDER / "main.td", 2, 8)
    assert definition.assembly_format == ("$targets (`size` $size^)? attr-dict `:` functional-type(operands, results)")
    assert definition.traits == {
        *("FunctionalStyleTransformOpTrait", "MemoryEffectOpInterface", "TransformOpInterface"),
        *("AttrSizedOperandSegments", "SingleBlock", "SingleBlockImplicitTerminator<YieldOp>"),
    }
    assert [(operand.name, operand.arity, operand.constraint) for operand in definition.operands] == [
        ("targets", Arity.VARIADIC, "TransformHandleTypeInterface"),
        ("size", Arity.OPTIONAL, "TransformAnyParamTypeOrAnyHandle"),
    ]
    assert [(result.name, result.type) for result in definition.results] == [("fused", "!transform.any_op")]
    assert [
        (attribute.name, attribute.constraint, attribute.optional, attribute.default, attribute.spelling)
        for attribute in definition.attributes
    ] == [
        ("factor", "I64Attr", True, "4", AttributeSpelling.ATTRIBUTE),
        ("deep", "UnitAttr", True, None, AttributeSpelling.ATTRIBUTE),
        ("sizes", "DenseI64ArrayAttr", True, None, AttributeSpelling.DENSE_ARRAY),
        ("callee", "SymbolRefAttr", False, None, AttributeSpelling.ATTRIBUTE),
        ("level", "I32Attr", False, None, AttributeSpelling.ATTRIBUTE),
    ]
    assert [(region.name, region.constraint, region.variadic) for region in definition.regions] == [
        ("body", "SizedRegion<1>", False),
        ("others", "AnyRegion", True),
    ]
    assert [successor.name for successor in definition.successors] == ["next"]
    assert definition.format_known
    assert not operation.declares_effects


@pytest.mark.parametrize(
    ("traits", "expected", "payload"),
    [
        ("FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface", [CONSUMES, PRODUCES], PayloadEffect.MODIFIES),
        ("NavigationTransformOpTrait, MemoryEffectsOpInterface", [READS, PRODUCES], PayloadEffect.READS),
        ("MatchOpInterface, SingleOpMatcher, MemoryEffectsOpInterface", [READS, PRODUCES], PayloadEffect.READS),
        ("DeclareOpInterfaceMethods<PatternDescriptorOpInterface>", [NONE, NONE], PayloadEffect.NONE),
        ("Pure", [NONE, NONE], PayloadEffect.NONE),
        ("MemoryEffects<[MemWrite<PayloadIRResource>]>", [NONE, NONE], PayloadEffect.MODIFIES),
        ("TransformOpInterface", [UNKNOWN, UNKNOWN], PayloadEffect.UNKNOWN),
    ],
)
def test_effects_by_traits(traits: str, expected: list[HandleEffect], payload: PayloadEffect) -> None:
    operation = only_operation(f'def O : TransformDialectOp<"o", [{traits}]> {{ {HANDLES} }}')
    assert effects(operation.definition) == expected
    assert operation.definition.payload_effect is payload
    assert not operation.declares_effects


def test_parameters_do_not_read_the_payload() -> None:
    text = """
      def O : TransformDialectOp<"o", [ParamProducerTransformOpTrait, MemoryEffectsOpInterface]> {
        let arguments = (ins TransformParamTypeInterface:$param);
        let results = (outs TransformParamTypeInterface:$result);
      }
    """
    assert only_operation(text).definition.payload_effect is PayloadEffect.NONE


@pytest.mark.parametrize(
    "traits",
    [
        "MemoryEffectsOpInterface",
        "DeclareOpInterfaceMethods<MemoryEffectsOpInterface>",
        "DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, FunctionalStyleTransformOpTrait",
    ],
)
def test_effects_in_cpp_stay_unknown(traits: str) -> None:
    operation = only_operation(f'def O : TransformDialectOp<"o", [{traits}]> {{ {HANDLES} }}')
    assert operation.declares_effects
    assert effects(operation.definition) == [UNKNOWN, UNKNOWN]
    assert operation.definition.payload_effect is PayloadEffect.UNKNOWN


def test_effects_by_decorators() -> None:
    operation = only_operation(
        """
        def O : TransformDialectOp<"o", [MemoryEffects<[MemRead<PayloadIRResource>]>]> {
          let arguments = (ins
            Arg<TransformHandleTypeInterface, "", [TransformMappingRead, TransformMappingFree]>:$consumed,
            Arg<TransformHandleTypeInterface, "", [TransformMappingRead]>:$read,
            TransformHandleTypeInterface:$untouched);
          let results = (outs Res<TransformHandleTypeInterface, "", [TransformMappingAlloc, TransformMappingWrite]>:$r);
        }
        """
    )
    assert effects(operation.definition) == [CONSUMES, READS, NONE, PRODUCES]
    assert operation.definition.payload_effect is PayloadEffect.READS


def test_assignments_that_append() -> None:
    """LLVM 22 does not know them yet, so it cannot judge."""
    operation = only_operation(
        """
        class My_Op<string n> : TransformDialectOp<n, [MemoryEffectsOpInterface]> {
          let arguments = (ins TransformHandleTypeInterface:$a);
          let summary = "b";
        }
        def O : My_Op<"o"> {
          let append traits = [NavigationTransformOpTrait];
          let append arguments = (ins I64Attr:$b);
          let prepend summary = "a";
        }
        """
    )
    assert operation.definition.traits == {"MemoryEffectOpInterface", "NavigationTransformOpTrait"}
    assert [attribute.name for attribute in operation.definition.attributes] == ["b"]
    assert operation.definition.summary == "ab"


def test_repeated_handles() -> None:
    declared = "let extraClassDeclaration = [{ bool allowsRepeatedHandleOperands() { return true; } }];"
    text = f'def O : TransformDialectOp<"o"> {{ {declared} }}\ndef P : TransformDialectOp<"p">;'
    assert [operation.definition.takes_repeated for operation in read_text(text).operations] == [True, False]


def test_base_classes_and_multiclasses() -> None:
    found = read_project(
        include__Base="""
          class My_Op<string mnemonic, list<Trait> traits = []>
            : TransformDialectOp<"my." # mnemonic, traits # [TransformOpInterface, MemoryEffectsOpInterface]>;
          multiclass My_Pair<string mnemonic> {
            def _AllOp : My_Op<mnemonic # ".all", [FunctionalStyleTransformOpTrait]>;
            def _OneOp : My_Op<mnemonic # ".one", [NavigationTransformOpTrait]>;
          }
        """,
        ext__Ops="""
          include "include/Base.td"
          let cppNamespace = "::my" in {
            defm My_Tile : My_Pair<"tile">;
            foreach kind = ["a", "b"] in def My_#kind#Op : My_Op<kind>;
          }
        """,
    )
    assert [(operation.definition.name, operation.cpp_class) for operation in found.operations] == [
        ("transform.my.tile.all", "my::Tile_AllOp"),
        ("transform.my.tile.one", "my::Tile_OneOp"),
        ("transform.my.a", "my::aOp"),
        ("transform.my.b", "my::bOp"),
    ]
    assert found.operations[0].definition.defined_at == SourcePlace(FOLDER / "ext/Ops.td", 3, 12)
    assert "FunctionalStyleTransformOpTrait" in found.operations[0].definition.traits
    assert not found.problems


def test_enums_and_attributes_of_a_project() -> None:
    found = read_text(
        """
        def My_Dialect : Dialect { let name = "my"; let cppNamespace = "::my"; let summary = "Mine"; }
        let cppNamespace = "::my" in {
          def My_Mode : I32EnumAttr<"Mode", "", [I32EnumAttrCase<"Fast", 0, "fast">, I32EnumAttrCase<"Slow", 1>]>;
          def My_Kind : I32Enum<"Kind", "", [I32EnumCase<"One", 0, "one">]>;
        }
        def My_KindAttr : EnumAttr<My_Dialect, My_Kind, "kind">;
        def My_ConfigAttr : AttrDef<My_Dialect, "Config"> {
          let mnemonic = "config";
          let parameters = (ins "int64_t":$size, DefaultValuedParameter<"bool", "false">:$deep,
                                EnumParameter<My_Kind>:$kind);
          let assemblyFormat = "`<` struct(params) `>`";
          let description = "How.";
        }
        def My_HandleType : TypeDef<My_Dialect, "Handle", [DeclareTypeInterfaceMethods<TransformHandleTypeInterface>]> {
          let mnemonic = "handle";
        }
        def O : Op<My_Dialect, "o"> {
          let arguments = (ins My_Mode:$mode, My_KindAttr:$kind, OptionalAttr<My_ConfigAttr>:$config, My_HandleType:$h);
        }
        """
    )
    (operation,) = found.operations
    mode, kind, config = operation.definition.attributes
    assert (mode.spelling, mode.cases) == (AttributeSpelling.KEYWORD, ("fast", "Slow"))
    assert mode.case_numbers == (0, 1)
    assert (kind.spelling, kind.mnemonic, kind.cases) == (AttributeSpelling.CUSTOM, "my.kind", ("one",))
    assert (config.mnemonic, config.assembly_format) == ("my.config", "`<` struct(params) `>`")
    assert operation.definition.operands[0].type == "!my.handle"
    assert [(definition.name, sorted(definition.interfaces)) for definition in found.types] == [
        ("my.handle", ["TransformHandleTypeInterface"])
    ]
    assert [attribute.name for attribute in found.attributes] == ["my.kind", "my.config"]
    assert [
        (parameter.name, parameter.type, parameter.optional, parameter.cases)
        for parameter in found.attributes[1].parameters
    ] == [
        ("size", "int64_t", False, ()),
        ("deep", "bool", True, ()),
        ("kind", "::my::Kind", False, ("one",)),
    ]
    assert found.attributes[1].description == "How."
    assert [(dialect.name, dialect.summary) for dialect in found.dialects] == [("my", "Mine")]


def test_unknown_names_stay_names() -> None:
    definition = only_operation(
        """
        def O : TransformDialectOp<"o", [ForeignTrait, DeclareOpInterfaceMethods<ForeignInterface>,
                                         FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface]> {
          let arguments = (ins Variadic<ForeignType>:$a, ForeignAttr:$b, OptionalAttr<Other_ModeAttr>:$c,
                               ForeignWrapper<I32>:$d, ForeignProp:$e);
          let assemblyFormat = "$a attr-dict `:` type($a)";
        }
        """
    ).definition
    assert [(operand.name, operand.constraint, operand.arity) for operand in definition.operands] == [
        ("a", "ForeignType", Arity.VARIADIC),
        ("d", "ForeignWrapper", Arity.ONE),
    ]
    assert [(attribute.name, attribute.constraint, attribute.optional) for attribute in definition.attributes] == [
        ("b", "ForeignAttr", False),
        ("c", "Other_ModeAttr", True),
        ("e", "ForeignProp", False),
    ]
    assert {"ForeignTrait", "ForeignInterface"} < definition.traits
    assert effects(definition) == [CONSUMES, CONSUMES]
    assert not definition.format_known


def test_types_of_classes_that_may_have_a_parser() -> None:
    """``type($x)`` is read by the parser of the constraint's class, which may take the type without its dialect."""
    definition = only_operation(
        """
        def Plain : TypeDef<Transform_Dialect, "Plain"> { let mnemonic = "plain"; }
        def Derived : TypeDef<Transform_Dialect, "Derived", [], "my::Base">;
        def Written : Type<CPred<"true">, "written in C++", "::my::Written">;
        def Builtin : Type<CPred<"true">, "an integer", "::mlir::IntegerType">;
        def O : TransformDialectOp<"o", []> {
          let arguments = (ins Plain:$a, Derived:$b, Written:$c, Builtin:$d, AnyType:$e);
        }
        """
    ).definition
    assert [operand.name for operand in definition.operands if operand.custom_type is not None] == ["b", "c"]


def test_formats_without_unknown_values_are_known() -> None:
    text = """
      def O : TransformDialectOp<"o"> { let arguments = (ins ForeignAttr:$a, I32Attr:$b);
        let assemblyFormat = "$b attr-dict"; }
      def P : TransformDialectOp<"p"> { let arguments = (ins ForeignAttr:$a); let hasCustomAssemblyFormat = 1; }
      def Q : ForeignBase, TransformDialectOp<"q">;
    """
    assert [operation.definition.format_known for operation in read_text(text).operations] == [True, True, False]


def test_operations_that_are_lost_are_reported() -> None:
    found = read_text(
        'def LostOp : Foreign_Base<"lost">;\ndef NamelessOp : Op<Foreign_Dialect, "x">;\ndef Other : Foreign_Base;'
    )
    assert not found.operations
    assert [(problem.line, problem.message) for problem in found.problems] == [
        (1, "the name of `NamelessOp` is not known, since its dialect or mnemonic is not"),
        (0, "`LostOp` derives from the class `Foreign_Base`, which was not found; it is left out"),
    ]


BASE = 'class Base<string n> : TransformDialectOp<"{}." # n>;'


def test_includes() -> None:
    found = read_project(
        a__Ops='include "Base.td"\ndef AOp : Base<"x">;',
        a__Base=BASE.format("a"),
        b__Ops='include "b/Base.td"\ninclude "missing/Other.td"\ndef BOp : Base<"x">;',
        b__Base=BASE.format("b"),
    )
    assert [operation.definition.name for operation in found.operations] == ["transform.a.x", "transform.b.x"]
    assert found.missing_includes == ("missing/Other.td",)


@pytest.mark.parametrize(
    "files",
    [
        {
            "a__include__my__Base": BASE.format("a"),
            "b__include__my__Base": BASE.format("b"),
            "b__lib__Ops": 'include "my/Base.td"\ndef O : Base<"x">;',
        },
        {"Fragment": 'def O : Base<"x">;', "Ops": BASE.format("b") + '\ninclude "Fragment.td"'},
        {
            "Shared": '#ifndef S\n#define S\ndef O : TransformDialectOp<"b.x">;\n#endif',
            "A": 'include "Shared.td"',
            "B": 'include "Shared.td"\ninclude "A.td"',
        },
    ],
    ids=["the nearest of one name", "a fragment with a name of its includer", "a file that many include"],
)
def test_included_files_give_an_operation_once(files: dict[str, str]) -> None:
    assert [operation.definition.name for operation in read_project(**files).operations] == ["transform.b.x"]


def test_files_of_windows() -> None:
    text = '\ufeff#ifndef G\r\n#define G\r\ndef O : TransformDialectOp<"o"> {\r\n'
    text += "  let description = [{\r\n    One\r\n      two\r\n  }];\r\n}\r\n#endif\r\n"
    found = read_text(text)
    assert not found.problems
    assert [operation.definition.description for operation in found.operations] == ["One\n  two"]
    assert found.operations[0].definition.defined_at == SourcePlace(FOLDER / "main.td", 2)


def test_macros_of_the_includer(tmp_path: Path) -> None:
    operations = '#ifdef GENERATE\ndef O : TransformDialectOp<"o">;\n#endif\ndef P : TransformDialectOp<"p">;'
    (tmp_path / "Ops.td").write_text(operations, encoding="utf-8")
    texts = {tmp_path / "Main.td": '#define GENERATE\ninclude "Ops.td"', tmp_path / "Ops.td": operations}
    found = read_parsed({path: parse(text) for path, text in texts.items()}, (), texts.get)
    assert sorted(operation.definition.name for operation in found.operations) == ["transform.o", "transform.p"]


def test_lets_around_includes() -> None:
    found = read_project(
        Inner='def AOp : TransformDialectOp<"a">;',
        Main='let cppNamespace = "::mine" in {\n  include "Inner.td"\n}\nlet summary = "Other" in include "Other.td"',
        Other='include "Inner.td"\ndef BOp : TransformDialectOp<"b">;',
    )
    named = {operation.definition.name: operation for operation in found.operations}
    assert len(found.operations) == 2
    assert named["transform.a"].cpp_class == "mine::AOp"
    assert named["transform.b"].definition.summary == "Other"


def test_a_files_own_definitions_come_first() -> None:
    own = 'class TransformDialectOp<string n> : Op<My_Dialect, n>;\ndef My_Dialect : Dialect { let name = "my"; }'
    found = read_text(own + '\ndef O : TransformDialectOp<"o">;')
    assert [operation.definition.name for operation in found.operations] == ["my.o"]


def test_passes_of_a_project() -> None:
    found = read_text(
        """
        include "mlir/Pass/PassBase.td"
        def MyTile : Pass<"my-tile", "::mlir::func::FuncOp"> {
          let summary = "Tile what is "
                        "large";
          let description = [{
            Tiles.
          }];
          let constructor = "createMyTile()";
          let options = [
            Option<"size", "tile-size", "int64_t", /*default=*/"32", "Size of a tile">,
            ListOption<"names", "names", "std::string", "Names">
          ];
        }
        class Mine<string name> : InterfacePass<"mine-" # name, "::mlir::FunctionOpInterface">;
        let summary = "Any" in def Any : Pass<"any">;
        foreach name = ["a", "b"] in def Mine_#name : Mine<name>;
        """
    )
    tile, anything, *mine = found.passes
    assert (tile.name, tile.runs_on, tile.summary, tile.description) == (
        "my-tile",
        "mlir::func::FuncOp",
        "Tile what is large",
        "Tiles.",
    )
    assert tile.options == (
        PassOption("tile-size", "int64_t", "32", summary="Size of a tile"),
        PassOption("names", "std::string", is_list=True, summary="Names"),
    )
    assert tile.defined_at == SourcePlace(FOLDER / "main.td", 2, 8)
    assert (anything.name, anything.runs_on, anything.summary, anything.options) == ("any", "", "Any", ())
    assert [(each.name, each.runs_on) for each in mine] == [
        ("mine-a", "mlir::FunctionOpInterface"),
        ("mine-b", "mlir::FunctionOpInterface"),
    ]
    assert not found.problems


def test_unknown_properties_of_a_pass_are_left_out() -> None:
    found = read_text(
        """
        include "mlir/Pass/PassBase.td"
        def Nameless : Pass<names.first>;
        def Optional : Pass<"optional"> { let options = shared_options; }
        """
    )
    assert [(each.name, each.options) for each in found.passes] == [("optional", None)]
