"""Names of payload operations: where scripts write them, and which ones they may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, TypeDefinition

_NAMES = frozenset({"op", "ops", "op_name", "op_names", "opName", "legal_ops", "illegal_ops"})
_STRINGS = frozenset({"StrAttr", "StrArrayAttr"})


def holds_payload_names(definition: AttributeDefinition) -> bool:
    """Tell whether the attribute's strings are names of payload operations: its own name says so by convention."""
    return definition.name in _NAMES and definition.constraint in _STRINGS


def takes_payload_name(definition: TypeDefinition | None) -> bool:
    """Tell whether a string parameter of the type is the name of a payload operation."""
    return definition is not None and any(parameter.name == "operation_name" for parameter in definition.parameters)
