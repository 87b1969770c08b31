"""Reads an operation by its ODS assembly format.

This is the run-time twin of the parsers that mlir-tblgen generates (mlir/tools/mlir-tblgen/OpFormatGen.cpp): each
format element reads the same text as the generated code (`reader`). Upstream's hand-written C++ parsers have handlers
here (`custom_operations`, `custom_directives`); operations of other C++ parsers are not read by a format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.settings.keys import MAIN
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.syntax.parser.asm_parser import DefinitionFact, Names
from tdls.syntax.parser.assembly import attributes
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.custom_directives import CUSTOM_DIRECTIVES
from tdls.syntax.parser.assembly.custom_operations import CUSTOM_OPERATIONS
from tdls.syntax.parser.assembly.custom_payload_operations import payload_handler
from tdls.syntax.parser.assembly.written_formats import FORMATS_BETWEEN, SETTLED_DIALECTS, WIDENED, WRITTEN_FORMATS
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import symbols_in_attributes
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse
from tdls.syntax.types import UNKNOWN, Type, type_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.assembly.reader import AssemblyReader, Directive
    from tdls.syntax.parser.operation_state import OperationState

_ALL_TYPES_MATCH = "AllTypesMatch<"
_DERIVED = re.compile(r"TypesMatchWith<(\w+),(\w+),(.*)>", re.DOTALL)
_ELEMENT, _TRUTHS, _SELF = ".getElementType()", "getI1SameShape(", "$_self"
_OF_AFFINE = {"affine.load": ("memref", "result"), "affine.store": ("memref", "value")}
"""Pairs of groups of which the second has the element type of the first, where no trait says so."""


class ImpliedTypes:
    """The types that one definition implies if they are not spelled."""

    __slots__ = ("built_operands", "built_results", "derived", "operands", "single_results", "tied")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = frozenset(operand.name for operand in definition.operands)
        self.single_results = frozenset(result.name for result in definition.results if result.arity is Arity.ONE)
        """The results that always have one value."""
        self.built_operands = _built(definition.operands)
        self.built_results = _built(result for result in definition.results if result.name in self.single_results)
        """Names of groups, each with the only type that its constraint allows."""
        tied = [
            tuple(name.strip() for name in trait[len(_ALL_TYPES_MATCH) : -1].split(","))
            for trait in definition.traits
            if trait.startswith(_ALL_TYPES_MATCH)
        ]
        if {"SameOperandsAndResultType", "SameTypeOperands"} & definition.traits and is_settled(definition):
            names = [group.name for group in definition.operands if group.arity is Arity.ONE]
            if "SameOperandsAndResultType" in definition.traits:
                names += self.single_results
            tied.append(tuple(names))
        self.tied = tuple(tied)
        """Names of groups that have the same types."""
        self.derived = tuple(_derived(definition))
        """Pairs of groups, with the function that makes the type of the second of that of the first."""


def _derived(definition: OperationDefinition) -> Iterator[tuple[str, str, Callable[[Type], str | None]]]:
    if definition.name in _OF_AFFINE:
        yield (*_OF_AFFINE[definition.name], element_type)
    for trait in definition.traits:
        match = _DERIVED.fullmatch(trait)
        if match is not None and match[3].endswith(_ELEMENT):
            yield match[1], match[2], element_type
        elif match is not None and _TRUTHS in match[3]:
            yield match[1], match[2], truth_type
        elif match is not None and match[3] == _SELF:
            yield match[1], match[2], itself


def element_type(type_: Type) -> str | None:
    """Return the element of a shaped type or complex number, None for other types."""
    return type_.parts[0].text if type_.is_shaped or type_.kind == "complex" else None


def truth_type(type_: Type) -> str | None:
    """Return ``i1`` in the shape of a type, None where that is not certain."""
    if type_.is_shaped and not type_.parameters:
        return f"{type_.text[: -len(type_.element.text) - 1]}i1>"
    return "i1" if type_.is_scalar else None


def itself(type_: Type) -> str | None:
    """Return the same type; None for buffers, which are written in place and not returned."""
    return type_.text if type_.kind not in ("memref", UNKNOWN) else None


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
    for source, target, function in implied.derived:
        spelled = types.get(source)
        if spelled is None or target in types or len(spelled) != 1 or _size(state, implied, target) not in (None, 1):
            continue
        text = function(type_tree(spelled[0].text))
        if text is not None:
            types[target] = [TypeUse(0, 0, text)]


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
    """Return a definition in a form that versions between those of the facts have; None without one."""
    text = FORMATS_BETWEEN.get(definition.name) if definition.versions else None
    return replace(definition, assembly_format=text, format_known=True) if text and _fits(text, definition) else None


@DefinitionFact
def newer_form(definition: OperationDefinition) -> OperationDefinition:
    """Return the definition, of main, for text that only `NewerFormReader` reads."""
    explicit = (definition.assembly_format or "").replace("attr-dict", "prop-dict attr-dict")
    return replace(definition, assembly_format=explicit, versions=(MAIN,)) if definition.versions else definition


def is_settled(definition: OperationDefinition) -> bool:
    """Tell whether every form that the operation has in any version of MLIR, and in the project, is known."""
    if not definition.versions or definition.is_patched or definition.name in WIDENED:
        return False
    return definition.dialect in SETTLED_DIALECTS


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

    None if the format is unknown or malformed, or uses a `custom` directive without a handler here.
    """
    texts = [definition.assembly_format] if definition.format_known and definition.assembly_format is not None else []
    if definition.versions:
        texts += [each for each in WRITTEN_FORMATS.get(definition.name, ()) if _fits(each, definition)][:1]
    forms = map(ods.parse_format, texts)
    return next((form.elements for form in forms if form.problem is None and all(map(_is_known, form.elements))), None)


def _fits(text: str, definition: OperationDefinition) -> bool:
    """Tell whether the definition has all operands, results and attributes that a written format names."""
    groups = (definition.operands, definition.results, definition.attributes, definition.regions, definition.successors)
    return {part.name for group in groups for part in group}.issuperset(re.findall(r"\$(\w+)", text))


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
