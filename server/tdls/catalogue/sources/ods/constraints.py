"""Names, arities and types of ODS constraints: wrappers are stripped, anonymous definitions named after their class."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.catalogue.sources.ods.definitions import is_a, without_colons
from tdls.catalogue.sources.work import WORK

if TYPE_CHECKING:
    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex

_WRAPPERS = (
    "Variadic",
    "Optional",
    "VariadicOfVariadic",
    "OptionalAttr",
    "DefaultValuedAttr",
    "DefaultValuedOptionalAttr",
    "ConfinedAttr",
    "OptionalProp",
    "DefaultValuedProp",
    "ConfinedProp",
    "OpVariable",
)
_MOST_WRAPPERS = 50
"""Only a constraint that contains itself has more levels."""
_MOST_PREDICATES = 1000
_BASE_FIELDS = ("baseType", "baseAttr", "baseProperty", "constraint")
_ELEMENT_FIELDS = ("allowedTypes", "allowedAttributes", "elementType", "elementAttr", "elementTypes")

_BUILDER_TYPES = {
    "$_builder.getIndexType()": "index",
    "$_builder.getNoneType()": "none",
    "$_builder.getType<BFloat16Type>()": "bf16",
}


class ArgumentKind(Enum):
    """The kind of an argument of an operation."""

    TYPE = "type"
    ATTRIBUTE = "attribute"
    PROPERTY = "property"
    OTHER = "other"


_KINDS = {
    "TypeConstraint": ArgumentKind.TYPE,
    "AttrConstraint": ArgumentKind.ATTRIBUTE,
    "Property": ArgumentKind.PROPERTY,
}
_ATTRIBUTE_NAME = re.compile(r"Attr(?:Of|Base)?$|Enum$|^Attr|_Attr")
_PROPERTY_NAME = re.compile(r"Prop(?:erty)?$")


def kind(constraint: RecordFields) -> ArgumentKind:
    """Return the kind of an argument of an operation; for an unknown class the naming conventions of ODS decide."""
    for class_name, found in _KINDS.items():
        if is_a(constraint, class_name):
            return found
    if not constraint.get("!unknown"):
        return ArgumentKind.OTHER
    names = [str(constraint["!name"])] if not constraint["!anonymous"] else []
    names += reversed(constraint["!superclasses"])
    if any(_PROPERTY_NAME.search(name) for name in names):
        return ArgumentKind.PROPERTY
    return ArgumentKind.ATTRIBUTE if any(_ATTRIBUTE_NAME.search(name) for name in names) else ArgumentKind.TYPE


def strip(definitions: RecordIndex, constraint: RecordFields) -> RecordFields:
    """Return the constraint inside `Variadic`, `Optional`, `OptionalAttr`, `DefaultValuedAttr`, `ConfinedAttr`..."""
    for _ in range(_MOST_WRAPPERS):
        if not constraint["!anonymous"] or not any(is_a(constraint, wrapper) for wrapper in _WRAPPERS):
            break
        bases = (definitions.follow(constraint.get(field)) for field in _BASE_FIELDS)
        inner = next((record for record in bases if record is not None), None)
        if inner is None:
            break
        constraint = inner
    return constraint


def base_attribute(definitions: RecordIndex, constraint: RecordFields) -> RecordFields:
    """Return the base attribute in mlir-tblgen's sense: follow all ``baseAttr``, named or not."""
    for _ in range(_MOST_WRAPPERS):
        inner = definitions.follow(constraint.get("baseAttr"))
        if inner is None:
            break
        constraint = inner
    return constraint


def base_property(definitions: RecordIndex, constraint: RecordFields) -> RecordFields:
    """Return the first named property: follow the ``baseProperty`` of anonymous ones."""
    for _ in range(_MOST_WRAPPERS):
        inner = definitions.follow(constraint.get("baseProperty")) if constraint["!anonymous"] else None
        if inner is None:
            break
        constraint = inner
    return constraint


def readable_name(definitions: RecordIndex, constraint: RecordFields) -> str:
    """Return ``I64Attr``; for an anonymous definition its class with its elements: ``AnyTypeOf<I64,Index>``."""
    constraint = strip(definitions, constraint)
    if not constraint["!anonymous"]:
        return str(constraint["!name"])
    if is_a(constraint, "TypeAttrBase"):
        return "TypeAttr"
    class_name = next(reversed(constraint["!superclasses"]), "")
    with WORK.deeper():
        arguments = [readable_name(definitions, element) for element in _elements(definitions, constraint)]
    WORK.text(sum(map(len, arguments)))
    return f"{class_name}<{','.join(arguments)}>" if arguments else str(class_name)


def arity(constraint: RecordFields) -> Arity:
    """Return the arity of an operand or result with this constraint."""
    if is_a(constraint, "VariadicOfVariadic"):
        return Arity.VARIADIC_OF_VARIADIC
    if is_a(constraint, "Variadic"):
        return Arity.VARIADIC
    return Arity.OPTIONAL if is_a(constraint, "Optional") else Arity.ONE


def only_type(definitions: RecordIndex, constraint: RecordFields) -> str | None:
    """Return the only type that the constraint allows, as it is spelled, or None if it allows several or is unknown."""
    if is_a(constraint, "Transform_ConcreteOpType"):
        return f'!transform.op<"{_operation_of_handle(definitions, constraint)}">'
    builder = constraint.get("builderCall") or ""
    if is_a(constraint, "TypeDef") and builder:
        return type_spelling(definitions, constraint) if not definitions.arguments(constraint["parameters"]) else None
    return _builder_type(builder.strip().rstrip(";").strip(), definitions)


