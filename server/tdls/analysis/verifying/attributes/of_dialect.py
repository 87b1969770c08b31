"""Attributes whose names begin with that of the dialect: which there are, and where they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.verifying.attributes.values import SpelledKind, kind_of_value
from tdls.analysis.verifying.complaint import Complaint
from tdls.semantic.transform_dialect import TRANSFORM, WITH_NAMED_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute

_PREFIX = f"{TRANSFORM}."
_KINDS: dict[str, SpelledKind | None] = {
    WITH_NAMED_SEQUENCE: None,
    f"{_PREFIX}target_tag": SpelledKind.STRING,
    f"{_PREFIX}silence_tracking_failures": SpelledKind.UNIT,
    CONSUMED: SpelledKind.UNIT,
    READONLY: SpelledKind.UNIT,
}
"""The attributes that the dialect verifies, with the kind that each has to be; None for any."""


def dialect_attributes(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield what is wrong with the attributes of the dialect at an operation, whatever this is.

    MLIR forgets what stands among the properties, ``<{...}>``, without being one.
    """
    for attribute in operation.syntax.attributes:
        name = attribute.name
        if not name.startswith(_PREFIX) or _is_property(context.section.text, operation, attribute):
            continue
        if name not in _KINDS:
            known = ", ".join(f"`{each}`" for each in sorted(_KINDS))
            yield Complaint(f"the dialect has no attribute `{name}`", attribute.span, help=f"it has {known}")
            continue
        wanted, kind = _KINDS[name], kind_of_value(attribute.value)
        if wanted is not None and kind is not None and kind is not wanted:
            message = f"`{name}` has no value" if wanted is SpelledKind.UNIT else f"`{name}` has to be {wanted.value}"
            yield Complaint(message, attribute.span)
        if name == WITH_NAMED_SEQUENCE and _has_no_symbols(operation):
            message = f"`{name}` only fits operations with a symbol table, which `{operation.name}` has not"
            yield Complaint(message, attribute.span, help="write it to the module around the named sequences")


def _is_property(text: str, operation: Operation, attribute: NamedAttribute) -> bool:
    _, opener, inside = text[operation.location.end : attribute.start].rpartition("<{")
    return bool(opener) and "}>" not in inside


def _has_no_symbols(operation: Operation) -> bool:
    definition = operation.definition
    return definition is not None and bool(definition.versions) and not operation.has_trait("SymbolTable")
