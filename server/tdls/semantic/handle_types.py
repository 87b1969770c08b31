"""The kind of handle that a value's type makes it, and the types that a constraint of a transform operation allows."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import replace

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, ResultDefinition


class HandleKind(Enum):
    """The payload entities that handles of a type refer to: operations, values, or attributes as parameters."""

    OPERATIONS = "operations"
    VALUES = "values"
    PARAMETERS = "parameters"


ANY_OPERATION = "!transform.any_op"
OPERATION_TYPE = '!transform.op<"'
"""The beginning of the type of a handle to operations of one name, which the name and ``">`` follow."""
NOUNS = {HandleKind.OPERATIONS: "operation", HandleKind.VALUES: "value", HandleKind.PARAMETERS: "parameter"}
"""The word for one of the entities."""
KINDS_IN_WORDS = {
    frozenset({HandleKind.OPERATIONS}): "handle to operations",
    frozenset({HandleKind.VALUES}): "handle to values",
    frozenset({HandleKind.PARAMETERS}): "parameter",
    frozenset({HandleKind.OPERATIONS, HandleKind.VALUES}): "handle to operations or values",
    frozenset({HandleKind.OPERATIONS, HandleKind.PARAMETERS}): "handle to operations or parameter",
    frozenset(HandleKind): "handle or parameter",
}
INTERFACES = {
    HandleKind.OPERATIONS: "TransformHandleTypeInterface",
    HandleKind.VALUES: "TransformValueHandleTypeInterface",
    HandleKind.PARAMETERS: "TransformParamTypeInterface",
}
"""The type interface of each kind of handle."""
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
    """Whether a value of the canonical type `type_text` satisfies the constraint; True if that is not known."""
    constraint = definition.constraint
    if constraint.startswith(_ANY_OF):
        parts = constraint.removeprefix(_ANY_OF).removesuffix(">").split(",")
        return any(_satisfies(catalogue, part, type_text) for part in parts)
    if constraint not in _ALLOWED_INTERFACES and definition.type is not None and definition.type.startswith("!"):
        return type_text == definition.type
    return _satisfies(catalogue, constraint, type_text)


_ANY_OF = "AnyTypeOf<"
_ONLY_TYPES = {"Transform_AffineMapParamType": "!transform.affine_map"}
"""Constraints that allow a single type."""


def _satisfies(catalogue: Catalogue, constraint: str, type_text: str) -> bool:
    """Whether a type satisfies the constraint with this name; True if that is not known."""
    if constraint in _ONLY_TYPES:
        return type_text == _ONLY_TYPES[constraint]
    allowed = _ALLOWED_INTERFACES.get(constraint)
    interfaces = interfaces_of(catalogue, type_text) if allowed is not None else None
    return allowed is None or interfaces is None or not allowed.isdisjoint(interfaces)


def allowed_kinds(definition: OperandDefinition | ResultDefinition) -> frozenset[HandleKind]:
    """Return the kinds of handles that the constraint allows, by its name; empty if it does not constrain handles."""
    allowed = _ALLOWED_INTERFACES.get(definition.constraint, frozenset())
    return frozenset(kind for kind, interface in INTERFACES.items() if interface in allowed)


def constraint_in_words(catalogue: Catalogue, definition: OperandDefinition | ResultDefinition) -> str:
    """Return what satisfies the constraint: ``a handle to `scf.for` operations (`!transform.op<"scf.for">`)``."""
    if definition.constraint.startswith(_ANY_OF):
        parts = definition.constraint.removeprefix(_ANY_OF).removesuffix(">").split(",")
        return " or ".join(constraint_in_words(catalogue, replace(definition, constraint=part)) for part in parts)
    kinds = KINDS_IN_WORDS.get(allowed_kinds(definition))
    if kinds is not None:
        return f"a {kinds}"
    return type_in_words(catalogue, definition.type or _ONLY_TYPES.get(definition.constraint, definition.constraint))


def type_in_words(catalogue: Catalogue, type_text: str) -> str:
    """Return what a value of the canonical type `type_text` is, and the type in brackets."""
    if type_text.startswith(OPERATION_TYPE):
        return f"a handle to `{type_text[len(OPERATION_TYPE) : -2]}` operations (`{type_text}`)"
    kind = kind_of(catalogue, type_text)
    if kind is None:
        return f"a value of the type `{type_text}`"
    words = "handle to any operations" if type_text == ANY_OPERATION else KINDS_IN_WORDS[frozenset({kind})]
    return f"a {words} (`{type_text}`)"


def kind_of(catalogue: Catalogue, type_text: str | None) -> HandleKind | None:
    """Return the kind of handles of the canonical type `type_text`, or None for payload types and unknown types.

    A type may have several of the interfaces; the first one counts.
    """
    return kind_by((interfaces_of(catalogue, type_text) if type_text is not None else None) or frozenset())


def kind_by(interfaces: frozenset[str]) -> HandleKind | None:
    """Return the kind of the first handle interface among `interfaces`, or None."""
    return next((kind for kind, interface in INTERFACES.items() if interface in interfaces), None)


def may_be(catalogue: Catalogue, type_text: str, kind: HandleKind) -> bool:
    """Whether values of the canonical type `type_text` may be of `kind`; True if the interfaces are not known."""
    interfaces = interfaces_of(catalogue, type_text)
    return interfaces is None or INTERFACES[kind] in interfaces


def interfaces_of(catalogue: Catalogue, type_text: str) -> frozenset[str] | None:
    """Return the interfaces of a type by its canonical text, or None if not known.

    A project's C++ may attach more interfaces to its types than their definitions list.
    """
    if type_text == "!pdl.operation":
        return frozenset({INTERFACES[HandleKind.OPERATIONS]})
    if not type_text.startswith("!"):
        return frozenset()
    known = catalogue.type_definition(type_text[1:].partition("<")[0])
    if known is None or not (known.versions or _OF_SCRIPTS & known.interfaces):
        return None
    return known.interfaces
