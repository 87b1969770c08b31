"""Parses members, operations and regions up to the cursor, by the formats of all LLVM versions."""

from __future__ import annotations

from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax import scanner
from tdls.syntax.expected.completion_parser import CompletionParser
from tdls.syntax.expected.model import (
    NOTHING,
    AliasStart,
    Anything,
    AttributeDictionary,
    AttributeValue,
    BlockLabel,
    ExpectedLiteral,
    ExpectedType,
    Focus,
    NewName,
    Number,
    Operand,
    OperationStart,
    RegionStart,
    SuccessorLabel,
    SymbolReference,
    function_type,
    type_of,
)
from tdls.syntax.parser import operation_ends
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import NotInterpretable
from tdls.syntax.parser.assembly.format_reader import assembly_of, read_assembly
from tdls.syntax.parser.assembly.reader import AssemblyReader
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import read_generic
from tdls.syntax.parser.operation_state import OperationState
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition
    from tdls.syntax.parser.asm_parser import Names
    from tdls.syntax.parser.assembly.reader import Directive
    from tdls.syntax.tree import Block, BlockArgument, Operation, Region, ResultGroup, Successor, TypeUse


class CompletionReader(AssemblyReader):
    """An `AssemblyReader` on a `CompletionParser`.

    At the cursor, an optional element is read to record its first expectations, and then counts as absent.
    """

    def __init__(
        self, parser: CompletionParser, state: OperationState, names: Names, directives: Mapping[str, Directive]
    ) -> None:
        super().__init__(parser, state, names, directives)
        self.asking = parser
        self._group: tuple[ods.Element, ...] = ()
        self._is_optional = False
        """Whether the group need not be there."""
        self._clauses: dict[str, tuple[ods.Element, ...]] = {}
        """The clauses of the list that is being read, by their first keyword."""

    def announce(self, name: str) -> None:
        """Relate the following expectations to ``$name``."""
        if self.asking.focus.name != name:
            operand, attribute = self.operands.get(name), self.attributes.get(name)
            self.asking.focus = Focus(self.parser.index, operand, attribute, name)

    def read(self, elements: tuple[ods.Element, ...]) -> None:
        for number, element in enumerate(elements):
            behind = elements[number + 1 :] if isinstance(element, ods.Literal) else ()
            operands = tuple(
                takewhile(lambda each: isinstance(each, ods.Variable) and each.name in self.operands, behind)
            )
            self._group = (element, *operands) if operands else ()
            self._read_element(element)
            self._group = ()

    def _read_element(self, element: ods.Element) -> None:
        self.asking.path.append(element)
        focus = self.asking.focus
        super()._read_element(element)
        self.asking.focus = focus
        self.asking.path.pop()

    # Literals

    def at_literal(self, text: str) -> bool:
        """Whether the literal `text` is the next token; at the cursor, record it as an expectation."""
        if self.asking.at_cursor:
            rest, is_optional = self._clauses.get(text, self._group), self._is_optional or text in self._clauses
            self.asking.note(ExpectedLiteral(text, rest, self.state.definition if rest else None, is_optional))
        return super().at_literal(text)

    # Optional elements

    def _group_is_present(self, group: ods.OptionalGroup) -> bool:
        self._group, self._is_optional = group.then, True
        present = super()._group_is_present(group)
        self._group, self._is_optional = (), False
        return present

    def _read_clauses(self, oilist: ods.OIList) -> None:
        heads = ((clause.elements[0], clause.elements) for clause in oilist.clauses)
        self._clauses = {head.text: elements for head, elements in heads if isinstance(head, ods.Literal)}
        super()._read_clauses(oilist)
        self._clauses = {}

    def _may_begin(self, element: ods.Element) -> bool:
        if not self.asking.at_cursor:
            return super()._may_begin(element)
        path, focus = list(self.asking.path), self.asking.focus
        try:
            self._read_element(element)
        except (Mismatch, NotInterpretable):
            self.asking.path[:], self.asking.focus = path, focus
        return False

    # Variables

    def read_operand(self, operand: OperandDefinition) -> None:
        self.announce(operand.name)
        super().read_operand(operand)

    def _read_attribute(self, definition: AttributeDefinition) -> None:
        self.announce(definition.name)
        if not self.asking.at_cursor:
            super()._read_attribute(definition)
            return
        self.asking.note(AttributeValue(definition.name, definition))
        if not definition.optional:
            raise Mismatch(self.parser.index, definition.name)

    def _read_qualified(self, element: ods.Element) -> None:
        if isinstance(element, ods.Variable) and element.name in self.attributes and self.asking.at_cursor:
            self._read_attribute(self.attributes[element.name])
            return
        super()._read_qualified(element)

    def _read_regions(self, regions: list[Region], *, variadic: bool) -> None:
        if self.asking.at_cursor:
            self.asking.note(RegionStart())
            if variadic:
                return
        super()._read_regions(regions, variadic=variadic)

    def _read_successors(self, successors: list[Successor], *, variadic: bool) -> None:
        if self.asking.at_cursor:
            self.asking.note(SuccessorLabel())
        super()._read_successors(successors, variadic=variadic)

    # Directives

    def _read_attribute_dictionary(self, *, with_keyword: bool) -> None:
        if self.asking.at_cursor:
            self.asking.note(AttributeDictionary(keyword=with_keyword))
            return
        super()._read_attribute_dictionary(with_keyword=with_keyword)

    def _read_functional_type(self, inputs: ods.Element, results: ods.Element) -> None:
        keys = (self._key(inputs), self._key(results))
        self.asking.focus = Focus(self.parser.index, function_type=keys)
        if self.asking.at_cursor:
            self.asking.note(function_type(self.state.definition, keys))
            raise Mismatch(self.parser.index, "a function type")
        super()._read_functional_type(inputs, results)

    def read_type_of(self, element: ods.Element) -> None:
        key = self._key(element)
        self.announce(key)
        if not self.asking.at_cursor:
            super().read_type_of(element)
            return
        self.state.types.setdefault(key, [])
        self._note_type()
        if self._arity(key) is Arity.ONE:
            raise Mismatch(self.parser.index, "a type")

    def _read_one_type(self, *, custom: bool = False) -> TypeUse:
        if self.asking.at_cursor:
            self._note_type()
            raise Mismatch(self.parser.index, "a type")
        return super()._read_one_type(custom=custom)

    def _note_type(self) -> None:
        key = self.asking.focus.name
        self.asking.note(type_of(self.state, key, len(self.state.types.get(key, ()))))


