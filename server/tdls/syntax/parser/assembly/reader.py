"""Reads the elements of an assembly format into the lists of an `OperationState`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import STRICT_PROPERTIES, Arity
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.syntax.parser.assembly import attributes
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import (
    read_dictionary,
    read_entry,
    read_function_type,
    read_type_list,
    read_value,
    read_values,
)
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.tree import NamedAttribute, Successor, TypeUse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, ResultDefinition
    from tdls.syntax.parser.asm_parser import AsmParser, Names
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import Region, ValueUse

    Arguments = tuple[ods.Element, ...]
    Directive = Callable[["AssemblyReader", Arguments], None]
    """A handler of a ``custom<...>`` directive, called with the reader and the directive's arguments."""


class AssemblyReader:
    """Reads the elements of one operation's format."""

    def __init__(
        self, parser: AsmParser, state: OperationState, names: Names, directives: Mapping[str, Directive]
    ) -> None:
        """`names` are the parts of the operation's definition, `directives` the handlers of ``custom<...>``."""
        self.parser = parser
        self.state = state
        self.directives = directives
        self.operands = names.operands
        self.results = names.results
        self.attributes = names.attributes
        self.regions = names.regions
        self.successors = names.successors

    def read(self, elements: tuple[ods.Element, ...]) -> None:
        """Read `elements` one after the other. Raises `Mismatch`."""
        for element in elements:
            self._read_element(element)

    def _read_element(self, element: ods.Element) -> None:
        match element:  # most frequent elements first
            case ods.Literal():
                self.expect_literal(element.text)
            case ods.Variable():
                self.read_variable(element.name, is_keyword=element.is_keyword)
            case ods.AttrDict():
                self._read_attribute_dictionary(with_keyword=element.with_keyword)
            case ods.TypeOf():
                self.read_type_of(element.arg)
            case ods.OptionalGroup():
                self._read_optional_group(element)
            case ods.FunctionalType():
                self._read_functional_type(element.inputs, element.results)
            case ods.Custom():
                self.directives[element.name](self, element.args)
            case ods.OIList():
                self._read_clauses(element)
            case _:
                self._read_directive(element)

    def _read_directive(self, element: ods.Element) -> None:
        match element:
            case ods.PropDict():
                self._read_properties()
            case ods.Qualified(arg=argument):
                self._read_qualified(argument)
            case ods.Operands():
                self.state.values[OPERANDS] = read_values(self.parser)
            case ods.Regions():
                self._read_regions(self.state.regions, variadic=True)
            case ods.Successors():
                self._read_successors(self.state.successors, variadic=True)

    def announce(self, name: str) -> None:
        """Accept the name of the operand or attribute ``$name`` that a custom directive reads next; a hook."""

    # Literals

    def at_literal(self, text: str) -> bool:
        """Whether the next token is the literal `text`, or the next two are its halves."""
        parser = self.parser
        spelled = parser.spellings[parser.index]
        if spelled == text:
            return True
        return text in ods.JOINED and spelled == text[0] and parser.spellings[parser.index + 1] == text[1]

    def expect_literal(self, text: str) -> None:
        """Step over the literal `text`. Raises `Mismatch`."""
        if not self.at_literal(text):
            raise Mismatch(self.parser.index, f"`{text}`")
        index = self.parser.take()
        if self.parser.spellings[index] != text:
            self.parser.take()

    # Variables

    def read_variable(self, name: str, *, is_keyword: bool = False) -> None:
        """Read the operand, attribute, region or successor ``$name``. Raises `Mismatch`.

        With `is_keyword`, an enumeration has none of what the format of its attribute writes around it.
        """
        if name in self.operands:
            self.read_operand(self.operands[name])
        elif name in self.attributes:
            definition = self.attributes[name]
            self._read_attribute(replace(definition, assembly_format=None) if is_keyword else definition)
        elif name in self.regions:
            regions = self.state.region_groups.setdefault(name, [])
            self._read_regions(regions, variadic=self.regions[name].variadic)
        elif name in self.successors:
            successors = self.state.successor_groups.setdefault(name, [])
            self._read_successors(successors, variadic=self.successors[name].variadic)

    def read_operand(self, operand: OperandDefinition) -> None:
        """Read the values of one operand group. Raises `Mismatch`."""
        parser = self.parser
        values = self.state.values.setdefault(operand.name, [])
        if operand.arity is Arity.ONE:
            values.append(read_value(parser))
        elif operand.arity is Arity.OPTIONAL:
            if parser.at(scanner.VALUE):
                values.append(read_value(parser))
        elif operand.arity is Arity.VARIADIC:
            values.extend(read_values(parser))
        else:
            self._read_value_lists(values)

    def _read_value_lists(self, values: list[ValueUse]) -> None:
        parser = self.parser
        while parser.accept("("):
            values.extend(read_values(parser))
            parser.expect(")", "`,` or `)` in the list of values")
            if not parser.accept(","):
                return

    def _read_attribute(self, definition: AttributeDefinition) -> None:
        attributes.read(self.parser, self.state, definition)

    def _read_regions(self, regions: list[Region], *, variadic: bool) -> None:
        parser = self.parser
        if variadic and not parser.at("{"):
            return
        regions.append(parser.read_region(self.state))
        while variadic and parser.accept(","):
            regions.append(parser.read_region(self.state))

    def _read_successors(self, successors: list[Successor], *, variadic: bool) -> None:
        """Read block labels; a format spells the values passed to a successor in separate elements."""
        parser = self.parser
        if variadic and not parser.at(scanner.BLOCK):
            return
        while True:
            index = parser.expect(scanner.BLOCK, "a block label such as `^bb1`")
            successors.append(Successor(*parser.place(index, index + 1), parser.spelling(index)))
            if not (variadic and parser.accept(",")):
                return

    # Directives

    def _read_attribute_dictionary(self, *, with_keyword: bool) -> None:
        if with_keyword:
            if not self.parser.accept_keyword("attributes"):
                return
        elif not self.parser.at("{"):
            return
        start = self.parser.index
        entries = read_dictionary(self.parser)
        definition = self.state.definition
        if definition is not None and STRICT_PROPERTIES in definition.traits:
            inherent = next((entry.name for entry in entries if entry.name in self.attributes), None)
            if inherent is not None:
                raise Mismatch(start, f"`{inherent}` outside of the dictionary")
        self.state.attributes.extend(entries)

    def _read_properties(self) -> None:
        """Read ``<{name = value}>`` or, as MLIR prints it since August 2026, ``<name = value, name>``."""
        parser = self.parser
        if not parser.at("<"):
            return
        parser.take()
        if parser.at("{"):
            self.state.attributes.extend(read_dictionary(parser))
        elif not parser.at(">"):
            self.state.attributes.append(read_entry(parser))
            while parser.accept(","):
                self.state.attributes.append(read_entry(parser))
        parser.expect(">", "`,` or `>` in the properties")

    def _read_functional_type(self, inputs: ods.Element, results: ods.Element) -> None:
        operand_types, result_types = read_function_type(self.parser)
        self.state.types[self._key(inputs)] = operand_types
        self.state.types[self._key(results)] = result_types

    def _key(self, element: ods.Element) -> str:
        match element:
            case ods.Variable():
                return element.name
            case ods.Operands():
                return OPERANDS
            case ods.Results():
                return RESULTS
            case ods.TypeOf(arg=argument) | ods.Qualified(arg=argument) | ods.Ref(arg=argument):
                return self._key(argument)
        return ""

    def read_type_of(self, element: ods.Element) -> None:
        """Read the types of ``type(element)``. Raises `Mismatch`."""
        key = self._key(element)
        definition = self._definition(key)
        arity = definition.arity if definition is not None else Arity.VARIADIC
        custom = definition is not None and definition.custom_type is not None
        types = self.state.types.setdefault(key, [])
        parser = self.parser
        if arity is Arity.ONE:
            types.append(self._read_one_type(custom=custom))
        elif arity is Arity.OPTIONAL:
            if parser.at_type():
                types.append(self._read_one_type(custom=custom))
        elif arity is Arity.VARIADIC_OF_VARIADIC:
            while parser.at("("):
                types.extend(read_type_list(parser))
                if not parser.accept(","):
                    return
        elif parser.at_type() or parser.at("<") or custom:
            types.append(self._read_one_type(custom=custom))
            while parser.accept(","):
                types.append(self._read_one_type(custom=custom))

    def _read_one_type(self, *, custom: bool = False) -> TypeUse:
        """Read a type, or only its ``<...>`` if the constraint fixes the rest.

        Raises `Mismatch`, or `NotInterpretable` if the type's own format is another one.
        """
        parser = self.parser
        if custom and not parser.at("<") and not parser.at_type():
            raise attributes.NotInterpretable
        if not parser.at("<"):
            whole = parser.read_type()
            is_part = custom and not whole.text.startswith("!")
            return TypeUse(whole.start, whole.end, f"<{whole.text}>") if is_part else whole
        start = parser.index
        parser.index = parser.after_group(start)
        return parser.type_use(start, parser.index)

    def _arity(self, key: str) -> Arity:
        definition = self._definition(key)
        return definition.arity if definition is not None else Arity.VARIADIC

    def _definition(self, key: str) -> OperandDefinition | ResultDefinition | None:
        return self.operands.get(key) or self.results.get(key)

    def _read_qualified(self, element: ods.Element) -> None:
        match element:
            case ods.TypeOf(arg=argument):
                self.read_type_of(argument)
            case ods.Variable(name=name) if name in self.attributes:
                attributes.read_plain(self.parser, self.state, self.attributes[name])
            case _:
                self._read_element(element)

    # Groups

    def _read_optional_group(self, group: ods.OptionalGroup) -> None:
        if self._group_is_present(group):
            self._read_group_elements(group)
            return
        for element in group.then:
            if isinstance(element, ods.TypeOf):
                self.state.types.setdefault(self._key(element), [])
        self.read(group.otherwise)

    def _group_is_present(self, group: ods.OptionalGroup) -> bool:
        for element in group.then:
            if not isinstance(element, ods.Whitespace):
                return self._may_begin(element)
        return False

    def _read_group_elements(self, group: ods.OptionalGroup) -> None:
        anchor = group.anchor
        unit = self._unit_attribute(anchor) if anchor is not None else None
        start = self.parser.index
        for element in group.then:
            if unit is None or element != anchor:
                self._read_element(element)
        if unit is not None:
            self._add_unit_attribute(unit, start)

    def _unit_attribute(self, element: ods.Element) -> AttributeDefinition | None:
        if not isinstance(element, ods.Variable):
            return None
        definition = self.attributes.get(element.name)
        return definition if definition is not None and attributes.is_unit(definition) else None

    def add_attribute(self, name: str, start: int) -> None:
        """Add the attribute `name`, spelled from token `start` up to the next one; without a value if that is empty."""
        place = self.parser.place(start, self.parser.index)
        value = self.parser.text_between(start, self.parser.index) if self.parser.index > start else None
        self.state.attributes.append(NamedAttribute(*place, name, value, *place))

    def _add_unit_attribute(self, definition: AttributeDefinition, start: int) -> None:
        place = self.parser.place(start, self.parser.index)
        self.state.attributes.append(NamedAttribute(*place, definition.name, None, *place))

    def _read_clauses(self, oilist: ods.OIList) -> None:
        """Read the clauses in any order, each at most once."""
        remaining = list(oilist.clauses)
        while True:
            clause = next((c for c in remaining if self._may_begin(c.elements[0])), None)
            if clause is None:
                return
            remaining.remove(clause)
            start = self.parser.index
            unit = self._unit_attribute(clause.elements[-1]) if len(clause.elements) == 2 else None
            self.read(clause.elements[:-1] if unit is not None else clause.elements)
            if unit is not None:
                self._add_unit_attribute(unit, start)

    def _may_begin(self, element: ods.Element) -> bool:
        """Whether the next token can begin `element`, which is the first of an optional group."""
        parser = self.parser
        match element:
            case ods.Literal():
                return self.at_literal(element.text)
            case ods.Variable():
                return self._variable_may_begin(element.name)
            case ods.AttrDict(with_keyword=True):
                return parser.at_keyword("attributes")
            case ods.AttrDict() | ods.Regions():
                return parser.at("{")
            case ods.TypeOf():
                return parser.at_type()
            case ods.Operands():
                return parser.at(scanner.VALUE)
            case ods.Successors():
                return parser.at(scanner.BLOCK)
            case ods.FunctionalType():
                return parser.at("(")
            case ods.PropDict():
                return parser.at("<")
            case ods.Qualified(arg=argument):
                return self._may_begin(argument)
            case ods.Custom():
                return self._custom_may_begin()
        return False

    def _custom_may_begin(self) -> bool:
        """Whether a custom directive may begin: it succeeds or reads nothing, so tokens of a next operation must
        not count."""
        parser = self.parser
        return parser.kinds[parser.index] in (scanner.VALUE, scanner.SYMBOL, scanner.NUMBER, "[", "*", "(")

    def _variable_may_begin(self, name: str) -> bool:
        parser = self.parser
        if name in self.operands:
            if self.operands[name].arity is Arity.VARIADIC_OF_VARIADIC:
                return parser.at("(")
            return parser.at(scanner.VALUE)
        if name in self.attributes:
            return attributes.may_begin(parser, self.attributes[name])
        return parser.at("{") if name in self.regions else parser.at(scanner.BLOCK)


class NewerFormReader(AssemblyReader):
    """Reads a format whose ``attr-dict`` has become explicit, as newer versions of MLIR spell inherent attributes.

    Where the format has its dictionary, the attributes of the definition may stand by name (``factor = 4``, ``affine``)
    or as properties (``<factor = 4>``). For operations whose text fits none of the known formats.
    """

    def _read_attribute_dictionary(self, *, with_keyword: bool) -> None:
        parser = self.parser
        self._read_properties()
        while (definition := self._named_attribute()) is not None:
            start = parser.take()
            if parser.accept("="):
                attributes.read(parser, self.state, definition)
            else:
                self._add_unit_attribute(definition, start)
            parser.accept(",")
        super()._read_attribute_dictionary(with_keyword=with_keyword)

    def _named_attribute(self) -> AttributeDefinition | None:
        """Return the attribute that the next token names, unless it was read already."""
        parser = self.parser
        name = parser.spelling(parser.index)
        if not parser.at(scanner.IDENTIFIER) or any(attribute.name == name for attribute in self.state.attributes):
            return None
        return self.attributes.get(name)
