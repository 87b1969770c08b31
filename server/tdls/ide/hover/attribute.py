"""Hover texts of attributes and keywords; constraints of operands, results and attributes in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.ide.forms.signatures import default_value
from tdls.ide.markdown import code, code_block, codes, foreign, paragraphs
from tdls.semantic.handle_types import KINDS_IN_WORDS, allowed_kinds
from tdls.semantic.transform_dialect import WITH_NAMED_SEQUENCE
from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import (
        AnyDefinition,
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        PassDefinition,
        ResultDefinition,
    )
    from tdls.ide.cursor.entity import Attribute, Keyword


def origin_text(definition: AnyDefinition | PassDefinition) -> str:
    """Return the source of a definition as Markdown, with a link to its line if a project defines it."""
    place = definition.defined_at
    if place is None or not place.path.is_absolute():
        return foreign(definition.source)
    is_named = definition.source.endswith(place.path.name)
    shown = definition.source if is_named else place.path.name
    link = f"[{foreign(shown)}:{place.line + 1}]({place.path.as_uri()}#L{place.line + 1})"
    return f"{foreign(definition.source)} · {link}" if definition.source and not is_named else link


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
    """Return the constraint of a value as Markdown: its only type, or its constraint in words; "" if none is known."""
    if value.type:
        return code(value.type)
    return KINDS_IN_WORDS.get(allowed_kinds(value)) or _VALUES.get(value.constraint) or ""


def attribute_constraint(attribute: AttributeDefinition) -> str:
    """Return the constraint of an attribute as Markdown: its cases, or the constraint in words; "" if none is known."""
    if attribute.cases:
        return f"one of {codes(attribute.cases)}"
    return _ATTRIBUTES.get(attribute.constraint, "")


def name_in_cpp(definition: OperandDefinition | ResultDefinition | AttributeDefinition, words: str) -> str:
    """Return the C++ name of the constraint, in brackets, for the end of a line; "" if there are `words` for it."""
    return f" ({code(definition.constraint)})" if definition.constraint and not words else ""


_BULLETS = ("- ", "* ", "+ ")
_NO_WORDS = ("```", "~~~", "#", "|")
_MOST_SENTENCES = 3
_QUOTES = "`$\"'*"


def meaning(name: str, documentation: str) -> str:
    """Extract from `documentation` the description of `name` as Markdown: its list item, or the sentences naming it."""
    blocks = list(_blocks(documentation))
    own = next((block for block in blocks if _is_item_of(name, block)), None)
    if own is not None:
        return foreign(own[2:])
    sentences = [sentence for block in blocks for sentence in _sentences(block) if _mentions(name, sentence)]
    return foreign(" ".join(sentences[:_MOST_SENTENCES]))


def _blocks(documentation: str) -> Iterator[str]:
    """Yield paragraphs and list items, each as one line; code blocks, headings and tables are skipped."""
    lines: list[str] = []
    is_code = False
    for line in [*documentation.split("\n"), ""]:
        text = line.strip()
        is_fence = text.startswith(_NO_WORDS[:2])
        is_code ^= is_fence
        is_other = is_code or is_fence or text.startswith(_NO_WORDS)
        if (not text or is_other or text.startswith(_BULLETS)) and lines:
            yield " ".join(lines)
            lines = []
        if text and not is_other:
            lines.append(text)


def _is_item_of(name: str, block: str) -> bool:
    """Return whether a block is a list item that begins with `name`."""
    if not block.startswith(_BULLETS):
        return False
    word = block[2:].lstrip(_QUOTES)
    return word.startswith(name) and not (word[len(name) :][:1].isalnum() or word[len(name) :][:1] == "_")


def _sentences(block: str) -> Iterator[str]:
    text = block[2:] if block.startswith(_BULLETS) else block
    parts = text.split(". ")
    for number, part in enumerate(parts, 1):
        yield part if number == len(parts) else f"{part}."


def _mentions(name: str, sentence: str) -> bool:
    return any(f"{quote}{name}{quote}" in sentence for quote in ("`", '"')) or f"`${name}`" in sentence


_ARGUMENT_ATTRIBUTES = {
    CONSUMED: "The callee consumes the handle: callers must not use it afterwards.",
    READONLY: "The callee only reads the handle: callers may go on using it.",
}
_DISCARDABLE_ATTRIBUTES = {
    WITH_NAMED_SEQUENCE: "The named sequences inside can be called, and the interpreter finds them.",
}
_FLAG = "UnitAttr"
"""The constraint of attributes without a value; it already implies that they are optional."""


def attribute_text(entity: Attribute, documentation: str = "") -> str:
    """Return Markdown for an attribute of an operation or of an argument.

    `documentation` is that of the operation, "" if there is none.
    """
    spelled = entity.attribute
    value = f" = {spelled.value}" if spelled.value is not None else ""
    head = code_block(f"{spelled.name}{value}")
    owner = entity.operation
    if entity.argument is not None:
        effect = _ARGUMENT_ATTRIBUTES.get(spelled.name, "")
        return paragraphs(head, f"Attribute of the argument {code(entity.argument.name)}.", effect)
    known = owner.definition.attributes if owner.definition is not None else ()
    definition = next((candidate for candidate in known if candidate.name == spelled.name), None)
    if definition is not None:
        description = meaning(definition.name, documentation)
        return paragraphs(head, description, f"Attribute of {code(owner.name)}: {attribute_line(definition)}.")
    if spelled.name in _DISCARDABLE_ATTRIBUTES:
        return paragraphs(head, _DISCARDABLE_ATTRIBUTES[spelled.name])
    if owner.definition is not None:
        kind = "A discardable attribute" if "." in spelled.name else "Not an attribute"
        return paragraphs(head, f"{kind}: {code(owner.name)} does not define it.")
    return paragraphs(head, f"Attribute of {code(owner.name)}, which is not known.")


def attribute_line(attribute: AttributeDefinition) -> str:
    """Return one line of Markdown with name, constraint, default and separator of an attribute."""
    constraint = attribute_constraint(attribute)
    parts = [f"{code(attribute.name)}: {constraint}" if constraint else code(attribute.name)]
    default = default_value(attribute)
    if default is not None:
        parts.append(f"default {code(default)}")
    elif (attribute.optional or attribute.default is not None) and attribute.constraint != _FLAG:
        parts.append("optional")
    if attribute.separator is not None:
        parts.append(f"several are joined by {code(attribute.separator)}")
    return ", ".join(parts) + name_in_cpp(attribute, constraint)


def keyword_text(entity: Keyword, documentation: str = "") -> str:
    """Return Markdown for a keyword; "" if the assembly format of its operation does not contain it.

    `documentation` is that of the operation, "" if there is none.
    """
    definition = entity.operation.definition if entity.operation is not None else None
    if definition is None or definition.assembly_format is None:
        return ""
    elements = ods.parse_format(definition.assembly_format).elements
    introduced = next(_introduced(elements, entity.text), None)
    if introduced is None:
        return ""
    lines = [_described(definition, name) for name in introduced]
    known = "\n".join(f"- {line}" for line in lines if line)
    description = next(filter(None, (meaning(name, documentation) for name in introduced)), "")
    return paragraphs(code_block(entity.text), description, f"Keyword of {code(definition.name)}.", known)


def _introduced(elements: tuple[ods.Element, ...], keyword: str) -> Iterator[tuple[str, ...]]:
    """For each `keyword` in the format, yield the names of the variables in the directive that follows it."""
    for index, element in enumerate(elements):
        if isinstance(element, ods.Literal) and element.text == keyword:
            following = (
                follower for follower in elements[index + 1 :] if isinstance(follower, (ods.Variable, ods.Custom))
            )
            yield _names(next(following, None))
        for branch in _branches(element):
            yield from _introduced(branch, keyword)


def _branches(element: ods.Element) -> tuple[tuple[ods.Element, ...], ...]:
    if isinstance(element, ods.OptionalGroup):
        return element.then, element.otherwise
    return tuple(clause.elements for clause in element.clauses) if isinstance(element, ods.OIList) else ()


def _names(element: ods.Element | None) -> tuple[str, ...]:
    if isinstance(element, ods.Variable):
        return (element.name,)
    if isinstance(element, ods.Custom):
        return tuple(argument.name for argument in element.args if isinstance(argument, ods.Variable))
    return ()


def _described(definition: OperationDefinition, name: str) -> str:
    attribute = next((candidate for candidate in definition.attributes if candidate.name == name), None)
    if attribute is not None:
        return attribute_line(attribute)
    operand = next((candidate for candidate in definition.operands if candidate.name == name), None)
    if operand is None:
        return ""
    words = value_constraint(operand)
    return f"{code('%' + name)}{': ' + words if words else ''}{name_in_cpp(operand, words)}"
