"""What is known of an attribute of an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.ide.hover.describe.constraint import attribute_constraint, name_in_cpp
from tdls.ide.hover.describe.meaning import meaning
from tdls.ide.markdown.pieces import code, code_block, paragraphs
from tdls.ide.signatures.default_values import default_value
from tdls.semantic.transform_dialect import WITH_NAMED_SEQUENCE

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition
    from tdls.ide.cursor.entity import Attribute

_ARGUMENT_ATTRIBUTES = {
    CONSUMED: "The callee consumes the handle: callers must not use it afterwards.",
    READONLY: "The callee only reads the handle: callers may go on using it.",
}
_DISCARDABLE_ATTRIBUTES = {
    WITH_NAMED_SEQUENCE: "The named sequences inside can be called, and the interpreter finds them.",
}
_FLAG = "UnitAttr"
"""The constraint of attributes that are there or not, which says that they are optional."""


def attribute_text(entity: Attribute, documentation: str = "") -> str:
    """Return Markdown about an attribute of an operation, or of an argument.

    `documentation` is that of the operation, where it is at hand.
    """
    spelled = entity.attribute
    value = f" = {spelled.value}" if spelled.value is not None else ""
    head = code_block(f"{spelled.name}{value}")
    owner = entity.operation
    if entity.argument is not None:
        effect = _ARGUMENT_ATTRIBUTES.get(spelled.name, "")
        return paragraphs(head, f"Attribute of the argument {code(entity.argument.name)}.", effect)
    known = owner.definition.attributes if owner.definition is not None else ()
    definition = next((candidate for candidate in known if candidate.name == spelled.name), None)
    if definition is not None:
        said = meaning(definition.name, documentation)
        return paragraphs(head, said, f"Attribute of {code(owner.name)}: {attribute_line(definition)}.")
    if spelled.name in _DISCARDABLE_ATTRIBUTES:
        return paragraphs(head, _DISCARDABLE_ATTRIBUTES[spelled.name])
    if owner.definition is not None:
        kind = "A discardable attribute" if "." in spelled.name else "Not an attribute"
        return paragraphs(head, f"{kind}: {code(owner.name)} does not define it.")
    return paragraphs(head, f"Attribute of {code(owner.name)}, which is not known.")


def attribute_line(attribute: AttributeDefinition) -> str:
    """Return name, type, default and cases of an attribute in one line."""
    constraint = attribute_constraint(attribute)
    parts = [f"{code(attribute.name)}: {constraint}" if constraint else code(attribute.name)]
    default = default_value(attribute)
    if default is not None:
        parts.append(f"default {code(default)}")
    elif (attribute.optional or attribute.default is not None) and attribute.constraint != _FLAG:
        parts.append("optional")
    if attribute.separator is not None:
        parts.append(f"several are joined by {code(attribute.separator)}")
    return ", ".join(parts) + name_in_cpp(attribute, constraint)
