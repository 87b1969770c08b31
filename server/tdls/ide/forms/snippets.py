"""Snippets of operations: generated from the assembly format of the definition, with tab stops for its variables."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from tdls.catalogue.model import Arity, EffectSource
from tdls.ide.forms.signatures import required_in_dictionary, typed_values
from tdls.semantic.handle_types import allows
from tdls.semantic.transform_dialect import TRANSFORM, holds_payload_names
from tdls.structs import Struct
from tdls.syntax.parser.asm_parser import DefinitionFact
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import is_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.ide.forms.signatures import Values


class Stop(Struct, frozen=True):
    """A tab stop with its initial text, or with several choices."""

    text: str = ""
    choices: tuple[str, ...] = ()


class OperandSlot(Struct, frozen=True, eq=False):
    """A tab stop for the value of an operand."""

    definition: OperandDefinition


class TypeSlot(Struct, frozen=True, eq=False):
    """A tab stop for the type of an operand or result."""

    definition: OperandDefinition | ResultDefinition


class NameSlot(Struct, frozen=True, eq=False):
    """A new SSA name derived from `base`: a tab stop after the percent sign, or plain text."""

    base: str
    is_stop: bool = True


SnippetPart: TypeAlias = "str | Stop"
TemplatePart: TypeAlias = "SnippetPart | OperandSlot | TypeSlot | NameSlot"


class TemplateWriter:
    """Writes elements with blanks where MLIR's printer has them (`genLiteralPrinter` of OpFormatGen.cpp)."""

    def __init__(self, definition: OperationDefinition, results: int | None, searched: str = "") -> None:
        self.definition = definition
        self.parts: list[TemplatePart] = []
        self._results = results
        self._searched = searched
        self._operands = {operand.name: operand for operand in definition.operands}
        self._outputs = {result.name: result for result in definition.results}
        self._attributes = {attribute.name: attribute for attribute in definition.attributes}
        self._regions = {region.name for region in definition.regions}
        self._written: set[str] = set()
        """Names of the operands in the snippet."""
        self._typed: set[str] = set()
        """Names of the values whose types are in the snippet."""
        self._in_dictionary: tuple[AttributeDefinition, ...] = ()
        self._after_punctuation = True
        self._wants_space = False

    def write_operation(self, name: str, elements: Iterable[ods.Element]) -> None:
        """Write names for the results, then the operation's `name` and `elements`."""
        self.parts.append(name)
        self._after_punctuation, self._wants_space = False, True
        elements = tuple(elements)
        self._in_dictionary = required_in_dictionary(self.definition, elements)
        self.write(elements)
        self.parts[:0] = self._result_names()

    def _result_names(self) -> list[TemplatePart]:
        """Return the names of the results that the snippet defines."""
        if self._results is not None:
            return []
        present = [group for group in self.definition.results if group.arity is Arity.ONE or group.name in self._typed]
        searched = self._searched.rpartition(".")[2] if Stop(self._searched) in self.parts else ""
        parts: list[TemplatePart] = []
        for result in present:
            parts += [", %" if parts else "%", NameSlot(searched or result.name or "result")]
        return [*parts, " = "] if parts else []

    # Elements

    def write(self, elements: Iterable[ods.Element]) -> None:
        """Write the required parts of `elements`."""
        for element in elements:
            self._write_element(element)

    def _write_element(self, element: ods.Element) -> None:
        match element:
            case ods.Literal(text=text):
                self._write_literal(text)
            case ods.Variable(name=name):
                self._write_variable(name)
            case ods.Qualified(arg=argument):
                self._write_element(argument)
            case ods.FunctionalType(inputs=inputs, results=results):
                self._write_function_type(self._groups(inputs), self._groups(results))
            case ods.TypeOf(arg=argument):
                self.put(*self._types(self._groups(argument)))
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                self.write(then if self._is_included(element) else otherwise)
            case ods.OIList(clauses=clauses):
                self._write_clauses(clauses)
            case ods.Custom(name=name, args=arguments) if name in _CUSTOM:
                _CUSTOM[name](self, arguments)
            case ods.AttrDict(with_keyword=with_keyword) if self._in_dictionary:
                self._write_dictionary("attributes {" if with_keyword else "{")
            case ods.Operands():
                self._write_operands(self.definition.operands)
            case ods.Regions():
                self._write_region()

    def _write_literal(self, text: str) -> None:
        if text[0].isalpha() or text[0] == "_":
            space = self._wants_space or not self._after_punctuation
        elif len(text) > 1 or text == "->":
            space = True
        else:
            space = self._wants_space and text not in "<>(){}[],"
        self.parts.append(f" {text}" if space and self.parts else text)
        self._after_punctuation = not (text[0].isalpha() or text[0] == "_")
        self._wants_space = len(text) > 1 or text not in "<({["

    def put(self, *parts: TemplatePart) -> None:
        """Write the parts of a variable or a directive, with a blank before them if one belongs there."""
        if parts:
            self.parts += [" ", *parts] if self.parts and (self._wants_space or not self._after_punctuation) else parts
            self._after_punctuation, self._wants_space = False, True

    def _write_variable(self, name: str) -> None:
        if name in self._operands:
            self._write_operands((self._operands[name],))
        elif name in self._regions:
            self._write_region()
        elif name in self._attributes:
            definition = self._attributes[name]
            stop = Stop(self._searched if holds_payload_names(definition) else "")
            self.put(*(stop if part == Stop() else part for part in attribute_value(definition)))

    def _write_operands(self, operands: Iterable[OperandDefinition]) -> None:
        for number, operand in enumerate(definition for definition in operands if self._is_required(definition)):
            if number:
                self._write_literal(",")
            self.put(OperandSlot(operand))
            self._written.add(operand.name)

    def _is_required(self, operand: OperandDefinition) -> bool:
        """Return whether to write an operand; a variadic one gets one value, except in terminators, mostly empty."""
        if operand.arity is Arity.VARIADIC:
            return "IsTerminator" not in self.definition.traits
        return operand.arity is Arity.ONE

    def _write_region(self) -> None:
        arguments: list[TemplatePart] = []
        if self.definition.effect_source is EffectSource.REGION:
            for operand in (definition for definition in self.definition.operands if definition.name in self._written):
                name = NameSlot(f"arg_{operand.name}", is_stop=False)
                arguments += [", " if arguments else "", name, ": ", TypeSlot(operand)]
        label = ["^bb0(", *arguments, "):\n"] if arguments else []
        self.put("{\n", *label, "  ", Stop(), "\n}")

    def _write_dictionary(self, opening: str) -> None:
        parts: list[TemplatePart] = []
        for attribute in self._in_dictionary:
            parts += [", ", f"{attribute.name} = ", *value_in_dictionary(attribute)]
        self.put(opening, *parts[1:], "}")

    # Types

    def _groups(self, element: ods.Element) -> Values:
        return typed_values(self.definition, element)

    def _write_function_type(self, inputs: Values, results: Values) -> None:
        left = self._types(inputs)
        right = self._types(self._spread(results))
        single = len(right) == 1
        self.put("(", *left, ") -> ", *(right if single else ("(", *right, ")")))

    def _spread(self, results: Values) -> Values:
        """Repeat the last variadic group so that each named result has a type."""
        if self._results is None or not results or results[-1].arity is Arity.ONE:
            return results
        return (*results[:-1], *[results[-1]] * max(self._results - len(results) + 1, 0))

    def _types(self, groups: Values) -> list[TemplatePart]:
        parts: list[TemplatePart] = []
        for group in groups:
            if group.name in self._operands and group.name not in self._written:
                continue
            parts += [", ", TypeSlot(group)]
            self._typed.add(group.name)
        return parts[1:]

    # Groups

    def _is_included(self, group: ods.OptionalGroup) -> bool:
        anchor = group.anchor
        if isinstance(anchor, ods.TypeOf):
            names = {typed.name for typed in self._groups(anchor)}
            return bool(names & self._written) or bool(self._results and names & self._outputs.keys())
        definition = self._attributes.get(anchor.name) if isinstance(anchor, ods.Variable) else None
        return definition is not None and holds_payload_names(definition)

    def _write_clauses(self, clauses: tuple[ods.Clause, ...]) -> None:
        """Offer a choice if each clause is a keyword followed by the same custom directive; else write none."""
        keywords = [c.elements[0].text for c in clauses if isinstance(c.elements[0], ods.Literal)]
        customs = [c.elements[1] for c in clauses if len(c.elements) == 2 and isinstance(c.elements[1], ods.Custom)]
        if 1 < len(clauses) == len(keywords) == len(customs) and len({custom.name for custom in customs}) == 1:
            self.put(Stop(choices=tuple(keywords)))
            self._write_element(customs[0])

    def write_custom_function_type(self, arguments: tuple[ods.Element, ...]) -> None:
        """Write the function type from the first argument's types to those of the others."""
        groups = [self._groups(argument) for argument in arguments]
        self._write_function_type(groups[0], tuple(value for group in groups[1:] for value in group))

    def counted_by(self, attributes: set[str]) -> int:
        """Return the number of results in the snippet whose count depends on one of `attributes`."""
        counted = [result for result in self.definition.results if result.count is not None]
        if not any(result.count is not None and attributes & set(result.count.sizes[:1]) for result in counted):
            return 0
        if self._results is None:
            return 1
        return max(self._results - len(self.definition.results) + len(counted), 0)