class Reached(Exception):  # noqa: N818 - control flow: the cursor is where reading is
    """Raised when all expectations at the cursor are recorded."""


class _Outcome(Enum):
    """The result of reading an operation by one format."""

    ENDS_BEFORE = "the operation ends before the cursor"
    AT_CURSOR = "the cursor is in the operation or right behind it"
    FAILED = "the text before the cursor is not what the format says"


class CursorParser(CompletionParser):
    """Parses a text that ends at the cursor, and records the expectations there."""

    def read_to_cursor(self) -> None:
        """Parse the whole text; `found` and `operation` are the result. Never raises."""
        try:
            while self.index < self.cursor:
                if self.kinds[self.index] == scanner.BLOCK:
                    self._read_labelled_block(OperationState("", self.index, Form.STRUCTURAL))
                else:
                    self.read_members(self.limit)
            self._reach_statement()
        except (Reached, Mismatch):
            return

    def _reach_statement(self) -> None:
        """Record that an operation may begin at the cursor, and raise `Reached`."""
        self._note_statement()
        raise Reached

    def _note_statement(self) -> None:
        if self.operation is None:
            self._state = None
        self.note(OperationStart(self.scopes[-1].dialect))
        nested = len(self.scopes) > 1 or self.nested
        self.note(BlockLabel() if nested else AliasStart())

    def report(self, mismatch: Mismatch) -> None:
        """Record a problem, unless it is at the cursor, where the text just ends: then raise `Reached`."""
        if mismatch.index == self.cursor and not self.silent:
            raise Reached
        super().report(mismatch)

    # Operations

    def read_operation(self) -> Operation | None:
        """Read one operation. Raises `Reached` if it contains the cursor."""
        self._state, self._results, self.silent = None, (), False
        self.focus = NOTHING
        self.path.clear()
        return super().read_operation()

    def _read_results(self) -> tuple[ResultGroup, ...]:
        if self.kinds[self.index] != scanner.VALUE:
            return ()
        written = self.kinds[self.index : self.cursor]
        if written[-2:] == [scanner.VALUE, ":"] and set(written) <= {scanner.VALUE, ":", ",", scanner.NUMBER}:
            self.note(Number())
            raise Reached
        try:
            with self.focused(Focus(is_argument=True)):
                self._results = super()._read_results()
        except Reached:
            if self.kinds[self.cursor - 1] == ",":
                self.found = {NewName(): None}
            raise
        if self.at_cursor:
            named = sum(group.count for group in self._results)
            self.found = {OperationStart(self.scopes[-1].dialect, named): None}
            raise Reached
        return self._results

    def _read_custom_operation(self, results: tuple[ResultGroup, ...], name: str = "") -> OperationState:  # noqa: ARG002
        name_index = self.take()
        name, definitions = self._lookup(name or self.spelling(name_index))
        reached = False
        first_problem = len(self.problems)
        for definition in definitions:
            state = self._state = OperationState(name, name_index, Form.EXACT, definition)
            outcome = self._attempt(state, definition)
            if outcome is _Outcome.ENDS_BEFORE:
                return state
            self.give_up(state, first_problem)
            reached = reached or outcome is _Outcome.AT_CURSOR
            self.index = name_index + 1
        if reached:
            raise Reached
        return self._read_unknown(OperationState(name, name_index, Form.STRUCTURAL, next(iter(definitions), None)))

    def _attempt(self, state: OperationState, definition: OperationDefinition) -> _Outcome:
        noted = len(self.found)
        self.path.clear()
        self.focus = NOTHING
        try:
            readable = read_assembly(self, state, assembly_of(definition), CompletionReader)
            if self.at_cursor and readable:
                self._note_end()
            elif readable:
                operation_ends.expect_operation_end(self)
                return _Outcome.ENDS_BEFORE
        except Mismatch as mismatch:
            return _Outcome.AT_CURSOR if mismatch.index == self.cursor else _Outcome.FAILED
        return _Outcome.AT_CURSOR if len(self.found) > noted else _Outcome.FAILED

    def _note_end(self) -> None:
        """Record the expectations behind a complete operation."""
        self.note(ExpectedLiteral("loc"))
        self._note_statement()

    def _read_generic_operation(self) -> OperationState:
        name_index = self.take()
        name = self.spelling(name_index)[1:-1]
        state = self._state = OperationState(
            name, name_index, Form.GENERIC, next(iter(self.known.variants(name)), None)
        )
        first_problem = len(self.problems)
        try:
            read_generic(self, state)
            if self.at_cursor:
                self._note_end()
                raise Reached
            operation_ends.expect_operation_end(self)
        except Mismatch as mismatch:
            if mismatch.index == self.cursor:
                raise Reached from None
            self.give_up(state, first_problem)
            self.index = name_index + 1
            return self._read_unknown(OperationState(name, name_index, Form.STRUCTURAL, state.definition))
        return state

    # Operations that no format reads

    def _read_unknown(self, state: OperationState) -> OperationState:
        """Read structurally; if the operation contains the cursor, record every token that fits the previous one."""
        self._state, self.silent = state, True
        structural = self._read_structurally(state, None)
        self.silent = False
        if not self.at_cursor:
            return structural
        structural.definition = state.definition
        self._state = structural
        self._note_anything()
        raise Reached

    def _note_anything(self) -> None:
        before = self.kinds[self.cursor - 1]
        if before in (":", "->") or self._in_types():
            self.note(ExpectedType())
            return
        self.note(Operand(), SymbolReference(), ExpectedType(), ExpectedLiteral(":"), RegionStart(), Anything())
        if before not in operation_ends.UNFINISHED:
            self._note_end()

    def _in_types(self) -> bool:
        """Whether the cursor is in a list of types."""
        index = self.cursor - 1
        if self.kinds[index] == ",":
            index -= 1
        partner = self.tokens.partners.get(index, index)
        if self.kinds[index] == "(" and partner == index:
            return self.kinds[index - 1] in (":", "->")
        return self.kinds[self.cursor - 1] == "," and self.kinds[partner] == scanner.TYPE

    # Regions

    def read_region(self, state: OperationState, arguments: tuple[BlockArgument, ...] = ()) -> Region:
        """Read a region. Raises `Reached` if it contains the cursor, `Mismatch` if it should begin at the cursor."""
        if self.at_cursor:
            self.note(RegionStart())
            raise Mismatch(self.index, "a region")
        saved = (self._state, self._results, self.focus, list(self.path), self.silent)
        is_open = self.index not in self.tokens.partners
        region = super().read_region(state, arguments)
        if is_open:
            raise Reached
        self._state, self._results, self.focus, self.path[:], self.silent = saved
        return region

    def _open_end(self, opener: int) -> int:  # noqa: ARG002 - the region goes on up to the cursor
        return self.limit

    def _read_operations(self, state: OperationState) -> tuple[Operation, ...]:
        operations = super()._read_operations(state)
        if self.at_cursor:
            self._state = self.operation = None
            self._reach_statement()
        return operations

    def _read_labelled_block(self, state: OperationState) -> Block:
        self._state, self.silent = None, False
        with self.focused(Focus(is_argument=True)):
            return super()._read_labelled_block(state)

    def read_argument(self) -> BlockArgument:
        """Read ``%name : type {attributes}``. Raises `Mismatch`."""
        with self.focused(Focus(is_argument=True)):
            return super().read_argument()
