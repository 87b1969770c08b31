"""What values of scripts stand for, by their types, and which types a constraint of a transform operation allows."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, ResultDefinition


class HandleKind(Enum):
    """What the handles of a type stand for: operations or values of the payload, or attributes."""

    OPERATIONS = "operations"
    VALUES = "values"
    PARAMETERS = "parameters"


INTERFACES = {
    HandleKind.OPERATIONS: "TransformHandleTypeInterface",
    HandleKind.VALUES: "TransformValueHandleTypeInterface",
    HandleKind.PARAMETERS: "TransformParamTypeInterface",
}
"""The interfaces of types that make them types of scripts."""
_OF_SCRIPTS = frozenset(INTERFACES.values())
_OF_PAYLOAD = _OF_SCRIPTS - {INTERFACES[HandleKind.PARAMETERS]}
_ALLOWED_INTERFACES: dict[str, frozenset[str]] = {
    **{interface: frozenset({interface}) for interface in INTERFACES.values()},
    "TransformAnyHandle": _OF_PAYLOAD,
    "TransformAnyParamTypeOrAnyHandle": _OF_SCRIPTS,
    "Transform_AnyHandleOrParamType": _OF_SCRIPTS,
    "Transform_AnyHandleType": _OF_PAYLOAD,
}


def allows(catalogue: Catalogue, definition: OperandDefinition | ResultDefinition, type_text: str) -> bool:
    """Tell whether a value of the canonical type `type_text` satisfies the constraint; True where nothing is known."""
    wanted = _ALLOWED_INTERFACES.get(definition.constraint)
    if wanted is None:
        return definition.type is None or not definition.type.startswith("!") or type_text == definition.type
    interfaces = interfaces_of(catalogue, type_text)
    return interfaces is None or not wanted.isdisjoint(interfaces)


def allowed_kinds(definition: OperandDefinition | ResultDefinition) -> frozenset[HandleKind]:
    """Return the kinds of values that the constraint allows by its name; none if it is no constraint on handles."""
    wanted = _ALLOWED_INTERFACES.get(definition.constraint, frozenset())
    return frozenset(kind for kind, interface in INTERFACES.items() if interface in wanted)


def kind_of(catalogue: Catalogue, type_text: str | None) -> HandleKind | None:
    """Return what values of the canonical type `type_text` stand for; None for values of the payload and unknown types.

    A type may have several of the interfaces; the first one counts.
    """
    return kind_by((interfaces_of(catalogue, type_text) if type_text is not None else None) or frozenset())


def kind_by(interfaces: frozenset[str]) -> HandleKind | None:
    """Return the kind that the interfaces of a type make it."""
    return next((kind for kind, interface in INTERFACES.items() if interface in interfaces), None)


def may_be(catalogue: Catalogue, type_text: str, kind: HandleKind) -> bool:
    """Tell whether values of the canonical type `type_text` are, or may be, of `kind`; True where nothing is known."""
    interfaces = interfaces_of(catalogue, type_text)
    return interfaces is None or INTERFACES[kind] in interfaces


def interfaces_of(catalogue: Catalogue, type_text: str) -> frozenset[str] | None:
    """Return the interfaces of a type by its canonical text, None where they are not known.

    The C++ of a project may attach more of them to its types than their definitions say.
    """
    if type_text == "!pdl.operation":
        return frozenset({INTERFACES[HandleKind.OPERATIONS]})
    if not type_text.startswith("!"):
        return frozenset()
    known = catalogue.type_definition(type_text[1:].partition("<")[0])
    if known is None or not (known.versions or _OF_SCRIPTS & known.interfaces):
        return None
    return known.interfaces