def attribute_value(definition: AttributeDefinition) -> tuple[SnippetPart, ...]:
    """Return the value of an attribute as the assembly format spells it, with tab stops."""
    constraint = definition.constraint
    if definition.cases:
        return (Stop(choices=definition.cases),)
    if constraint in ("SymbolRefAttr", "FlatSymbolRefAttr", "SymbolNameAttr"):
        return ("@", Stop("name"))
    if constraint == "StrAttr":
        return ('"', Stop(), '"')
    if constraint == "StrArrayAttr":
        return ('["', Stop(), '"]')
    if constraint.endswith("ArrayAttr"):
        return ("[", Stop(), "]")
    if constraint == "AffineMapAttr":
        return ("affine_map<", Stop(), ">")
    if constraint == "DictionaryAttr":
        return ("{", Stop(), "}")
    if constraint == "BoolAttr":
        return (Stop(choices=("true", "false")),)
    if definition.type is not None:
        return (Stop(_FIRST_VALUES.get(definition.type[0], "")),)
    return (Stop("unit"),) if is_unit(definition) else (Stop(),)


def value_in_dictionary(definition: AttributeDefinition) -> tuple[SnippetPart, ...]:
    """Return the value of an attribute as a dictionary spells it, where nothing implies its type."""
    if definition.cases and definition.mnemonic is not None:
        return (f"#{definition.mnemonic}<", Stop(choices=definition.cases), ">")
    if definition.cases:
        return (Stop("0"), f" : {definition.type}") if definition.type is not None else (Stop(),)
    if definition.constraint == "SymbolNameAttr":
        return ('"', Stop("name"), '"')
    dense = _DENSE_ARRAY.fullmatch(definition.constraint)
    if dense is not None:
        element = dense["element"].lower()
        return (f"array<{_ELEMENT_TYPES.get(element, element)}: ", Stop(), ">")
    value = attribute_value(definition)
    is_number = definition.type is not None and len(value) == 1
    return (*value, f" : {definition.type}") if is_number and definition.type not in _IMPLIED_TYPES else value


