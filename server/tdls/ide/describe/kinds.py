"""What is known of the types and attributes of dialects, and of aliases and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.aliases import alias_definition
from tdls.ide.describe.markdown import code, code_block, codes, paragraphs, section

if TYPE_CHECKING:
    from tdls.analysis.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeKindDefinition, ParameterDefinition, TypeDefinition
    from tdls.ide.entity import BlockLabel

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


def alias_text(context: Context, name: str) -> str:
    """Return Markdown about an alias: what it is written for, and with all aliases in it expanded."""
    found = alias_definition(context, name)
    if found is None:
        return paragraphs(code_block(name), "Nothing in this file defines this alias.")
    expanded = context.model.types.aliases.get(name, "") if name.startswith("!") else ""
    differs = expanded and expanded != found.value.strip()
    file = found.context.file
    line = file.position(file.to_file(found.context, found.span).start).line + 1
    expansion = f"Expanded: {code(expanded)}." if differs else ""
    return paragraphs(code_block(f"{name} = {found.value}"), expansion, f"Defined in line {line}.")


def block_text(entity: BlockLabel) -> str:
    """Return Markdown about a block: its arguments and where control comes from."""
    block = entity.block
    if block is None:
        return paragraphs(code_block(entity.label), "No block of this region has this label.")
    region = block.region
    arguments = ", ".join(f"{one.name}: {one.type}" if one.type else one.name for one in block.arguments)
    head = f"{entity.label}({arguments}):" if arguments else f"{entity.label}:"
    before = [other.syntax.label or "the entry block" for other in region.blocks if block in other.successors]
    comes_from = f"Reached from {codes(before)}." if before else "No block of the region branches to it."
    is_entry = block.index == 0 and not before
    return paragraphs(code_block(head), f"The entry block of {code(region.parent.name)}." if is_entry else comes_from)


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
