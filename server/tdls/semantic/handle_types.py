"""Which types a constraint of a transform operation allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, ResultDefinition

_HANDLE = "TransformHandleTypeInterface"
_PARAMETER = "TransformParamTypeInterface"
_VALUE = "TransformValueHandleTypeInterface"
_OF_SCRIPTS = frozenset({_HANDLE, _PARAMETER, _VALUE})
_ALLOWED_INTERFACES: dict[str, set[str]] = {
    _HANDLE: {_HANDLE},
    _PARAMETER: {_PARAMETER},
    _VALUE: {_VALUE},
    "TransformAnyHandle": {_HANDLE, _VALUE},
    "TransformAnyParamTypeOrAnyHandle": {_HANDLE, _VALUE, _PARAMETER},
    "Transform_AnyHandleOrParamType": {_HANDLE, _VALUE, _PARAMETER},
}


def allows(catalogue: Catalogue, definition: OperandDefinition | ResultDefinition, type_text: str) -> bool:
    """Tell whether a value of the canonical type `type_text` satisfies the constraint; True where nothing is known."""
    wanted = _ALLOWED_INTERFACES.get(definition.constraint)
    if wanted is None:
        return True
    interfaces = interfaces_of(catalogue, type_text)
    return interfaces is None or not wanted.isdisjoint(interfaces)


def is_handle_or_parameter(catalogue: Catalogue, type_text: str) -> bool:
    """Tell whether values of the canonical type `type_text` are known to be of scripts, and not of the payload."""
    return not _OF_SCRIPTS.isdisjoint(interfaces_of(catalogue, type_text) or ())


def interfaces_of(catalogue: Catalogue, type_text: str) -> frozenset[str] | None:
    """Return the interfaces of a type by its canonical text, None for types that are not known."""
    if type_text == "!pdl.operation":
        return frozenset({_HANDLE})
    if not type_text.startswith("!"):
        return frozenset()
    known = catalogue.type_definition(type_text[1:].partition("<")[0])
    return known.interfaces if known is not None else None
