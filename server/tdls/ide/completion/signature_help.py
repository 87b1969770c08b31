"""Signature help: the assembly form of the operation at the cursor, and the part that the parser expects there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.site import site_at
from tdls.ide.forms.signatures import ARGUMENTS, ATTRIBUTES, RESULTS, TYPES, signature_parts
from tdls.ide.hover.attribute import attribute_line
from tdls.ide.hover.operation import operand_line
from tdls.structs import Struct
from tdls.syntax.expected.model import (
    AttributeDictionary,
    AttributeName,
    AttributeValue,
    ExpectedType,
    FunctionType,
    NewName,
    Operand,
    OperationStart,
    SymbolName,
)
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.forms.signatures import SignaturePart, SignatureParts
    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.expected.model import Expectation, Expected, PartialOperation
    from tdls.syntax.parser.assembly import format as ods
    from tdls.text.span import Span


class SignatureParameter(Struct, frozen=True):
    """A part of the signature: its span in the label, and its documentation as Markdown."""

    span: Span
    documentation: str


class SignatureHelp(Struct, frozen=True):
    """A signature (`label`); `active` is the index of the parameter at the cursor, None if it is not unique."""

    label: str
    documentation: str
    parameters: tuple[SignatureParameter, ...]
    active: int | None


def signature_help(snapshot: Snapshot, uri: str, offset: int) -> SignatureHelp | None:
    """Return the signature of the operation around the cursor, or None outside of known operations."""
    file = snapshot.file(uri)
    if file is None:
        return None
    expected = site_at(file, offset).expected
    operation = expected.operation
    if operation is None or operation.definition is None or _is_over(expected):
        return None
    definition = operation.definition
    signature = signature_parts(definition, generic=operation.form is Form.GENERIC)
    parameters = tuple(SignatureParameter(part.span, _documentation(definition, part)) for part in signature.parts)
    active = _active(signature, operation, expected)
    return SignatureHelp(signature.text, definition.summary, parameters, active)


_OTHERS = {
    ARGUMENTS: "names, types and attributes of the arguments",
    ATTRIBUTES: "further attributes",
    RESULTS: "types of what is returned",
    TYPES: "types of operands and results",
}


def _is_over(expected: Expected) -> bool:
    return expected.on_new_line and any(
        isinstance(expectation, OperationStart) for expectation in expected.expectations
    )


def _documentation(definition: OperationDefinition, part: SignaturePart) -> str:
    operand = next((candidate for candidate in definition.operands if candidate.name == part.name), None)
    if operand is not None:
        return operand_line(definition, operand)
    attribute = next((candidate for candidate in definition.attributes if candidate.name == part.name), None)
    return attribute_line(attribute) if attribute is not None else _OTHERS.get(part.name, part.name)


def _active(signature: SignatureParts, operation: PartialOperation, expected: Expected) -> int | None:
    """Return the index of the part that is parsed at the cursor, or else of the part after the expected keyword."""
    for element in reversed(operation.path):
        index = _index_of_element(signature, element, operation.reading)
        if index is not None:
            return index
    named = (_index_of_name(signature, name) for expectation in expected.expectations for name in _names(expectation))
    return next((index for index in named if index is not None), None)


def _index_of_element(signature: SignatureParts, element: ods.Element, reading: str) -> int | None:
    parts = [(number, part) for number, part in enumerate(signature.parts) if part.element == element]
    exact = next((number for number, part in parts if part.name == reading), None)
    if exact is not None or parts:
        return exact if exact is not None else parts[0][0]
    literal = next((part for part in signature.literals if part.element == element), None)
    if literal is None:
        return None
    behind = (number for number, part in enumerate(signature.parts) if part.span.start >= literal.span.end)
    return next(behind, None)


def _index_of_name(signature: SignatureParts, name: str) -> int | None:
    return next((number for number, part in enumerate(signature.parts) if part.name == name), None)


def _names(expectation: Expectation) -> tuple[str, ...]:
    match expectation:
        case Operand(definition=definition) if definition is not None:
            return (definition.name,)
        case AttributeValue(name=name):
            return (name, ATTRIBUTES)
        case AttributeName() | AttributeDictionary():
            return (ATTRIBUTES,)
        case ExpectedType() | FunctionType():
            return (TYPES, RESULTS)
        case SymbolName():
            return ("sym_name",)
        case NewName():
            return (ARGUMENTS,)
    return ()