_FIRST_VALUES = {"i": "0", "s": "0", "u": "0", "f": "0.0"}
"""Values of attributes by the first letter of their type."""
_DENSE_ARRAY = re.compile(r"Dense(?P<element>Bool|[IF]\d+)ArrayAttr")
_ELEMENT_TYPES = {"bool": "i1"}
_IMPLIED_TYPES = ("i64", "f64", "i1")
"""Types that a number or ``true`` has without a spelled type."""


def _index_list(writer: TemplateWriter, arguments: tuple[ods.Element, ...]) -> None:
    names = {argument.name for argument in arguments if isinstance(argument, ods.Variable)}
    writer.put("[", Stop(", ".join(["1"] * writer.counted_by(names))), "]")


def _function_type(writer: TemplateWriter, arguments: tuple[ods.Element, ...]) -> None:
    writer.write_custom_function_type(tuple(argument for argument in arguments if isinstance(argument, ods.TypeOf)))


def _function_type_with_one_result(writer: TemplateWriter, arguments: tuple[ods.Element, ...]) -> None:
    writer.write_custom_function_type(arguments[:2])


_CUSTOM: dict[str, Callable[[TemplateWriter, tuple[ods.Element, ...]], None]] = {
    "ContinuousTileSizeTypes": _function_type_with_one_result,
    "DynamicIndexList": _index_list,
    "ForeachMatchSymbols": lambda writer, _: writer.put("@", Stop("matcher"), " -> @", Stop("action")),
    "InnerTileAlignments": _index_list,
    "MultitileSizesTypes": _function_type_with_one_result,
    "PackedOrDynamicIndexList": _index_list,
    "SemiFunctionType": _function_type,
    "TransformMatchDims": lambda writer, _: writer.put(Stop("all")),
}
"""Writers for the custom directives that are required; others may be left out."""


