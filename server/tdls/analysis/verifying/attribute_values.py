"""The kind of attribute that a text spells, and whether an ODS constraint allows it."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.model import AttributeSpelling
from tdls.syntax import scanner
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.model import AttributeDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


class SpelledKind(Enum):
    """Kinds of attributes that a constraint can distinguish by their spelling."""

    UNIT = "unit"
    BOOLEAN = "a boolean"
    INTEGER = "an integer"
    FLOAT = "a float"
    STRING = "a string"
    SYMBOL = "a symbol"
    TYPE = "a type"
    ARRAY = "an array"
    DENSE_ARRAY = "a dense array"
    DICTIONARY = "a dictionary"
    OF_DIALECT = "an attribute of a dialect"
    OTHER = "an attribute of another kind"
    """Allowed by no constraint here: elements of tensors, affine maps, strides, locations."""


_TYPE_WORD = re.compile(r"(?:[su]?i|b?f|tf)\d|(?:index|none|tuple|vector|tensor|memref|complex)\b", re.ASCII)
_INTEGER = re.compile(r"(-?(?:0x[0-9a-fA-F]+|\d+))\s*(?::\s*(\w+))?", re.ASCII)
_FLOAT = re.compile(r"-?\d+\.\d*(?:[eE][+-]?\d+)?\s*(?::\s*\w+)?", re.ASCII)
_STRING = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"', re.ASCII)
_BOOLEAN = re.compile(r"true|false|[01]\s*:\s*i1", re.ASCII)
_SYMBOL = re.compile(r'@(?:[\w$.\-]+|"[^"\n]*")(?:::@(?:[\w$.\-]+|"[^"\n]*"))*', re.ASCII)
_DENSE = re.compile(r"array<\s*(\w+)\s*(?::|>)", re.ASCII)
_NUMBER = re.compile(r"-?\d+", re.ASCII)
_OF_DIALECT = re.compile(r"#\w[\w$]*\.\w", re.ASCII)
_OTHER = re.compile(r"(?:affine_map|affine_set|dense|dense_resource|sparse|strided|distinct|loc)\s*[<(\[]", re.ASCII)

_BY_PATTERN: tuple[tuple[SpelledKind, Callable[[str], re.Match[str] | None]], ...] = (
    (SpelledKind.BOOLEAN, lambda text: _BOOLEAN.fullmatch(text)),
    (SpelledKind.INTEGER, lambda text: _INTEGER.fullmatch(text)),
    (SpelledKind.FLOAT, lambda text: _FLOAT.fullmatch(text)),
    (SpelledKind.STRING, lambda text: _STRING.fullmatch(text)),
    (SpelledKind.SYMBOL, lambda text: _SYMBOL.fullmatch(text)),
    (SpelledKind.DENSE_ARRAY, lambda text: _DENSE.match(text)),
    (SpelledKind.TYPE, lambda text: _TYPE_WORD.match(text)),
    (SpelledKind.OF_DIALECT, lambda text: _OF_DIALECT.match(text)),
    (SpelledKind.OTHER, lambda text: _OTHER.match(text)),
)
_BY_FIRST = {"[": SpelledKind.ARRAY, "{": SpelledKind.DICTIONARY, "!": SpelledKind.TYPE, "(": SpelledKind.TYPE}


def kind_of_value(text: str | None) -> SpelledKind | None:
    """Return the kind of a value (None for an attribute without one), or None where an alias decides."""
    if text is None or text == "unit":
        return SpelledKind.UNIT
    return next((kind for kind, match in _BY_PATTERN if match(text) is not None), _BY_FIRST.get(text[:1]))


def inherent(operation: Operation, name: str) -> NamedAttribute | None:
    """Return a spelled attribute if the operation's definition has it; its verifier ignores all others."""
    definition = operation.definition
    is_known = definition is not None and any(attribute.name == name for attribute in definition.attributes)
    return operation.syntax.attribute(name) if is_known else None


def inherent_integers(operation: Operation, name: str) -> tuple[NamedAttribute | None, tuple[int, ...] | None]:
    """Return an attribute as `inherent` does, and its integers; None for these if it has none, or is none of these."""
    attribute = inherent(operation, name)
    return attribute, integers_of((attribute.value or "").strip()) if attribute is not None else None


def elements_of(text: str) -> tuple[str, ...] | None:
    """Return the elements of an array ``[a, b]`` as spelled, or None if the text is not an array."""
    return _elements_kept(text) if len(text) <= _LONGEST_KEPT else _elements_of(text)


def _elements_of(text: str) -> tuple[str, ...] | None:
    tokens = scanner.scan(text)
    if not text.startswith("[") or tokens.partners.get(0, -1) < 0:
        return None
    closer, index, start = tokens.partners[0], 1, tokens.ends[0]
    elements: list[str] = []
    while index < closer:
        if tokens.kinds[index] == ",":
            elements.append(text[start : tokens.starts[index]].strip())
            start = tokens.ends[index]
        partner = tokens.partners.get(index, -1)
        index = partner + 1 if partner > index else index + 1
    last = text[start : tokens.starts[closer]].strip()
    return tuple([*elements, last] if last or elements else [])


_LONGEST_KEPT = 200
_elements_kept = lru_cache(maxsize=1024)(_elements_of)
"""Cached, since scripts repeat the same few lists, such as ``["linalg.matmul"]``."""


