"""What an operand, a result or an attribute may be, in words: definitions have the names of C++ classes for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.ide.markdown.pieces import code, codes
from tdls.semantic.handle_types import HandleKind, allowed_kinds

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, ResultDefinition

_HANDLES: Final = {
    frozenset({HandleKind.OPERATIONS}): "handle to operations",
    frozenset({HandleKind.VALUES}): "handle to values",
    frozenset({HandleKind.PARAMETERS}): "parameter",
    frozenset({HandleKind.OPERATIONS, HandleKind.VALUES}): "handle to operations or values",
    frozenset({HandleKind.OPERATIONS, HandleKind.PARAMETERS}): "handle to operations or parameter",
    frozenset(HandleKind): "handle or parameter",
}
_VALUES: Final = {
    "AnyType": "any type",
    "AnyShaped": "tensor, memref or vector",
    "AnyTensor": "tensor",
    "AnyRankedTensor": "ranked tensor",
    "AnyMemRef": "memref",
    "AnyVectorOfAnyRank": "vector",
    "AnyVectorOfNonZeroRank": "vector with a dimension at least",
    "AnyInteger": "integer",
    "AnySignlessInteger": "signless integer",
    "AnyFloat": "float",
    "IntOrIndex": "integer or index",
    "FloatLike": "float, or vector or tensor of floats",
    "SignlessIntegerOrIndexLike": "integer or index, or vector or tensor of those",
}
_ATTRIBUTES: Final = {
    "AnyAttr": "any attribute",
    "AffineMapArrayAttr": "list of affine maps",
    "AffineMapAttr": "affine map",
    "APIntAttr": "integer",
    "ArrayAttr": "list",
    "BoolArrayAttr": "list of booleans",
    "BoolAttr": "`true` or `false`",
    "Builtin_StringAttr": "string",
    "DenseBoolArrayAttr": "booleans",
    "DenseI32ArrayAttr": "integers",
    "DenseI64ArrayAttr": "integers",
    "DictArrayAttr": "list of dictionaries",
    "DictionaryAttr": "dictionary",
    "FlatSymbolRefAttr": "symbol",
    "I1Attr": "`true` or `false`",
    "I16Attr": "integer of 16 bits",
    "I32Attr": "integer of 32 bits",
    "I64ArrayAttr": "list of integers",
    "I64Attr": "integer",
    "IndexAttr": "index",
    "StrArrayAttr": "list of strings",
    "StrAttr": "string",
    "SymbolNameAttr": "name of the symbol that is defined",
    "SymbolRefArrayAttr": "list of symbols",
    "SymbolRefAttr": "symbol",
    "TypeArrayAttr": "list of types",
    "TypeAttr": "type",
    "TypedArrayAttrBase<I64ArrayAttr>": "list of lists of integers",
    "UI32Attr": "unsigned integer of 32 bits",
    "UnitAttr": "flag",
}


def value_constraint(value: OperandDefinition | ResultDefinition) -> str:
    """Return Markdown for what a value may be: its only type, or its constraint in words; "" if none are known."""
    if value.type:
        return code(value.type)
    return _HANDLES.get(allowed_kinds(value)) or _VALUES.get(value.constraint) or ""


def attribute_constraint(attribute: AttributeDefinition) -> str:
    """Return Markdown for what an attribute may be: its cases, or its constraint in words; "" if none are known."""
    if attribute.cases:
        return f"one of {codes(attribute.cases)}"
    return _ATTRIBUTES.get(attribute.constraint, "")


def name_in_cpp(definition: OperandDefinition | ResultDefinition | AttributeDefinition, words: str) -> str:
    """Return what is said last of a definition for which there are no `words`: the name of its constraint in C++."""
    return f" ({code(definition.constraint)})" if definition.constraint and not words else ""