class Suggestions:
    """The initial contents of a snippet's tab stops: names of the definition, and types that constrain the least."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def operand(self, definition: OperandDefinition) -> str:
        """Return the name of a value for the operand."""
        return f"%{definition.name}"

    def type_of(self, definition: OperandDefinition | ResultDefinition) -> str:
        """Return the type of the value suggested for an operand, or a type for a result."""
        fitting = (each for each in plain_types(self._catalogue) if allows(self._catalogue, definition, each))
        return definition.type or next(fitting, "")

    def fresh(self, base: str) -> str:
        """Return an unused SSA name derived from `base`."""
        return f"%{base}"

    def arguments(self, _definition: OperationDefinition) -> str:
        """Return the arguments of a new function-like operation."""
        return ""

    def terminator(self, definition: OperationDefinition) -> str:
        """Return the terminator for the body of a function-like operation; empty if none is known."""
        return f"{definition.dialect}.yield"


class Snippet(Struct, frozen=True):
    """Text with tab stops."""

    parts: tuple[SnippetPart, ...]

    @property
    def plain(self) -> str:
        """The text with the initial contents of all tab stops."""
        return "".join(_first(part) for part in self.parts)

    @property
    def snippet(self) -> str:
        """The text in the snippet syntax of LSP; the cursor ends up after it, or at a last stop without text."""
        pieces: list[str] = []
        number = 0
        for part in self.parts:
            if isinstance(part, str):
                pieces.append(escaped(part))
                continue
            number += 1
            pieces.append(_rendered(part, number))
        return "".join(pieces)


def escaped(text: str) -> str:
    """Return `text` escaped as plain text of a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _first(part: SnippetPart) -> str:
    if isinstance(part, str):
        return part
    return part.choices[0] if part.choices else part.text


def _rendered(stop: Stop, number: int) -> str:
    if stop.choices:
        choices = ",".join(
            choice.replace("\\", "\\\\").replace(",", "\\,").replace("|", "\\|") for choice in stop.choices
        )
        return f"${{{number}|{choices}|}}"
    return f"${{{number}:{escaped(stop.text)}}}" if stop.text else f"${number}"


_MOST_RESULTS = 100
"""Maximum number of results to spell types of; one may name a million by a slip."""


