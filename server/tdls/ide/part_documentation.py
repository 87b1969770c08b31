"""What is to be said, in Markdown, about an operation and about each of its operands, results and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, EffectSource, HandleEffect, PayloadEffect
from tdls.ide.signature_parts import ARGUMENTS, ATTRIBUTES, RESULTS, TYPES, signature_parts

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import (
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        ResultDefinition,
    )

_EFFECTS = {
    HandleEffect.CONSUMES: "consumed",
    HandleEffect.READS: "read only",
    HandleEffect.PRODUCES: "produced",
    HandleEffect.NONE: "no effect on the handle",
}
_BY_SOURCE = {
    EffectSource.REGION: "consumed if the body consumes its argument, read otherwise",
    EffectSource.CALLEE: "consumed if the named sequence consumes its argument, read otherwise",
}
_ARITIES = {
    Arity.OPTIONAL: "optional",
    Arity.VARIADIC: "any number",
    Arity.VARIADIC_OF_VARIADIC: "any number of lists",
}
_PAYLOAD = {
    PayloadEffect.MODIFIES: "Modifies the payload.",
    PayloadEffect.READS: "Reads the payload.",
    PayloadEffect.NONE: "Does not look at the payload.",
}


_OTHER_PARTS = {
    ARGUMENTS: "names and types of the arguments",
    ATTRIBUTES: "further attributes",
    RESULTS: "types of what is returned",
    TYPES: "types of operands and results",
}


def operation_documentation(catalogue: Catalogue, definition: OperationDefinition) -> str:
    """Return the signature, the summary, the parts and the versions of an operation."""
    lines = ["```mlir", signature_parts(definition).text, "```"]
    if definition.summary:
        lines += [f"{definition.summary}."]
    payload = _PAYLOAD.get(definition.payload_effect)
    if payload is not None:
        lines += ["", payload]
    lines += _list("Operands", [_bullet(one.name, value_documentation(definition, one)) for one in definition.operands])
    lines += _list("Results", [_bullet(one.name, value_documentation(definition, one)) for one in definition.results])
    lines += _list("Attributes", [_bullet(one.name, attribute_documentation(one)) for one in definition.attributes])
    versions = sorted({version for one in catalogue.variants(definition.name) for version in one.versions})
    if versions:
        lines += ["", f"In LLVM {', '.join(map(str, versions))}."]
    if definition.former_names:
        lines += [f"Formerly {', '.join(f'`{name}`' for name in definition.former_names)}."]
    return "\n".join(lines)


def _list(title: str, bullets: list[str]) -> list[str]:
    return ["", f"{title}:", "", *bullets] if bullets else []


def _bullet(name: str, text: str) -> str:
    return f"- `{name}`: {text}"


def value_documentation(definition: OperationDefinition, value: OperandDefinition | ResultDefinition) -> str:
    """Return the constraint of an operand or result, how many there are, and what happens to them."""
    facts = [f"`{value.type or value.constraint or 'any type'}`"]
    if value.arity in _ARITIES:
        facts.append(_ARITIES[value.arity])
    effect = _EFFECTS.get(value.effect) or _BY_SOURCE.get(definition.effect_source)
    if effect is not None:
        facts.append(effect)
    for exception in value.effect_when:
        condition = f"`{exception.attribute}`" + (f" is `{exception.value}`" if exception.value is not None else "")
        facts.append(f"{_EFFECTS.get(exception.effect, 'unknown effect')} with {condition}")
    return ", ".join(facts)


def attribute_documentation(definition: AttributeDefinition) -> str:
    """Return the constraint of an attribute, its cases and its default."""
    facts = [f"`{definition.constraint or 'any attribute'}`"]
    if definition.cases:
        facts.append("one of " + ", ".join(f"`{case}`" for case in definition.cases))
    if definition.optional:
        facts.append("optional")
    if definition.default not in (None, "{}"):
        facts.append(f"default `{definition.default}`")
    return ", ".join(facts)


def part_documentation(definition: OperationDefinition, name: str) -> str:
    """Return what is to be said of the part `name` of the operation's signature."""
    values: list[OperandDefinition | ResultDefinition] = [*definition.operands, *definition.results]
    value = next((one for one in values if one.name == name), None)
    if value is not None:
        return value_documentation(definition, value)
    attribute = next((one for one in definition.attributes if one.name == name), None)
    if attribute is not None:
        return attribute_documentation(attribute)
    return _OTHER_PARTS.get(name, "")
