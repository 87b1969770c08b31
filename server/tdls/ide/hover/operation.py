"""Hover texts of operations: the definition, and the handle effects of one instance."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, EffectSource, HandleEffect, PayloadEffect, handle_effect
from tdls.catalogue.shipped import printed_example
from tdls.ide.forms.operation_page import documentation_address
from tdls.ide.forms.signatures import operation_signature
from tdls.ide.hover.attribute import attribute_line, name_in_cpp, origin_text, value_constraint
from tdls.ide.markdown import code, code_block, codes, foreign, paragraphs, section
from tdls.payload.loops import DYNAMIC, Loops
from tdls.payload.operations import PayloadOperation, is_structured
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.settings.llvm_versions import version_ranges
from tdls.text.similarity import is_slip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import ConditionalEffect, OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.semantic.model import Operation

EFFECT_WORDS = {
    HandleEffect.CONSUMES: "consumed",
    HandleEffect.READS: "read",
    HandleEffect.PRODUCES: "produced",
    HandleEffect.NONE: "not touched",
}
_DECIDED_ELSEWHERE = {
    EffectSource.REGION: "consumed or read as the body does with its argument",
    EffectSource.CALLEE: "consumed or read as the named sequence does with its argument",
}
_PAYLOAD_EFFECTS = {
    PayloadEffect.MODIFIES: "modifies the payload",
    PayloadEffect.READS: "looks at the payload without changing it",
    PayloadEffect.NONE: "does not touch the payload",
}
_TRAITS = {
    "TransformEachOpTrait": "is applied to the payload operations of its handle one by one",
    "MatchOpInterface": "can be used in matchers",
    "PossibleTopLevelTransformOpTrait": "can be where the interpreter begins",
    "ReportTrackingListenerFailuresOpTrait": "fails where it cannot tell what became of a payload operation",
    "PatternDescriptorOpInterface": "adds rewrite patterns to the operation around it",
    "ConversionPatternDescriptorOpInterface": "adds conversion patterns to the operation around it",
    "TypeConverterBuilderOpInterface": "builds a type converter for the operation around it",
    "ParamProducerTransformOpTrait": "gives parameters, not handles",
    "SingleOpMatcherOpTrait": "fails silenceably unless the handle stands for one operation",
    "AtMostOneOpMatcherOpTrait": "fails silenceably if the handle stands for several operations",
    "SingleValueMatcherOpTrait": "fails silenceably unless the handle stands for one value",
    "IsTerminator": "ends its block",
    "IsIsolatedFromAbove": "its regions see no values from outside",
}
"""Traits and interfaces that matter to authors of scripts, in words."""
_NO_PARAGRAPH = ("```", "~~~", "#", "- ", "* ", "1.")


def definition_text(definition: OperationDefinition, catalogue: Catalogue, description: str, instance: str = "") -> str:
    """Return Markdown for an operation; `description` is its documentation in the user's MLIR, "" if there is none.

    The definition's own documentation has precedence. Its first paragraph comes before all lists, as the purpose of the
    operation matters most. `instance` describes one instance (see `instance_text`). An operation of the payload has one
    sentence, since readers of a script look for the operations on it.
    """
    if definition.dialect != TRANSFORM:
        return paragraphs(
            code_block(printed_example(definition) or operation_signature(definition)),
            foreign(_sentence(definition.summary or definition.description or description)),
            instance,
            _origin(definition, catalogue),
        )
    first, rest = _first_paragraph(definition.description or description)
    return paragraphs(
        code_block(printed_example(definition) or operation_signature(definition)),
        definition.summary and f"{foreign(definition.summary)}.",
        foreign(first),
        section("Operands", [operand_line(definition, operand) for operand in definition.operands]),
        section("Results", [result_line(result) for result in definition.results]),
        section("Attributes", [attribute_line(attribute) for attribute in definition.attributes]),
        section("Behaviour", _behaviour(definition)),
        instance,
        foreign(rest),
        _origin(definition, catalogue),
    )


def _sentence(documentation: str) -> str:
    """Return the first sentence of a documentation; "" if it begins with code, a heading or a list."""
    first = " ".join(_first_paragraph(documentation)[0].split())
    sentence = first.partition(". ")[0].rstrip(".")
    return f"{sentence}." if sentence else ""


def _first_paragraph(documentation: str) -> tuple[str, str]:
    """Split off the first paragraph; it is "" if the text begins with code, a heading or a list."""
    first, _, rest = documentation.strip("\n").partition("\n\n")
    return ("", documentation) if first.lstrip().startswith(_NO_PARAGRAPH) else (first, rest)


def instance_text(context: Context, operation: Operation) -> str:
    """Return the effects of this instance on its handles, or the loops of a structured operation; "" for others."""
    definition = operation.definition
    if definition is None:
        return ""
    if is_structured(definition):
        loops = _loops(context, operation)
        return f"**Loops here**: {loops}" if loops else ""
    if not _depends(definition):
        return ""
    effects = {value: effect for effect, value in context.effects.effects(operation)}
    lines = [
        f"{code(value.shown)} {EFFECT_WORDS[effects[value]]}"
        for value in dict.fromkeys(operation.operands)
        if value is not None and effects.get(value) in EFFECT_WORDS
    ]
    return section("Here", lines)


def _loops(context: Context, operation: Operation) -> str:
    """Return the loops of a structured operation by kind, with their sizes: ``d0, d1 parallel 128x256``."""
    written = PayloadOperation(operation.name, None, operation, context.section.text)
    loops = Loops(written, context.file.catalogue, context.model.types.aliases)
    if not loops.kinds:
        return ""
    sizes = loops.ranges
    texts = []
    for kind, numbers in groupby(range(len(loops.kinds)), key=loops.kinds.__getitem__):
        own = list(numbers)
        shown = "x".join("?" if sizes[loop] == DYNAMIC else str(sizes[loop]) for loop in own) if sizes else ""
        texts.append(" ".join(filter(None, (", ".join(f"d{loop}" for loop in own), kind, shown))))
    return ", ".join(texts)


def unknown_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown for an operation missing from the catalogue: its new name, its removal, or similar names."""
    rename = catalogue.renamed(name)
    if rename is None:
        similar = [meant for meant in catalogue.similar(name) if is_slip(name, meant)]
        advice = f"Did you mean {codes(similar, ' or ')}?" if similar else ""
        places = section("tdls looked in", map(foreign, catalogue.looked_in)) if not similar else ""
        return paragraphs(code_block(name), "Nothing is known of this operation.", advice, places)
    return paragraphs(code_block(name), f"It {rename.fate}.")


