"""Reads an operation by its ODS assembly format.

This is the run-time twin of the parsers that mlir-tblgen generates (mlir/tools/mlir-tblgen/OpFormatGen.cpp): each
format element reads the same text as the generated code (`reader`). Upstream's hand-written C++ parsers have handlers
here (`custom_operations`, `custom_directives`); operations of other C++ parsers are not read by a format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.model import AttributeSpelling
from tdls.settings.llvm_versions import newest_version
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.syntax.parser.asm_parser import DefinitionFact, Names
from tdls.syntax.parser.assembly import attributes
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.custom_directives import CUSTOM_DIRECTIVES
from tdls.syntax.parser.assembly.custom_operations import CUSTOM_OPERATIONS
from tdls.syntax.parser.assembly.custom_payload_operations import payload_handler
from tdls.syntax.parser.assembly.implied_types import ImpliedTypes, infer_types
from tdls.syntax.parser.assembly.written_formats import FORMATS_BETWEEN, WRITTEN_FORMATS
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import symbols_in_attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.assembly.reader import AssemblyReader, Directive
    from tdls.syntax.parser.operation_state import OperationState

_P = TypeVar("_P", bound="AsmParser")


class OperationAssembly:
    """The means to read operations of one definition: a handler, or the elements of their format."""

    __slots__ = ("definition", "elements", "handler", "implied", "names")

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.names = Names(definition)
        self.implied = ImpliedTypes(definition)
        self.handler = CUSTOM_OPERATIONS.get(definition.name) or payload_handler(definition)
        self.elements = _elements(definition) if self.handler is None else None

    @property
    def is_known(self) -> bool:
        """True if operations of the definition can be read, although reading a particular one may still fail."""
        return self.handler is not None or self.elements is not None


@DefinitionFact
def form_between(definition: OperationDefinition) -> OperationDefinition | None:
    """Return a definition in a form that versions between those of the facts have, or None without one."""
    text = FORMATS_BETWEEN.get(definition.name) if definition.versions else None
    return replace(definition, assembly_format=text, format_known=True) if text and _fits(text, definition) else None


@DefinitionFact
def newer_form(definition: OperationDefinition) -> OperationDefinition:
    """Return the definition, of main, for text that only `NewerFormReader` reads."""
    if not definition.versions:
        return definition
    explicit = (definition.assembly_format or "").replace("attr-dict", "prop-dict attr-dict")
    return replace(definition, assembly_format=explicit, versions=(newest_version(),))


assembly_of = DefinitionFact(OperationAssembly)
"""The cached `OperationAssembly` of a definition."""


def read_assembly(
    parser: _P,
    state: OperationState,
    assembly: OperationAssembly,
    reader: Callable[[_P, OperationState, Names, Mapping[str, Directive]], AssemblyReader],
) -> bool:
    """Read the text behind the operation's name into `state`; `reader` creates the reader of a format.

    Returns False, with no usable content in `state`, if the operation's syntax is not known. Raises `Mismatch` if the
    text does not match the format.
    """
    if assembly.handler is not None:
        assembly.handler(parser, state)
    elif assembly.elements is None:
        return False
    else:
        try:
            reader(parser, state, assembly.names, CUSTOM_DIRECTIVES).read(assembly.elements)
        except attributes.NotInterpretable:
            return False
        except Mismatch as mismatch:
            if _may_be_property(parser, assembly.definition, mismatch):
                return False
            raise
    if state.attributes:
        state.symbols.extend(symbols_in_attributes(state.attributes))
    infer_types(state, assembly.implied)
    return True


def _elements(definition: OperationDefinition) -> tuple[ods.Element, ...] | None:
    """Return the elements of the format that can be read here.

    None if the format is unknown or malformed, or uses a ``custom`` directive without a handler here.
    """
    texts = [definition.assembly_format] if definition.format_known and definition.assembly_format is not None else []
    if definition.versions:
        texts += [each for each in WRITTEN_FORMATS.get(definition.name, ()) if _fits(each, definition)][:1]
    forms = map(ods.parse_format, texts)
    return next((form.elements for form in forms if form.problem is None and all(map(_is_known, form.elements))), None)


def _fits(text: str, definition: OperationDefinition) -> bool:
    """Whether the definition has all operands, results and attributes that a written format names."""
    groups = (definition.operands, definition.results, definition.attributes, definition.regions, definition.successors)
    return {part.name for group in groups for part in group}.issuperset(re.findall(r"\$(\w+)", text))


def _may_be_property(parser: AsmParser, definition: OperationDefinition, mismatch: Mismatch) -> bool:
    """Whether an unexpected word may be a property's spelling in C++, such as ``overflow<nsw>``."""
    if parser.kinds[mismatch.index] != scanner.IDENTIFIER:
        return False
    spelled = set(re.findall(r"\$(\w+)", definition.assembly_format or ""))
    properties = (attribute for attribute in definition.attributes if attribute.spelling is AttributeSpelling.PROPERTY)
    return any(attribute.name in spelled for attribute in properties)


def _is_known(element: ods.Element) -> bool:
    if isinstance(element, ods.Custom):
        return element.name in CUSTOM_DIRECTIVES
    if isinstance(element, ods.OptionalGroup):
        return all(_is_known(inner) for inner in (*element.then, *element.otherwise))
    if isinstance(element, ods.OIList):
        return all(_is_known(inner) for clause in element.clauses for inner in clause.elements)
    return True
