"""The part of the parser that reads regions, blocks and block arguments, and caches regions for repeated attempts."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from tdls.limits import REGION_DEPTH
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.syntax.parser import operation_ends
from tdls.syntax.parser.asm_parser import AsmParser, DefinitionFact, Scope
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import read_dictionary
from tdls.syntax.tree import Block, BlockArgument, Form, Region
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import Member, NamedAttribute, Operation, SyntaxProblem

NEVER_CLOSED = "this region is never closed"
MOST_READINGS = 4
"""Maximum number of times to read a region in different ways; after that the last reading is reused for all others."""


_EXTENSIBLE = "TransformOpInterface"
"""The interface of operations whose dialect any project extends: its names need no prefix in their regions either."""


@DefinitionFact
def _region_facts(definition: OperationDefinition) -> tuple[Hashable, ...]:
    """Return the properties of a definition that determine how its regions are read."""
    single_block = any(trait.startswith("SingleBlock") for trait in definition.traits)
    traits = [
        trait in definition.traits for trait in ("IsIsolatedFromAbove", "SymbolTable", "NoTerminator", _EXTENSIBLE)
    ]
    return (definition.default_dialect, single_block, *traits)


class Found(NamedTuple):
    """The problems and child members found in a member or a part of it."""

    problems: list[SyntaxProblem]
    children: list[Member]


class _Reading(NamedTuple):
    """The result of reading a region in one way."""

    way: tuple[Hashable, ...]
    """All inputs of the reading except the text."""
    region: Region
    found: Found
    end: int
    """The token behind the region."""


class RegionParser(AsmParser):
    """Reads regions, blocks and their arguments.

    If an operation does not match one of its forms, another one is tried. The regions read so far are kept then
    (`give_up`) and not read again, unless the other form reads the region in another way (`_way_of`). So each token is
    read a bounded number of times, for any nesting depth of such operations.
    """

    def __init__(
        self, tokens: scanner.Tokens, catalogue: Catalogue, default_dialect: str, *, nested: bool, end: str
    ) -> None:
        """The text is the content of a file or, if `nested`, of a container's region."""
        super().__init__(tokens, catalogue, default_dialect, end=end)
        self._depth = int(nested)
        self._children: list[Member] = []
        """The members inside of the current member."""
        self._current_reading = self._last_reading = 0
        """The numbers of the current reading of a region, 0 outside of regions, and of the last one that began."""
        self._extents: dict[int, tuple[int, int, int]] = {}
        """For the last reading of the region that a token opens: its first problem, the end of its problems, and the
        token behind the region."""
        self._readings: dict[int, list[_Reading]] = {}
        """Readings of regions of operations that did not match a form, by the token that opens the region."""

    @abstractmethod
    def _read_operations(self, state: OperationState) -> tuple[Operation, ...]:
        """Read the operations of `state`'s region up to the next block label or the limit."""

    def read_region(self, state: OperationState, arguments: tuple[BlockArgument, ...] = ()) -> Region:
        opener = self.expect("{", "`{` of a region")
        first_problem = len(self.problems)
        reading = self._kept_reading(opener, state, arguments) if opener in self._readings else None
        if reading is not None:
            self.problems += reading.found.problems
            self._children += reading.found.children
            self.index = reading.end
            self._extents[opener] = (first_problem, len(self.problems), self.index)
            return reading.region
        closer = self.tokens.partners.get(opener, -1)
        if closer < 0:
            closer = self._open_end(opener)
        saved = (self.limit, self._current_reading)
        self.limit = min(closer, self.limit)
        self._current_reading = self._last_reading = self._last_reading + 1
        blocks = self._read_region_body(opener, state, arguments)
        self.index = self.limit
        self.limit, self._current_reading = saved
        if self.kinds[self.index] == "}" and self.index < self.limit:
            self.index += 1
        self._extents[opener] = (first_problem, len(self.problems), self.index)
        return Region(*self.place(opener, max(self.index, opener + 1)), blocks)

    def _kept_reading(
        self, opener: int, state: OperationState, arguments: tuple[BlockArgument, ...]
    ) -> _Reading | None:
        readings = self._readings[opener]
        way = self._way_of(opener, state, arguments)
        same = (reading for reading in readings if reading.way == way)
        return next(same, readings[-1] if len(readings) >= MOST_READINGS else None)

    def _way_of(self, opener: int, state: OperationState, arguments: tuple[BlockArgument, ...]) -> tuple[Hashable, ...]:
        """Return all inputs of reading the region at token `opener` except the text; equal ways give equal regions.

        The visible names and the enclosing operations depend on the reading of the enclosing region.
        """
        definition = state.definition
        is_closed = -1 < self.tokens.partners.get(opener, -1) < self.limit
        return (
            self._current_reading,
            -1 if is_closed else self.limit,
            state.symbol_name is None
            if definition is None
            else (state.form is Form.GENERIC, _region_facts(definition)),
            *[(argument.start, argument.type is None) for argument in arguments],
        )

    def give_up(self, state: OperationState, first_problem: int) -> Found:
        """Keep the regions of `state`, which does not match its form; remove and return its problems and children.

        `first_problem` is the index of its first problem.
        """
        self.keep_regions(state)
        kept = Found(self.problems[first_problem:], self._children_from(self.starts[state.name_index], len(self.text)))
        del self.problems[first_problem:], self._children[len(self._children) - len(kept.children) :]
        return kept

    def keep_regions(self, state: OperationState) -> None:
        """Keep the regions of `state`, so that they are not read again."""
        for region in (*state.regions, *chain.from_iterable(state.region_groups.values())):
            opener = bisect_left(self.starts, region.start)
            readings = self._readings.setdefault(opener, [])
            arguments = region.blocks[0].arguments if region.blocks and region.blocks[0].label is None else ()
            way = self._way_of(opener, state, arguments)
            if len(readings) < MOST_READINGS and all(reading.way != way for reading in readings):
                first, behind, end = self._extents[opener]
                kept = Found(self.problems[first:behind], self._children_from(region.start, region.end))
                readings.append(_Reading(way, region, kept, end))

    def _children_from(self, start: int, end: int) -> list[Member]:
        """Return the members inside of the current one that begin from offset `start` up to `end` (exclusive)."""
        later = takewhile(lambda child: child.start >= start, reversed(self._children))
        return [child for child in later if child.start < end][::-1]

    def _open_end(self, opener: int) -> int:
        end = self.tokens.open_ends.get(opener)
        if end is None:
            raise Mismatch(opener, "a closing bracket for this `{`", is_certain=True)
        help_text = "add the missing `}` where the region should end"
        self.report_at(opener, opener + 1, NEVER_CLOSED, help_text, is_certain=True)
        return min(end, self.limit)

    def _read_region_body(
        self, opener: int, state: OperationState, arguments: tuple[BlockArgument, ...]
    ) -> tuple[Block, ...]:
        if self._depth >= REGION_DEPTH.most:
            self.report_at(opener, opener + 1, "regions are nested too deeply to be read here")
            return ()
        self._depth += 1
        # Only a known custom form sets the default dialect; otherwise that of the outer region stays, as in MLIR.
        dialect = self.scopes[-1].dialect
        if state.definition is not None and state.form is not Form.GENERIC:
            dialect = state.definition.default_dialect or ""
        is_open = state.definition is None or (bool(dialect) and _EXTENSIBLE in state.definition.traits)
        column = self.tokens.indent(opener + 1) if is_open and self.tokens.first_on_line(opener + 1) else -1
        owner = state.definition.dialect if state.definition is not None else ""
        is_list = state.definition is not None and bool(state.definition.versions) and state.form is not Form.STRUCTURAL
        self.scopes.append(Scope(dialect, isolated=state.is_isolated, column=column, owner=owner, is_list=is_list))
        self.scopes[-1].names.update([argument.name for argument in arguments])
        blocks = self._read_blocks(state, arguments)
        self.scopes.pop()
        self._depth -= 1
        return blocks

    def _read_blocks(self, state: OperationState, arguments: tuple[BlockArgument, ...]) -> tuple[Block, ...]:
        blocks: list[Block] = []
        first = self.index
        operations = self._read_operations(state)
        is_implicit = self.index == self.limit and state.has_implicit_block
        if is_implicit or arguments or self.index > first:  # unreadable text makes a block, too
            start = self.starts[first]
            end = self.ends[self.index - 1] if self.index > first else start
            blocks.append(Block(start, end, None, Span(start, start), arguments, operations))
        while self.index < self.limit:
            blocks.append(self._read_labelled_block(state))
        return tuple(blocks)

    def _read_labelled_block(self, state: OperationState) -> Block:
        scope = self.scopes[-1]
        is_certain = scope.is_list and not scope.is_open
        start = self.take()
        arguments: list[BlockArgument] = []
        try:
            self._read_block_arguments(arguments)
            self.expect(":", "`:` after the block label")
        except Mismatch as mismatch:
            mismatch.is_certain |= is_certain
            self.report(mismatch)
            self.index = max(self.index, operation_ends.next_line_start(self, start + 1))
        scope.names.update([argument.name for argument in arguments])
        if scope.column >= 0 and self.tokens.first_on_line(self.index):
            scope.column = self.tokens.indent(self.index)
        operations = self._read_operations(state)
        label, label_span = self.spelling(start), self.span(start, start + 1)
        return Block(*self.place(start, self.index), label, label_span, tuple(arguments), operations)

    def _read_block_arguments(self, arguments: list[BlockArgument]) -> None:
        """Add the arguments to `arguments`, also one whose type is not readable. Raises `Mismatch`."""
        if not self.accept("(") or self.accept(")"):
            return
        while True:
            first = self.index
            try:
                arguments.append(self.read_argument())
            except Mismatch:
                if self.kinds[first] == scanner.VALUE:
                    arguments.append(BlockArgument(*self.place(first, first + 1), self.spelling(first)))
                raise
            if not self.accept(","):
                break
        self.expect(")", "`,` or `)` in the block's arguments")

    def read_argument(self) -> BlockArgument:
        start = self.expect(scanner.VALUE, "an SSA name such as `%arg0`")
        self.expect(":", f"`:` and the type of `{self.spelling(start)}`")
        type_use = self.read_type()
        attributes: tuple[NamedAttribute, ...] = read_dictionary(self) if self.at("{") else ()
        if self.at_keyword("loc") and self.kinds[self.index + 1] == "(":
            self.index = self.after_group(self.index + 1)
        return BlockArgument(*self.place(start, start + 1), self.spelling(start), type_use, attributes)
