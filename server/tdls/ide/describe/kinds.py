"""What is known of the types and attributes of dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.describe.markdown import code, code_block, codes, paragraphs, section

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeKindDefinition, ParameterDefinition, TypeDefinition

_INTERFACES = {
    "TransformHandleTypeInterface": "A handle: it stands for operations of the payload.",
    "TransformValueHandleTypeInterface": "A handle: it stands for values of the payload.",
    "TransformParamTypeInterface": "A parameter: it stands for attributes that are known when the script runs.",
}


def type_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown about the dialect type ``!name``."""
    definition = catalogue.type_definition(name)
    if definition is None:
        return _unknown(catalogue, "!", name)
    meaning = (text for interface, text in _INTERFACES.items() if interface in definition.interfaces)
    return _known("!", definition, next(meaning, ""))


def attribute_kind_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown about the dialect attribute ``#name``."""
    definition = catalogue.attribute_kind(name)
    if definition is None:
        return _unknown(catalogue, "#", name)
    return _known("#", definition, f"One of {codes(definition.cases)}." if definition.cases else "")


def _known(sigil: str, definition: TypeDefinition | AttributeKindDefinition, meaning: str) -> str:
    parameters = [_parameter(one) for one in definition.parameters]
    written = definition.assembly_format or ""
    return paragraphs(
        code_block(sigil + definition.name),
        f"{definition.summary}." if definition.summary else "",
        meaning,
        section("Parameters", parameters),
        f"Its parameters are written as {code(written)}." if written else "",
        definition.source,
    )


def _parameter(parameter: ParameterDefinition) -> str:
    parts = [f"{code(parameter.name)}{': ' + code(parameter.type) if parameter.type else ''}"]
    if parameter.default is not None:
        parts.append(f"default {code(parameter.default)}")
    elif parameter.optional:
        parts.append("optional")
    if parameter.cases:
        parts.append(f"one of {codes(parameter.cases)}")
    return ", ".join(parts)


def _unknown(catalogue: Catalogue, sigil: str, name: str) -> str:
    dialect = name.partition(".")[0]
    known = "" if dialect in catalogue.dialects() else f", and nothing of the dialect {code(dialect)}"
    return paragraphs(code_block(sigil + name), f"Nothing is known of it{known}.")
