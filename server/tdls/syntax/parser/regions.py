"""Regions and blocks."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from tdls.bounds.limits import REGION_DEPTH
from tdls.syntax.lexing import scanner
from tdls.syntax.parser.asm_parser import AsmParser
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import read_dictionary
from tdls.syntax.parser.scope import Scope
from tdls.syntax.parser.structural import boundaries
from tdls.syntax.tree import Block, BlockArgument, Form, Region
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.parser.draft import Draft
    from tdls.syntax.tree import NamedAttribute, Operation


class RegionParser(AsmParser):
    """Reads regions, blocks and their arguments."""

    def __init__(
        self, tokens: scanner.Tokens, catalogue: Catalogue, default_dialect: str, *, nested: bool, end: str
    ) -> None:
        """The text is what may stand in a file or, if `nested`, in a container's region."""
        super().__init__(tokens, catalogue, default_dialect, end=end)
        self._depth = int(nested)

    @abstractmethod
    def _read_operations(self, draft: Draft) -> tuple[Operation, ...]:
        """Read the operations of `draft`'s region up to the next block label or the limit."""

    def read_region(self, draft: Draft, arguments: tuple[BlockArgument, ...] = ()) -> Region:
        """Read the region of `draft` that begins at the next token, which must be ``{``. Raises `Mismatch`.

        `arguments` are those of the entry block that the operation's own syntax defines.
        """
        opener = self.expect("{", "`{` of a region")
        closer = self.tokens.partners.get(opener, -1)
        if closer < 0:
            closer = self._open_end(opener)
        saved, self.limit = self.limit, min(closer, self.limit)
        blocks = self._read_region_body(opener, draft, arguments)
        self.index, self.limit = self.limit, saved
        if self.kinds[self.index] == "}" and self.index < saved:
            self.index += 1
        return Region(*self.place(opener, max(self.index, opener + 1)), blocks)

    def _open_end(self, opener: int) -> int:
        end = self.tokens.open_ends.get(opener)
        if end is None:
            raise Mismatch(opener, "a closing bracket for this `{`", is_certain=True)
        help_text = "add the missing `}` where the region should end"
        self.report_at(opener, opener + 1, "this region is never closed", help_text, is_certain=True)
        return min(end, self.limit)

    def _read_region_body(self, opener: int, draft: Draft, arguments: tuple[BlockArgument, ...]) -> tuple[Block, ...]:
        if self._depth >= REGION_DEPTH.most:
            self.report_at(opener, opener + 1, "regions are nested too deeply to be read here")
            return ()
        self._depth += 1
        self.scopes.append(self._region_scope(opener, draft))
        self.scopes[-1].names.update([argument.name for argument in arguments])
        blocks = self._read_blocks(draft, arguments)
        self.scopes.pop()
        self._depth -= 1
        return blocks

    def _region_scope(self, opener: int, draft: Draft) -> Scope:
        """Only a known custom form sets the default dialect; otherwise that of the outer region stays, as in MLIR."""
        if draft.definition is None:
            column = self.tokens.indent(opener + 1) if self.tokens.first_on_line(opener + 1) else -1
            return Scope(self.scopes[-1].dialect, isolated=draft.is_isolated, column=column)
        dialect = self.scopes[-1].dialect
        if draft.form is not Form.GENERIC:
            dialect = draft.definition.default_dialect or ""
        return Scope(dialect, isolated=draft.is_isolated)

    def _read_blocks(self, draft: Draft, arguments: tuple[BlockArgument, ...]) -> tuple[Block, ...]:
        blocks: list[Block] = []
        first = self.index
        operations = self._read_operations(draft)
        if operations or arguments:
            start = self.starts[first]
            end = self.ends[self.index - 1] if self.index > first else start
            blocks.append(Block(start, end, None, Span(start, start), arguments, operations))
        elif self.index == self.limit and draft.has_implicit_block:
            start = self.starts[first]
            blocks.append(Block(start, start, None, Span(start, start), (), ()))
        while self.index < self.limit:
            blocks.append(self._read_labelled_block(draft))
        return tuple(blocks)

    def _read_labelled_block(self, draft: Draft) -> Block:
        start = self.take()
        arguments: tuple[BlockArgument, ...] = ()
        try:
            arguments = self._read_block_arguments()
            self.expect(":", "`:` after the block label")
        except Mismatch as mismatch:
            self.report(mismatch)
            self.index = max(self.index, boundaries.next_line_start(self, start + 1))
        self.scopes[-1].names.update([argument.name for argument in arguments])
        operations = self._read_operations(draft)
        return Block(
            *self.place(start, self.index), self.spelling(start), self.span(start, start + 1), arguments, operations
        )

    def _read_block_arguments(self) -> tuple[BlockArgument, ...]:
        if not self.accept("("):
            return ()
        if self.accept(")"):
            return ()
        arguments = [self.read_argument()]
        while self.accept(","):
            arguments.append(self.read_argument())
        self.expect(")", "`,` or `)` in the block's arguments")
        return tuple(arguments)

    def read_argument(self) -> BlockArgument:
        """Read ``%name : type {attributes} loc(...)``. Raises `Mismatch`."""
        start = self.expect(scanner.VALUE, "an SSA name such as `%arg0`")
        self.expect(":", f"`:` and the type of `{self.spelling(start)}`")
        type_use = self.read_type()
        attributes: tuple[NamedAttribute, ...] = read_dictionary(self) if self.at("{") else ()
        if self.at_keyword("loc") and self.kinds[self.index + 1] == "(":
            self.index = self.after_group(self.index + 1)
        return BlockArgument(*self.place(start, start + 1), self.spelling(start), type_use, attributes)
