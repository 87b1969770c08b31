"""Reads an operation by its ODS assembly format.

This is the run-time twin of the parsers that mlir-tblgen generates (mlir/tools/mlir-tblgen/OpFormatGen.cpp): each
format element reads the same text as the generated code (`reader`). Upstream's hand-written C++ parsers have handlers
here (`custom_operations`, `custom_directives`); operations of other C++ parsers are not read by a format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.syntax import scanner
from tdls.syntax.parser.asm_parser import DefinitionFact, Names
from tdls.syntax.parser.assembly import attributes
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.custom_directives import CUSTOM_DIRECTIVES
from tdls.syntax.parser.assembly.custom_operations import CUSTOM_OPERATIONS
from tdls.syntax.parser.assembly.custom_payload_operations import CUSTOM_PAYLOAD_OPERATIONS
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import symbols_in_attributes
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.assembly.reader import AssemblyReader, Directive
    from tdls.syntax.parser.operation_state import OperationState

_ALL_TYPES_MATCH = "AllTypesMatch<"


class ImpliedTypes:
    """The types that one definition implies if they are not spelled."""

    __slots__ = ("built_operands", "built_results", "operands", "single_results", "tied")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = frozenset(operand.name for operand in definition.operands)
        self.single_results = frozenset(result.name for result in definition.results if result.arity is Arity.ONE)
        """The results that always have one value."""
        self.built_operands = _built(definition.operands)
        self.built_results = _built(result for result in definition.results if result.name in self.single_results)
        """Names of groups, each with the only type that its constraint allows."""
        self.tied = tuple(
            tuple(name.strip() for name in trait[len(_ALL_TYPES_MATCH) : -1].split(","))
            for trait in definition.traits
            if trait.startswith(_ALL_TYPES_MATCH)
        )
        """Names of groups that have the same types."""


def _built(groups: Iterable[OperandDefinition | ResultDefinition]) -> tuple[tuple[str, str], ...]:
    return tuple((group.name, group.type) for group in groups if group.type is not None)


def infer_types(state: OperationState, implied: ImpliedTypes) -> None:
    """Add the types of `state` that are not spelled but fixed by a constraint or tied to a spelled one.

    A group of unknown size stays without types.
    """
    types = state.types
    for name, built in implied.built_operands:
        if name not in types and _operands_are_grouped(state):
            types[name] = [TypeUse(0, 0, built) for _ in state.values.get(name, ())]
    for name, built in implied.built_results:
        if name not in types and RESULTS not in types:
            types[name] = [TypeUse(0, 0, built)]
    for names in implied.tied:
        _share_types(state, implied, names)


def _operands_are_grouped(state: OperationState) -> bool:
    """Tell whether the text assigns operands to groups."""
    return OPERANDS not in state.types and OPERANDS not in state.values


def _size(state: OperationState, implied: ImpliedTypes, name: str) -> int | None:
    """Return the number of values of a group; None if the text does not determine it."""
    if name in implied.operands:
        return len(state.values.get(name, ())) if _operands_are_grouped(state) else None
    return 1 if name in implied.single_results and RESULTS not in state.types else None


def _share_types(state: OperationState, implied: ImpliedTypes, names: tuple[str, ...]) -> None:
    known = next((state.types[name] for name in names if state.types.get(name)), None)
    if known is None:
        return
    for name in names:
        if name not in state.types and _size(state, implied, name) in (None, len(known)):
            state.types[name] = known


_P = TypeVar("_P", bound="AsmParser")


class OperationAssembly:
    """The means to read operations of one definition: a handler, or the elements of their format."""

    __slots__ = ("definition", "elements", "handler", "implied", "is_tried", "names")

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.names = Names(definition)
        self.implied = ImpliedTypes(definition)
        self.is_tried = definition.name in CUSTOM_PAYLOAD_OPERATIONS
        """True if the handler does not know the forms of all versions."""
        self.handler = CUSTOM_OPERATIONS.get(definition.name) or CUSTOM_PAYLOAD_OPERATIONS.get(definition.name)
        self.elements = _elements(definition) if self.handler is None else None

    @property
    def is_known(self) -> bool:
        """True if operations of the definition can be read, although reading a particular one may still fail."""
        return self.handler is not None or self.elements is not None


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
        try:
            assembly.handler(parser, state)
        except Mismatch as mismatch:
            if assembly.is_tried and not mismatch.is_certain:
                return False
            raise
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

    None if the format is unknown or malformed, or uses a `custom` directive without a handler here.
    """
    if definition.assembly_format is None or not definition.format_known:
        return None
    form = ods.parse_format(definition.assembly_format)
    return form.elements if form.problem is None and all(map(_is_known, form.elements)) else None


def _may_be_property(parser: AsmParser, definition: OperationDefinition, mismatch: Mismatch) -> bool:
    """Tell whether an unexpected word may be a property's spelling in C++, such as ``overflow<nsw>``."""
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