def integers_of(text: str) -> tuple[int, ...] | None:
    """Return the integers of ``4 : i64``, ``[4, 8]`` or ``array<i64: 4, 8>``, or None for anything else."""
    if _INTEGER.fullmatch(text):
        spelled: tuple[str, ...] | None = (text,)
    elif _DENSE.match(text):
        inside = text.partition(":")[2].rstrip().removesuffix(">")
        spelled = tuple(each.strip() for each in inside.split(",")) if inside.strip() else ()
    else:
        spelled = elements_of(text)
    if spelled is None:
        return None
    numbers = [_integer(each) for each in spelled]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None


def _integer(text: str) -> int | None:
    match = _INTEGER.fullmatch(text)
    return integer(match[1]) if match is not None and _NUMBER.fullmatch(match[1]) else None


def wanted_of(definition: AttributeDefinition, text: str | None) -> str | None:
    """Return the expected value, as a phrase, where the constraint of `definition` rules `text` out; else None."""
    kind = kind_of_value(text)
    if kind is None:
        return None
    if definition.cases:
        return (
            None
            if _may_be_case(definition, text or "", kind)
            else f"one of {', '.join(f'`{case}`' for case in definition.cases)}"
        )
    allowed = _KINDS.get(definition.constraint)
    if allowed is not None:
        return None if kind is allowed else allowed.value
    if definition.constraint in _OF_ANY_WIDTH:
        return None if kind in (SpelledKind.INTEGER, SpelledKind.BOOLEAN) else SpelledKind.INTEGER.value
    if definition.constraint in _ELEMENTS:
        wanted, is_element = _ELEMENTS[definition.constraint]
        elements = elements_of(text or "") if kind is SpelledKind.ARRAY else None
        if kind is SpelledKind.ARRAY and (elements is None or all(map(is_element, elements))):
            return None
        return f"an array of {wanted}"
    if definition.constraint in _DENSE_ELEMENTS:
        element = _DENSE_ELEMENTS[definition.constraint]
        match = _DENSE.match(text or "")
        return None if match is not None and match[1] == element else f"a dense array `array<{element}: ...>`"
    if definition.constraint in _INTEGERS:
        match = _INTEGER.fullmatch(text or "")
        is_typed = match is not None and (match[2] or "i64") == definition.type
        return None if is_typed else f"an integer of the type `{definition.type}`"
    return None


def _may_be_case(definition: AttributeDefinition, text: str, kind: SpelledKind) -> bool:
    """Whether a value may be a case of an enumeration: an integer of its type, if it has one."""
    if definition.type is None or definition.spelling is not AttributeSpelling.KEYWORD:
        return kind in (SpelledKind.INTEGER, SpelledKind.STRING, SpelledKind.OF_DIALECT)
    match = _INTEGER.fullmatch(text)
    if match is None or (match[2] or "i64") != definition.type:
        return False
    number = _integer(text)
    return not definition.case_numbers or number is None or number in definition.case_numbers


def _is(*kinds: SpelledKind) -> Callable[[str], bool]:
    possible = frozenset((None, *kinds))
    return lambda text: kind_of_value(text) in possible


def _is_integer_of_64_bits(text: str) -> bool:
    match = _INTEGER.fullmatch(text)
    return kind_of_value(text) is None or (match is not None and match[2] in (None, "i64"))


def _is_array_of_integers(text: str) -> bool:
    elements = elements_of(text)
    return kind_of_value(text) is None or (elements is not None and all(map(_is_integer_of_64_bits, elements)))


_KINDS = {
    "UnitAttr": SpelledKind.UNIT,
    "BoolAttr": SpelledKind.BOOLEAN,
    "StrAttr": SpelledKind.STRING,
    "SymbolNameAttr": SpelledKind.STRING,
    "Builtin_StringAttr": SpelledKind.STRING,
    "SymbolRefAttr": SpelledKind.SYMBOL,
    "FlatSymbolRefAttr": SpelledKind.SYMBOL,
    "DictionaryAttr": SpelledKind.DICTIONARY,
    "TypeAttr": SpelledKind.TYPE,
    "ArrayAttr": SpelledKind.ARRAY,
}
_ELEMENTS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "I64ArrayAttr": ("64-bit integers", _is_integer_of_64_bits),
    "TypedArrayAttrBase<I64ArrayAttr>": ("arrays of 64-bit integers", _is_array_of_integers),
    "StrArrayAttr": ("strings", _is(SpelledKind.STRING)),
    "SymbolRefArrayAttr": ("symbols", _is(SpelledKind.SYMBOL)),
    "BoolArrayAttr": ("booleans", _is(SpelledKind.BOOLEAN)),
    "TypeArrayAttr": ("types", _is(SpelledKind.TYPE)),
    "DictArrayAttr": ("dictionaries", _is(SpelledKind.DICTIONARY)),
    "DeviceMappingArrayAttr": ("mappings to devices, such as `#gpu.thread<x>`", _is(SpelledKind.OF_DIALECT)),
    "TypedArrayAttrBase<TransformNormalFormAttr>": (
        "normal forms, which are attributes of dialects",
        _is(SpelledKind.OF_DIALECT),
    ),
}
_DENSE_ELEMENTS = {"DenseI64ArrayAttr": "i64", "DenseI32ArrayAttr": "i32", "DenseBoolArrayAttr": "i1"}
_OF_ANY_WIDTH = frozenset({"APIntAttr"})
_INTEGERS = frozenset({"I64Attr", "I32Attr", "I16Attr", "UI32Attr"})