def operation_snippet(
    definition: OperationDefinition,
    suggestions: Suggestions,
    *,
    name: str = "",
    results: int | None = None,
    searched: str = "",
) -> Snippet | None:
    """Return a snippet of the operation, under `name` if given, or None if its assembly format is unknown.

    `results` is the number of results that the source already names; if None, the snippet includes names. A search
    looks for operations `searched`, after which its result is named.
    """
    if definition.assembly_format is None and "FunctionOpInterface" in definition.traits:
        return _function_snippet(definition, suggestions)
    named = results if results is None else min(results, _MOST_RESULTS)
    known, key = _templates(definition), (name or definition.name, named, searched)
    if key not in known:
        if len(known) >= _MOST_TEMPLATES:
            known.clear()
        known[key] = _template(definition, *key)
    template = known[key]
    return _filled(template, suggestions) if template is not None else None


def with_attributes(snippet: Snippet, attributes: Iterable[str]) -> Snippet:
    """Return `snippet`, which has no attribute dictionary, with one before its types."""
    parts = list(snippet.parts)
    place = next((n for n, part in enumerate(parts) if isinstance(part, str) and part.startswith(" :")), len(parts))
    return Snippet((*parts[:place], f" {{{', '.join(attributes)}}}", *parts[place:]))


def group_snippet(
    elements: Iterable[ods.Element], definition: OperationDefinition, suggestions: Suggestions
) -> Snippet:
    """Return a snippet of `elements`, one group of the format of `definition`."""
    writer = TemplateWriter(definition, None)
    writer.write(elements)
    return _filled(tuple(writer.parts), suggestions)


def _function_snippet(definition: OperationDefinition, suggestions: Suggestions) -> Snippet:
    arguments, terminator = suggestions.arguments(definition), suggestions.terminator(definition)
    end = f"\n  {terminator}\n}}" if terminator else "\n}"
    return Snippet((f"{definition.name} @", Stop("name"), "(", Stop(arguments), ") {\n  ", Stop(), end))


_MOST_TEMPLATES = 64


@DefinitionFact
def _templates(_: OperationDefinition) -> dict[tuple[str, int | None, str], tuple[TemplatePart, ...] | None]:
    """Return the known templates of an operation by its name, the number of named results and what is searched."""
    return {}


def _template(
    definition: OperationDefinition, name: str, results: int | None, searched: str
) -> tuple[TemplatePart, ...] | None:
    if definition.assembly_format is None or not definition.format_known:
        return None
    form = ods.parse_format(definition.assembly_format)
    if form.problem is not None:
        return None
    writer = TemplateWriter(definition, results, searched)
    writer.write_operation(name, form.elements)
    return tuple(writer.parts)


def _filled(template: tuple[TemplatePart, ...], suggestions: Suggestions) -> Snippet:
    return Snippet(tuple(_fill(part, suggestions) for part in template))


def _fill(part: TemplatePart, suggestions: Suggestions) -> SnippetPart:
    if isinstance(part, (str, Stop)):
        return part
    if isinstance(part, OperandSlot):
        return Stop(suggestions.operand(part.definition))
    if isinstance(part, TypeSlot):
        return Stop(suggestions.type_of(part.definition))
    name = suggestions.fresh(part.base)
    return Stop(name[1:]) if part.is_stop else name


_LEAST_CONSTRAINED = "any_"
"""Prefix of the names of types that do not constrain the payload of a handle."""


@lru_cache(maxsize=8)
def plain_types(catalogue: Catalogue) -> tuple[str, ...]:
    """Return the transform dialect's types without parameters, the least constrained ones first."""
    definitions = filter(None, map(catalogue.type_definition, catalogue.type_names(TRANSFORM)))
    names = [each.name for each in definitions if not each.parameters and not each.custom_assembly]
    names.sort(key=lambda name: not name.partition(".")[2].startswith(_LEAST_CONSTRAINED))
    return tuple(f"!{name}" for name in names)
