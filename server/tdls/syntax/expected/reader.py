"""Reads an operation by its assembly format and notes at the cursor which element is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax.expected.focus import Focus, function_type, type_of
from tdls.syntax.expected.model import AttributeDictionary, AttributeValue, ExpectedLiteral, RegionStart, SuccessorLabel
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import NotInterpretable
from tdls.syntax.parser.assembly.reader import AssemblyReader
from tdls.syntax.parser.cursor import Mismatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import AttributeDefinition, OperandDefinition
    from tdls.syntax.expected.questions import QuestionParser
    from tdls.syntax.parser.assembly.reader import Directive
    from tdls.syntax.parser.draft import Draft
    from tdls.syntax.parser.known import Names
    from tdls.syntax.tree import Region, Successor, TypeUse


class ExpectingReader(AssemblyReader):
    """An `AssemblyReader` on a `QuestionParser`.

    Whether an optional element is present is found out at the cursor by reading it: what it asks for first is noted.
    """

    def __init__(
        self,
        parser: QuestionParser,
        draft: Draft,
        names: Names,
        directives: Mapping[str, Directive],
    ) -> None:
        super().__init__(parser, draft, names, directives)
        self.asking = parser
        self._group: tuple[ods.Element, ...] = ()
        self._clauses: dict[str, tuple[ods.Element, ...]] = {}
        """The clauses of the list that is being read, by the keyword they begin with."""

    def announce(self, name: str) -> None:
        """Take the questions that follow for questions about ``$name``."""
        if self.asking.focus.name != name:
            operand, attribute = self.operands.get(name), self.attributes.get(name)
            self.asking.focus = Focus(self.parser.index, operand, attribute, name)

    def _read_element(self, element: ods.Element) -> None:
        self.asking.path.append(element)
        focus = self.asking.focus
        super()._read_element(element)
        self.asking.focus = focus
        self.asking.path.pop()

    # Literals

    def at_literal(self, text: str) -> bool:
        """Note the question, if it is about the cursor, and answer it."""
        if self.asking.at_cursor:
            self.asking.note(ExpectedLiteral(text, self._clauses.get(text, self._group)))
        return super().at_literal(text)

    # Optional elements

    def _group_is_present(self, group: ods.OptionalGroup) -> bool:
        self._group = group.then
        present = super()._group_is_present(group)
        self._group = ()
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
        """Read the values of one operand group. Raises `Mismatch`."""
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
            self.asking.note(function_type(self.draft.definition, keys))
            raise Mismatch(self.parser.index, "a function type")
        super()._read_functional_type(inputs, results)

    def read_type_of(self, element: ods.Element) -> None:
        """Read the types that ``type(element)`` stands for. Raises `Mismatch`."""
        key = self._key(element)
        self.announce(key)
        if not self.asking.at_cursor:
            super().read_type_of(element)
            return
        self.draft.types.setdefault(key, [])
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
        self.asking.note(type_of(self.draft, key, len(self.draft.types.get(key, ()))))
