"""Reads members, operations and regions up to the cursor, each as the formats of all LLVM versions allow."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.syntax.expected.focus import NOTHING, Focus
from tdls.syntax.expected.model import (
    AliasStart,
    Anything,
    BlockLabel,
    ExpectedLiteral,
    ExpectedType,
    NewName,
    Number,
    Operand,
    OperationStart,
    RegionStart,
    SymbolReference,
)
from tdls.syntax.expected.questions import QuestionParser
from tdls.syntax.expected.reader import ExpectingReader
from tdls.syntax.lexing import scanner
from tdls.syntax.parser.assembly.format_reader import assembly_of, read_assembly
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.draft import Draft
from tdls.syntax.parser.generic import read_generic
from tdls.syntax.parser.structural import boundaries
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.tree import Block, BlockArgument, Operation, Region, ResultGroup


class Reached(Exception):  # noqa: N818 - control flow: the cursor is where reading is
    """All that can be known of the place of the cursor is noted."""


class _Outcome(Enum):
    """Where reading an operation by one format came to."""

    ENDS_BEFORE = "the operation ends before the cursor"
    AT_CURSOR = "the cursor is in the operation or right behind it"
    FAILED = "the text before the cursor is not what the format says"


class ExpectingParser(QuestionParser):
    """Reads a text that ends at the cursor."""

    def read_to_cursor(self) -> None:
        """Read the whole text; `found` and `operation` are the result. Never raises."""
        try:
            while self.index < self.cursor:
                if self.kinds[self.index] == scanner.BLOCK:
                    self._read_labelled_block(Draft("", self.index, Form.STRUCTURAL))
                else:
                    self.read_members(self.limit)
            self._reach_statement()
        except (Reached, Mismatch):
            return

    def _reach_statement(self) -> None:
        """Note that an operation may begin at the cursor."""
        self._note_statement()
        raise Reached

    def _note_statement(self) -> None:
        if self.operation is None:
            self._draft = None
        self.note(OperationStart(self.scopes[-1].dialect))
        nested = len(self.scopes) > 1 or self.nested
        self.note(BlockLabel() if nested else AliasStart())

    def report(self, mismatch: Mismatch) -> None:
        """What is missing at the cursor is no problem but the answer: raises `Reached`."""
        if mismatch.index == self.cursor and not self.silent:
            raise Reached
        super().report(mismatch)

    # Operations

    def read_operation(self) -> Operation | None:
        """Read one operation; raises `Reached` where the cursor is in it."""
        self._draft, self._results, self.silent = None, (), False
        self.focus = NOTHING
        self.path.clear()
        return super().read_operation()

    def _read_results(self) -> tuple[ResultGroup, ...]:
        if self.kinds[self.index] != scanner.VALUE:
            return ()
        self._reach_result_count()
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

    def _reach_result_count(self) -> None:
        """In ``%a:`` of the results, which are all that is written, a number follows."""
        written = self.kinds[self.index : self.cursor]
        if written[-2:] == [scanner.VALUE, ":"] and set(written) <= {scanner.VALUE, ":", ",", scanner.NUMBER}:
            self.note(Number())
            raise Reached

    def _read_custom_operation(self) -> Draft:
        name_index = self.take()
        name, definitions = self._lookup(self.spelling(name_index))
        reached = False
        first_problem = len(self.problems)
        for definition in definitions:
            draft = self._draft = Draft(name, name_index, Form.EXACT, definition)
            outcome = self._attempt(draft, definition)
            if outcome is _Outcome.ENDS_BEFORE:
                return draft
            self.give_up(draft, first_problem)
            reached = reached or outcome is _Outcome.AT_CURSOR
            self.index = name_index + 1
        if reached:
            raise Reached
        return self._read_unknown(Draft(name, name_index, Form.STRUCTURAL, next(iter(definitions), None)))

    def _attempt(self, draft: Draft, definition: OperationDefinition) -> _Outcome:
        noted = len(self.found)
        self.path.clear()
        self.focus = NOTHING
        try:
            readable = read_assembly(self, draft, assembly_of(definition), ExpectingReader)
            if self.at_cursor and readable:
                self._note_end()
            elif readable:
                boundaries.expect_operation_end(self)
                return _Outcome.ENDS_BEFORE
        except Mismatch as mismatch:
            return _Outcome.AT_CURSOR if mismatch.index == self.cursor else _Outcome.FAILED
        return _Outcome.AT_CURSOR if len(self.found) > noted else _Outcome.FAILED

    def _note_end(self) -> None:
        """Note what may follow an operation that is complete."""
        self.note(ExpectedLiteral("loc"))
        self._note_statement()

    def _read_generic_operation(self) -> Draft:
        name_index = self.take()
        name = self.spelling(name_index)[1:-1]
        draft = self._draft = Draft(name, name_index, Form.GENERIC, next(iter(self.known.variants(name)), None))
        first_problem = len(self.problems)
        try:
            read_generic(self, draft)
            if self.at_cursor:
                self._note_end()
                raise Reached
            boundaries.expect_operation_end(self)
        except Mismatch as mismatch:
            if mismatch.index == self.cursor:
                raise Reached from None
            self.give_up(draft, first_problem)
            self.index = name_index + 1
            return self._read_unknown(Draft(name, name_index, Form.STRUCTURAL, draft.definition))
        return draft

    # Operations that no format reads

    def _read_unknown(self, draft: Draft) -> Draft:
        """Read by structure; where the cursor is inside, all that fits what stands before it may follow."""
        self._draft, self.silent = draft, True
        structural = self._read_structurally(draft, None)
        self.silent = False
        if not self.at_cursor:
            return structural
        structural.definition = draft.definition
        self._draft = structural
        self._note_anything()
        raise Reached

    def _note_anything(self) -> None:
        before = self.kinds[self.cursor - 1]
        if before in (":", "->") or self._in_types():
            self.note(ExpectedType())
            return
        self.note(Operand(), SymbolReference(), ExpectedType(), ExpectedLiteral(":"), RegionStart(), Anything())
        if before not in boundaries.UNFINISHED:
            self._note_end()

    def _in_types(self) -> bool:
        """Tell whether the cursor is in a list of types."""
        index = self.cursor - 1
        if self.kinds[index] == ",":
            index -= 1
        partner = self.tokens.partners.get(index, index)
        if self.kinds[index] == "(" and partner == index:
            return self.kinds[index - 1] in (":", "->")
        return self.kinds[self.cursor - 1] == "," and self.kinds[partner] == scanner.TYPE

    # Regions

    def read_region(self, draft: Draft, arguments: tuple[BlockArgument, ...] = ()) -> Region:
        """Read a region; raises `Reached` where the cursor is in it, `Mismatch` where it should begin at the cursor."""
        if self.at_cursor:
            self.note(RegionStart())
            raise Mismatch(self.index, "a region")
        saved = (self._draft, self._results, self.focus, list(self.path), self.silent)
        is_open = self.index not in self.tokens.partners
        region = super().read_region(draft, arguments)
        if is_open:
            raise Reached
        self._draft, self._results, self.focus, self.path[:], self.silent = saved
        return region

    def _open_end(self, opener: int) -> int:  # noqa: ARG002 - the region goes on up to the cursor
        return self.limit

    def _read_operations(self, draft: Draft) -> tuple[Operation, ...]:
        operations = super()._read_operations(draft)
        if self.at_cursor:
            self._draft = self.operation = None
            self._reach_statement()
        return operations

    def _read_labelled_block(self, draft: Draft) -> Block:
        self._draft, self.silent = None, False
        with self.focused(Focus(is_argument=True)):
            return super()._read_labelled_block(draft)

    def read_argument(self) -> BlockArgument:
        """Read ``%name : type {attributes}``. Raises `Mismatch`."""
        with self.focused(Focus(is_argument=True)):
            return super().read_argument()
