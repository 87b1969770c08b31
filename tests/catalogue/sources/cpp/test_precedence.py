"""The one `getEffects` of several that counts for an operation: its own, as names in C++ hide those of bases."""

from __future__ import annotations

from itertools import product

import pytest

from catalogue.sources.tablegen.projects import FOLDER, only_operation
from tdls.catalogue.model import HandleEffect
from tdls.catalogue.sources.cpp import joined, read_sources

TRAITS = {
    "": (None, None),
    "FunctionalStyleTransformOpTrait": (HandleEffect.CONSUMES, HandleEffect.PRODUCES),
    "NavigationTransformOpTrait": (HandleEffect.READS, HandleEffect.PRODUCES),
    "TransformEachOpTrait": (None, None),
    "TransformEachOpTrait, FunctionalStyleTransformOpTrait": (HandleEffect.CONSUMES, HandleEffect.PRODUCES),
}
"""Traits with the effects on operand and result that their own `getEffects` has, None without one."""
PARAMETERS = "(SmallVectorImpl<MemoryEffects::EffectInstance> &effects)"
BODIES = {
    "onlyReadsHandle(getTargetMutable(), effects);": HandleEffect.READS,
    "consumesHandle(getTargetMutable(), effects);": HandleEffect.CONSUMES,
}
RESULT = "producesHandle(getOperation()->getOpResults(), effects); modifiesPayload(effects);"
DECLARED = ("interface", "declaration", "inline", "extra definition", "only in C++")
"""The ways in which a class gets a `getEffects` of its own."""


def operation_and_cpp(traits: str, way: str, body: str) -> tuple[str, str]:
    function = f"void getEffects{PARAMETERS}"
    written = f"void transform::TidyOp::getEffects{PARAMETERS} {{ {body} {RESULT} }}"
    interface = (
        "DeclareOpInterfaceMethods<MemoryEffectsOpInterface>" if way == "interface" else "MemoryEffectsOpInterface"
    )
    fields, cpp = "", written
    if way == "declaration":
        fields = f"let extraClassDeclaration = [{{ {function}; }}];"
    elif way == "inline":
        fields, cpp = f"let extraClassDeclaration = [{{ {function} {{ {body} {RESULT} }} }}];", ""
    elif way == "extra definition":
        code = f"void $cppClass::getEffects{PARAMETERS} {{ {body} {RESULT} }}"
        fields = f"let extraClassDeclaration = [{{ {function}; }}]; let extraClassDefinition = [{{ {code} }}];"
        cpp = ""
    listed = ", ".join(filter(None, (traits, interface, "TransformOpInterface")))
    return (
        f"""
        include "mlir/Dialect/Transform/IR/TransformDialect.td"
        def TidyOp : Op<Transform_Dialect, "shop.tidy", [{listed}]> {{
          let arguments = (ins TransformHandleTypeInterface:$target);
          let results = (outs TransformHandleTypeInterface:$found);
          let cppNamespace = "::mlir::transform";
          {fields}
        }}
        """,
        cpp,
    )


def effects(text: str, cpp: str) -> tuple[HandleEffect, HandleEffect]:
    definition = joined(only_operation(text), read_sources({FOLDER / "Ops.cpp": f"using namespace mlir; {cpp}"}))[0]
    return definition.operands[0].effect, definition.results[0].effect


@pytest.mark.parametrize(("traits", "way", "body"), product(TRAITS, DECLARED, BODIES))
def test_a_class_hides_the_effects_of_its_traits(traits: str, way: str, body: str) -> None:
    assert effects(*operation_and_cpp(traits, way, body)) == (BODIES[body], HandleEffect.PRODUCES)


@pytest.mark.parametrize(("traits", "way"), product(TRAITS, ("interface", "declaration")))
def test_own_effects_that_are_not_found_are_unknown(traits: str, way: str) -> None:
    text, _ = operation_and_cpp(traits, way, "")
    assert effects(text, "") == (HandleEffect.UNKNOWN, HandleEffect.UNKNOWN)


@pytest.mark.parametrize("traits", TRAITS)
def test_without_own_effects_those_of_a_trait_count(traits: str) -> None:
    text, _ = operation_and_cpp(traits, "", "")
    operand, result = TRAITS[traits]
    assert effects(text, "") == (operand or HandleEffect.UNKNOWN, result or HandleEffect.UNKNOWN)


@pytest.mark.parametrize(
    "code",
    [
        "// void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects);",
        "bool isQuiet() { Effects found; other().getEffects(found); return found.empty(); }",
        "void getEffectsOfBody(Effects &effects);",
    ],
)
def test_mentions_of_effects_hide_nothing(code: str) -> None:
    text, _ = operation_and_cpp("FunctionalStyleTransformOpTrait", "", "")
    text = text.replace("let cppNamespace", f"let extraClassDeclaration = [{{ {code}\n }}];\n let cppNamespace")
    assert effects(text, "") == (HandleEffect.CONSUMES, HandleEffect.PRODUCES)
