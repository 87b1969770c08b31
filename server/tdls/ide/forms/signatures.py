"""Signatures: the assembly form of an operation as text with named parts, for hovers and signature help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tdls.catalogue.model import Arity, AttributeDefinition, AttributeSpelling, OperandDefinition, ResultDefinition
from tdls.structs import Struct
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import is_unit
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.model import OperationDefinition, ParameterDefinition

_LITERAL = re.compile(r'-?\d+(\.\d+)?|0x[0-9a-fA-F]+|true|false|"[^"\\]*"')
_CAST = re.compile(r"static_cast<[\w:]+>\((?P<value>-?\d+)\)")
_ENUMERATOR = re.compile(r"[\w:]+::(?P<case>\w+)")


def default_value(definition: AttributeDefinition | ParameterDefinition) -> str | None:
    """Return the default in MLIR syntax, or None if there is none, or if its C++ expression cannot be translated."""
    expression = (definition.default or "").strip()
    if _LITERAL.fullmatch(expression):
        return expression
    cast = _CAST.fullmatch(expression)
    if cast is not None:
        return cast["value"]
    enumerator = _ENUMERATOR.fullmatch(expression)
    if enumerator is not None:
        return next((case for case in definition.cases if case.casefold() == enumerator["case"].casefold()), None)
    return _empty(definition) if expression == "{}" else None


def _empty(definition: AttributeDefinition | ParameterDefinition) -> str | None:
    kind = definition.constraint if isinstance(definition, AttributeDefinition) else definition.type
    if kind.endswith("ArrayAttr"):
        return "[]"
    return "{}" if kind == "DictionaryAttr" else None


def required_in_dictionary(
    definition: OperationDefinition, elements: Iterable[ods.Element]
) -> tuple[AttributeDefinition, ...]:
    """Return the required attributes that `elements`, the format of the operation, leave to the dictionary."""
    elements = tuple(elements)
    if any(isinstance(element, ods.PropDict) for element in elements):
        return ()
    spelled = spelled_in_format(elements)
    required = (each for each in definition.attributes if not (each.optional or is_unit(each)) and each.default is None)
    return tuple(attribute for attribute in required if attribute.name not in spelled)


def spelled_in_format(elements: Iterable[ods.Element]) -> frozenset[str]:
    """Return the names of the variables that have a place of their own in the format, outside of its dictionary."""
    return frozenset(_variables(elements))


def _variables(elements: Iterable[ods.Element]) -> Iterator[str]:
    for element in elements:
        match element:
            case ods.Variable(name=name):
                yield name
            case ods.Qualified(arg=argument):
                yield from _variables((argument,))
            case ods.Custom(args=arguments):
                yield from _variables(arguments)
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                yield from _variables((*then, *otherwise))
            case ods.OIList(clauses=clauses):
                yield from _variables(inner for clause in clauses for inner in clause.elements)


Values: TypeAlias = "tuple[OperandDefinition | ResultDefinition, ...]"

TYPES = "types"
ATTRIBUTES = "attributes"
ARGUMENTS = "arguments"
RESULTS = "results"
"""Names of the parts that are not operand, attribute, region or successor."""

_MOST_CASES = 5
"""An enum with more cases than this is shown by its name."""
_LISTS = frozenset({"DynamicIndexList", "PackedOrDynamicIndexList", "InnerTileAlignments"})
"""Custom directives that parse their arguments between brackets."""


class SignaturePart(Struct, frozen=True):
    """A placeholder in a signature; `name` is an ODS name or one of the constants above.

    `span` is its place in the text; `element` is the corresponding element of the assembly format.
    """

    name: str
    span: Span
    element: ods.Element | None = None


class SignatureParts(Struct, frozen=True):
    """The text with its parts in order, and the keywords and punctuation that come from the format (`literals`)."""

    text: str
    parts: tuple[SignaturePart, ...]
    literals: tuple[SignaturePart, ...]


def signature_parts(definition: OperationDefinition, *, generic: bool = False) -> SignatureParts:
    """Return the signature in the assembly format; an outline if the format is unknown, or the generic form."""
    writer = _SignatureWriter(definition)
    if generic:
        _write_generic(writer, definition)
    elif definition.assembly_format is not None and definition.format_known:
        _write_format(writer, definition, definition.assembly_format)
    elif "FunctionOpInterface" in definition.traits:
        _write_function(writer, definition)
    else:
        _write_outline(writer, definition)
    return writer.finish()


def _write_format(writer: _SignatureWriter, definition: OperationDefinition, assembly_format: str) -> None:
    form = ods.parse_format(assembly_format)
    if form.problem is not None:
        _write_outline(writer, definition)
        return
    writer.write(definition.name)
    writer.required = [attribute.name for attribute in required_in_dictionary(definition, form.elements)]
    writer.write_elements(form.elements)


def _write_generic(writer: _SignatureWriter, definition: OperationDefinition) -> None:
    writer.write(f'"{definition.name}"(')
    writer.write_list(operand.name for operand in definition.operands)
    writer.write(")")
    if definition.attributes:
        writer.write(" <{")
        writer.write_list(attribute.name for attribute in definition.attributes)
        writer.write("}>")
    if definition.regions:
        writer.write(" ({ ... })")
    writer.write(" ")
    writer.part("{...}", ATTRIBUTES)
    writer.write(" : ")
    writer.write_function_type(definition.operands, definition.results, None)


def _write_function(writer: _SignatureWriter, definition: OperationDefinition) -> None:
    writer.write(f"{definition.name} ")
    writer.part("@sym_name", "sym_name")
    writer.write("(")
    writer.part("%argument: !type {...}, ...", ARGUMENTS)
    writer.write(") (-> ")
    writer.part("(!type, ...)", RESULTS)
    writer.write(")? (attributes ")
    writer.part("{...}", ATTRIBUTES)
    writer.write(")? { ... }")


def _write_outline(writer: _SignatureWriter, definition: OperationDefinition) -> None:
    """Write operands, attributes and types in the usual order, for an operation without a known format."""
    writer.write(f"{definition.name} ")
    writer.write_list(operand.name for operand in definition.operands)
    writer.write(" {" if definition.operands else "{")
    writer.write_list(attribute.name for attribute in definition.attributes)
    writer.write("} : ")
    writer.write_function_type(definition.operands, definition.results, None)


class _SignatureWriter:
    """Puts blanks where MLIR's printer has them (`genLiteralPrinter` of OpFormatGen.cpp)."""

    def __init__(self, definition: OperationDefinition) -> None:
        self._definition = definition
        values: list[OperandDefinition | ResultDefinition] = [*definition.results, *definition.operands]
        self._values = {value.name: value for value in values}
        self._attributes = {attribute.name: attribute for attribute in definition.attributes}
        self._regions = {region.name for region in definition.regions}
        self.required: list[str] = []
        """Names of the attributes that the dictionary must contain."""
        self._text = ""
        self._parts: list[SignaturePart] = []
        self._literals: list[SignaturePart] = []

    def finish(self) -> SignatureParts:
        return SignatureParts(self._text, tuple(self._parts), tuple(self._literals))

    def write(self, text: str) -> None:
        """Write text that is not a placeholder."""
        self._text += text

    def part(self, text: str, name: str, element: ods.Element | None = None) -> None:
        if text:
            self._parts.append(SignaturePart(name, self._following(text), element))
            self._text += text

    def _following(self, text: str) -> Span:
        return Span(len(self._text), len(self._text) + len(text))

    def write_list(self, names: Iterable[str]) -> None:
        """Write operands or attributes with commas between them."""
        for number, name in enumerate(names):
            self.write(", " if number else "")
            self.part(self._spelled(name) or name, name)

    def write_function_type(self, inputs: Values, results: Values, element: ods.Element | None) -> None:
        """Write the types of `inputs` and `results` as one part."""
        self.part(f"({_types(inputs)}) -> ({_types(results)})", TYPES, element)

    # Elements

    def write_elements(self, elements: Iterable[ods.Element]) -> None:
        """Write elements of an assembly format."""
        for element in elements:
            self._write_element(element)

    def _write_element(self, element: ods.Element) -> None:
        match element:
            case ods.Literal(text=text):
                self._blank(text)
                self._literals.append(SignaturePart(text, self._following(text), element))
                self.write(text)
            case ods.Variable(name=name):
                self._separated(self._spelled(name), name, element)
            case ods.Qualified(arg=argument):
                self._write_element(argument)
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                self._write_choice([then, otherwise] if otherwise else [then], "" if otherwise else "?")
            case ods.OIList(clauses=clauses):
                self._write_choice([clause.elements for clause in clauses], "*")
            case ods.Custom(name=name, args=arguments):
                self._write_custom(element, name, arguments)
            case _:
                self._write_directive(element)

    def _write_directive(self, element: ods.Element) -> None:
        match element:
            case ods.FunctionalType(inputs=inputs, results=results):
                self._blank()
                self.write_function_type(self._group(inputs), self._group(results), element)
            case ods.TypeOf(arg=argument):
                self._separated(_types(self._group(argument)), TYPES, element)
            case ods.AttrDict(with_keyword=with_keyword):
                self._separated(self._dictionary(with_keyword=with_keyword), ATTRIBUTES, element)
            case ods.Operands():
                self._blank()
                self.write_list(operand.name for operand in self._definition.operands)
            case ods.Regions():
                self._separated("{ ... }", "regions", element)
            case ods.Successors():
                self._separated("^successors", "successors", element)

    def _dictionary(self, *, with_keyword: bool) -> str:
        if self.required:
            names = ", ".join(f"{name} = <{name}>" for name in self.required)
            return f"{'attributes ' if with_keyword else ''}{{{names}, ...}}"
        return "(attributes {...})?" if with_keyword else "{...}?"

    def _blank(self, literal: str = "") -> None:
        """Write a blank if one belongs before `literal`, or before a placeholder if that is ""."""
        attaches = bool(literal) and literal in "<>(){}[],"
        if self._text and self._text[-1] not in " (<[{" and not attaches:
            self._text += " "

    def _separated(self, text: str, name: str, element: ods.Element) -> None:
        if text:
            self._blank()
            self.part(text, name, element)

    def _write_choice(self, branches: list[tuple[ods.Element, ...]], mark: str) -> None:
        self._blank()
        self.write("(")
        for number, branch in enumerate(branches):
            self.write(" | " if number else "")
            self.write_elements(branch)
        self.write(f"){mark}")

    def _write_custom(self, element: ods.Element, name: str, arguments: tuple[ods.Element, ...]) -> None:
        """Write the variables of a custom directive, or its types if it has no variables."""
        names = [
            argument.name
            for argument in arguments
            if isinstance(argument, ods.Variable) and self._spelled(argument.name)
        ]
        types = [self._group(argument) for argument in arguments if isinstance(argument, ods.TypeOf)]
        self._blank()
        if not names and types:
            results = tuple(value for group in types[1:] for value in group)
            self.write_function_type(types[0], results, element)
            return
        opening, separator, closing = ("[", " | ", "]") if name in _LISTS else ("", " ", "")
        self.write(opening)
        for number, variable in enumerate(names):
            self.write(separator if number else "")
            self.part(self._spelled(variable), variable, element)
        self.write(closing)

    # Names

    def _spelled(self, name: str) -> str:
        if name in self._regions:
            return "{ ... }"
        if name in self._attributes:
            return _attribute(self._attributes[name])
        return f"%{name}{_repeated(self._values[name])}" if name in self._values else f"^{name}"

    def _group(self, element: ods.Element) -> Values:
        return typed_values(self._definition, element)