def custom_type(definitions: RecordIndex, constraint: RecordFields) -> str | None:
    """Return the dialect type whose own parser and printer ``type($operand)`` uses, or None for other types.

    A class that a project writes in C++ may have a parser, too: then it is the class that is returned.
    """
    cpp_type: str | None = constraint.get("cppType") or constraint.get("cppClassName")  # its name before LLVM 20
    if not cpp_type:
        return None
    of_class = definitions.types_by_class.get(without_colons(cpp_type), ())
    for definition in of_class:
        if definition["cppType"] == cpp_type and has_own_syntax(definitions, definition):
            return kind_name(definitions, definition)
    bases = [definition.get("cppBaseClassName") or "" for definition in of_class] or [cpp_type]
    may_have_parser = all("::" in base and not without_colons(base).startswith("mlir::") for base in bases)
    return cpp_type if may_have_parser else None


def kind_name(definitions: RecordIndex, definition: RecordFields) -> str | None:
    """Return ``dialect.mnemonic`` of a TypeDef or AttrDef, or None without a mnemonic."""
    dialect = definitions.follow(definition["dialect"])
    if not dialect or not dialect["name"] or not definition["mnemonic"]:
        return None
    return f"{dialect['name']}.{definition['mnemonic']}"


def has_own_syntax(definitions: RecordIndex, definition: RecordFields) -> bool:
    """Whether the TypeDef or AttrDef has a generated or hand-written `parse`."""
    if not definition["mnemonic"]:
        return False
    if definition["hasCustomAssemblyFormat"]:
        return True
    return definition["assemblyFormat"] is not None and bool(definitions.arguments(definition["parameters"]))


def type_spelling(definitions: RecordIndex, definition: RecordFields) -> str | None:
    """Return ``!dialect.mnemonic`` of a TypeDef, or None without a mnemonic."""
    name = kind_name(definitions, definition)
    return f"!{name}" if name else None


def _operation_of_handle(definitions: RecordIndex, constraint: RecordFields) -> str | None:
    """Return the payload operation in the handle type of a `Transform_ConcreteOpType`, taken from its predicate."""
    predicates = [definitions.follow(constraint.get("predicate"))]
    for predicate in predicates:
        if predicate is None or len(predicates) > _MOST_PREDICATES:
            continue
        compared = re.search(r'getOperationName\(\) == "([^"]+)"', predicate.get("predExpr") or "")
        if compared is not None:
            return compared[1]
        predicates += [definitions.follow(child) for child in predicate.get("children") or ()]
    return None


def _elements(definitions: RecordIndex, constraint: RecordFields) -> list[RecordFields]:
    for field in _ELEMENT_FIELDS:
        value = constraint.get(field)
        values = value if isinstance(value, (list, tuple)) else [value]
        elements = [element for item in values if (element := definitions.follow(item)) is not None]
        if elements:
            return elements
    return []


def _builder_type(builder: str, definitions: RecordIndex) -> str | None:
    """Return the spelling of the type that a C++ builder expression makes, for the forms that ODS files use."""
    if builder in _BUILDER_TYPES:
        return _BUILDER_TYPES[builder]
    if match := re.fullmatch(r"\$_builder\.get(?:(Signless|Signed|Unsigned)?)IntegerType\((\d+)\)", builder):
        return {"Signed": "si", "Unsigned": "ui"}.get(match[1] or "", "i") + match[2]
    if match := re.fullmatch(r"\$_builder\.get([IF]\d+)Type\(\)", builder):
        return match[1].lower()
    if match := re.fullmatch(r"::mlir::VectorType::get\(\{(\d+)\} ?, ?(.*)\)", builder):
        element = _builder_type(match[2].strip(), definitions)
        return f"vector<{match[1]}x{element}>" if element else None
    return _dialect_builder_type(builder, definitions)


def _dialect_builder_type(builder: str, definitions: RecordIndex) -> str | None:
    match = re.fullmatch(r"\$_builder\.getType<(?:::)?([\w:]+)>\((\d*)\)", builder) or re.fullmatch(
        r"(?:::)?([\w:]+)::get\(\$_builder\.getContext\(\)()\)", builder
    )
    if match is None:
        return None
    if match[1] == "mlir::LLVM::LLVMPointerType":
        return f"!llvm.ptr<{match[2]}>" if match[2] not in ("", "0") else "!llvm.ptr"
    spellings = (type_spelling(definitions, record) for record in definitions.types_by_class.get(match[1], ()))
    return next((spelling for spelling in spellings if spelling), None) or _HAND_SPELLED_TYPES.get(match[1])


_HAND_SPELLED_TYPES = {
    "mlir::gpu::AsyncTokenType": "!gpu.async.token",
    "mlir::gpu::SparseSpMatHandleType": "!gpu.sparse.spmat_handle",
    "mlir::gpu::SparseDnTensorHandleType": "!gpu.sparse.dntensor_handle",
    "mlir::gpu::SparseSpGEMMOpHandleType": "!gpu.sparse.spgemmop_handle",
    "mlir::LLVM::LLVMTokenType": "!llvm.token",
    "Float8E8M0FNUType": "f8E8M0FNU",
}
"""Types that are defined in C++ only."""