def _depends(definition: OperationDefinition) -> bool:
    return definition.effect_source is not EffectSource.FIXED or any(
        operand.effect_when for operand in definition.operands
    )


def operand_line(definition: OperationDefinition, operand: OperandDefinition) -> str:
    """Return one line of Markdown with name, constraint, arity and effect of an operand."""
    words = value_constraint(operand)
    return f"{_value(operand, words)}{_operand_effect(definition, operand)}{name_in_cpp(operand, words)}"


def result_line(result: ResultDefinition) -> str:
    """Return one line of Markdown with name, constraint, arity and effect of a result."""
    word = EFFECT_WORDS.get(result.effect)
    words = value_constraint(result)
    return f"{_value(result, words)}{', ' + word if word is not None else ''}{name_in_cpp(result, words)}"


def _value(value: OperandDefinition | ResultDefinition, words: str) -> str:
    several = {Arity.ONE: "", Arity.OPTIONAL: ", optional"}.get(value.arity, ", any number")
    return f"{code('%' + value.name)}{': ' + words if words else ''}{several}"


def _operand_effect(definition: OperationDefinition, operand: OperandDefinition) -> str:
    effect = handle_effect(definition, operand, {})
    text = EFFECT_WORDS.get(effect) or _DECIDED_ELSEWHERE.get(definition.effect_source, "")
    exceptions = [_exception(condition) for condition in operand.effect_when if condition.effect is not effect]
    marked = f"**{text}**" if effect is HandleEffect.CONSUMES else text
    return "".join(f", {part}" for part in (marked, *exceptions) if part)


def _exception(condition: ConditionalEffect) -> str:
    word = EFFECT_WORDS.get(condition.effect, condition.effect.value)
    value = f" = {condition.value}" if condition.value is not None else ""
    return f"{word} with {code(condition.attribute + value)}"


def _behaviour(definition: OperationDefinition) -> Iterator[str]:
    place = definition.defined_at
    if definition.payload_effect is PayloadEffect.UNKNOWN and place is not None and place.path.suffix == ".py":
        yield "Its effects are unknown until the workspace is trusted, and its `get_effects` is asked."
    if definition.payload_effect in _PAYLOAD_EFFECTS:
        yield _PAYLOAD_EFFECTS[definition.payload_effect]
    yield from (text for trait, text in _TRAITS.items() if trait in definition.traits)


def _origin(definition: OperationDefinition, catalogue: Catalogue) -> str:
    parts = [origin_text(definition) or _llvm(definition.versions)]
    others = [variant for variant in catalogue.variants(definition.name) if variant != definition]
    if others:
        versions = {version for variant in others for version in variant.versions} - {*definition.versions}
        parts.append(f"different in {_llvm(tuple(versions))}")
    if definition.former_names:
        parts.append(f"formerly {codes(definition.former_names)}")
    address = documentation_address(definition)
    if address is not None:
        parts.append(f"[documentation]({address})")
    return " · ".join(part for part in parts if part)


def _llvm(versions: tuple[int, ...]) -> str:
    return version_ranges(versions) if versions else "other versions"
