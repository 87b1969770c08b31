"""Names of the Transform dialect that no trait, constraint or effect of a definition can replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition, TypeDefinition
    from tdls.semantic.model import Operation

TRANSFORM: Final = "transform"
"""The dialect. Extensions, upstream's and projects', add operations to it."""
PARAMETER_TYPE: Final = "!transform.param<"
"""The beginning of the type of a parameter, which the type of its attributes and ``>`` follow."""
NAMED_SEQUENCE: Final = "transform.named_sequence"
"""The operation that can be called, and in which the interpreter begins."""
SEQUENCE: Final = "transform.sequence"
"""The operation that is a script of its own, without a name."""
ENTRY_POINT: Final = "__transform_main"
"""The named sequence that the interpreter begins with by default."""
INCLUDE: Final = "transform.include"
"""The operation that runs a named sequence."""
YIELD: Final = "transform.yield"
"""The terminator of the bodies that the dialect itself defines."""
CAST: Final = "transform.cast"
"""The operation that gives a handle another type."""
PATTERN: Final = "pdl.pattern"
"""The operation that a search by pattern refers to."""
APPLY_REGISTERED_PASS: Final = "transform.apply_registered_pass"
"""The operation that runs a pass registered in the MLIR that runs the script."""
PASS_NAME: Final = "pass_name"
"""Its attribute with the name of the pass."""
WITH_NAMED_SEQUENCE: Final = "transform.with_named_sequence"
"""The unit attribute of a module whose named sequences can be looked up."""

_PREFIX: Final = f"{TRANSFORM}."
_SUPPRESS = ("suppress", "2")
_TRAITS = frozenset({"TransformOpInterface", "MatchOpInterface", "PatternDescriptorOpInterface"})


def is_transform_name(operation_name: str) -> bool:
    """Whether a full operation name belongs to the dialect."""
    return operation_name.startswith(_PREFIX)


def is_transform_operation(operation: Operation) -> bool:
    """Whether `operation` is of the dialect or has its interfaces; without a definition, the name decides."""
    if operation.definition is None:
        return is_transform_name(operation.name)
    return is_transform_definition(operation.definition)


def suppresses_failures(operation: Operation) -> bool:
    """Return whether the failure propagation mode of an operation, in its custom or generic form, is to suppress."""
    mode = operation.spelled("failure_propagation_mode") or ""
    return mode.partition(":")[0].strip() in _SUPPRESS


def is_transform_definition(definition: OperationDefinition) -> bool:
    """Whether operations of this definition are of the dialect or have one of its interfaces."""
    return is_transform_name(definition.name) or not _TRAITS.isdisjoint(definition.traits)


_NAMES = frozenset({"op", "ops", "op_name", "op_names", "opName", "legal_ops", "illegal_ops"})
_STRINGS = frozenset({"StrAttr", "StrArrayAttr"})


def holds_payload_names(definition: AttributeDefinition) -> bool:
    """Whether the attribute's strings are names of payload operations, by the naming convention of attributes."""
    return definition.name in _NAMES and definition.constraint in _STRINGS


def takes_payload_name(definition: TypeDefinition | None) -> bool:
    """Whether a string parameter of the type is the name of a payload operation."""
    return definition is not None and any(parameter.name == "operation_name" for parameter in definition.parameters)