def typed_values(definition: OperationDefinition, element: ods.Element) -> Values:
    """Return the operands or results that an element of the format stands for, itself or by their types."""
    match element:
        case ods.Operands():
            return definition.operands
        case ods.Results():
            return definition.results
        case ods.Variable(name=name):
            values: Values = (*definition.operands, *definition.results)
            return tuple(value for value in values if value.name == name)[:1]
        case ods.TypeOf(arg=argument) | ods.Qualified(arg=argument) | ods.Ref(arg=argument):
            return typed_values(definition, argument)
    return ()


def _attribute(attribute: AttributeDefinition) -> str:
    if attribute.spelling is AttributeSpelling.SYMBOL_NAME or attribute.constraint.endswith("SymbolRefAttr"):
        return f"@{attribute.name}"
    if 0 < len(attribute.cases) <= _MOST_CASES:
        return " | ".join(attribute.cases)
    return "" if is_unit(attribute) else f"<{attribute.name}>"


def _types(values: Values) -> str:
    return ", ".join(f"!{value.name}{_repeated(value)}" for value in values)


def _repeated(value: OperandDefinition | ResultDefinition) -> str:
    return "" if value.arity in (Arity.ONE, Arity.OPTIONAL) else "..."


_WIDTH = 100
"""Maximum length of a line."""
_INDENT = "\n    "


