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
_NO_VALUES = _OF_SCRIPTS - {INTERFACES[HandleKind.VALUES]}
_ALLOWED_INTERFACES: dict[str, frozenset[str]] = {
    **{interface: frozenset({interface}) for interface in INTERFACES.values()},
    "TransformAnyHandle": _OF_PAYLOAD,
    "TransformAnyParamTypeOrAnyHandle": _NO_VALUES,
    "Transform_AnyHandleOrParamType": _OF_SCRIPTS,
    "Transform_AnyHandleType": _OF_PAYLOAD,
}


def allows(catalogue: Catalogue, definition: OperandDefinition | ResultDefinition, type_text: str) -> bool:
    """Tell whether a value of the canonical type `type_text` satisfies the constraint; True where nothing is known."""
    constraint = definition.constraint
    if constraint.startswith(_ANY_OF):
        parts = constraint.removeprefix(_ANY_OF).removesuffix(">").split(",")
        return any(_satisfies(catalogue, part, type_text) for part in parts)
    if constraint not in _ALLOWED_INTERFACES and definition.type is not None and definition.type.startswith("!"):
        return type_text == definition.type
    return _satisfies(catalogue, constraint, type_text)


_ANY_OF = "AnyTypeOf<"
_ONLY_TYPES = {"Transform_AffineMapParamType": "!transform.affine_map"}
"""Constraints of which each is one type."""


def _satisfies(catalogue: Catalogue, constraint: str, type_text: str) -> bool:
    """Tell whether a type satisfies a constraint by the name of this; True where nothing is known."""
    if constraint in _ONLY_TYPES:
        return type_text == _ONLY_TYPES[constraint]
    wanted = _ALLOWED_INTERFACES.get(constraint)
    interfaces = interfaces_of(catalogue, type_text) if wanted is not None else None
    return wanted is None or interfaces is None or not wanted.isdisjoint(interfaces)


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