def operation_signature(definition: OperationDefinition) -> str:
    """Return the signature with results, in lines of limited length; in generic form if its own format is unknown."""
    has_known_form = definition.assembly_format is not None and definition.format_known
    is_function = "FunctionOpInterface" in definition.traits
    signature = signature_parts(definition, generic=not (has_known_form or is_function))
    several = {Arity.ONE: "", Arity.OPTIONAL: ""}
    results = ", ".join(f"%{result.name}{several.get(result.arity, '...')}" for result in definition.results)
    return "".join(_wrapped([*([f"{results} ="] if results else []), *_pieces(signature)]))


def _pieces(signature: SignatureParts) -> Iterator[str]:
    """Split the signature at blanks outside of brackets, but not after a keyword or around ``->``."""
    text = signature.text
    keyword_ends = {literal.span.end for literal in signature.literals}
    depth = start = 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        joined = index in keyword_ends or text[:index].endswith(("->", " :")) or text.startswith("->", index + 1)
        if character == " " and depth == 0 and not joined:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces with blanks between them, or a line break before a piece that does not fit."""
    width = 0
    for piece in pieces:
        if width:
            fits = width + len(piece) < _WIDTH
            yield " " if fits else _INDENT
            width = width + 1 if fits else len(_INDENT) - 1
        yield piece
        width += len(piece)
