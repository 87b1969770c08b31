"""Reading one operation by the formats of several LLVM versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.parser.cursor import Mismatch, TokenCursor
    from tdls.syntax.parser.draft import Draft
    from tdls.syntax.tree import SyntaxProblem


class Attempts:
    """What became of reading one operation by the formats of several LLVM versions.

    `complete` is the first draft that its format accepts with junk behind it on a line of its own, which is nobody's
    part; `end` and `problems` belong to it. `failure` is the mismatch that came furthest. `unreadable` is the first
    definition whose format only C++ knows: nothing that the other formats reject is certain to be wrong then.
    """

    __slots__ = ("_read", "complete", "end", "failure", "problems", "unreadable")

    def __init__(self) -> None:
        self.complete: Draft | None = None
        self.end = 0
        self.problems: list[SyntaxProblem] = []
        self.failure: Mismatch | None = None
        self.unreadable: OperationDefinition | None = None
        self._read: Draft | None = None

    def note_end(self, cursor: TokenCursor, draft: Draft) -> None:
        """The format of `draft` was read up to the next token of `cursor`."""
        if self.complete is None and cursor.tokens.first_on_line(cursor.index):
            self._read, self.end = draft, cursor.index

    def note_failure(self, mismatch: Mismatch, problems: list[SyntaxProblem]) -> None:
        """The format was not read, or what follows is not the end of an operation."""
        if self.complete is None and self._read is not None:
            self.complete, self.problems = self._read, problems
        if self.failure is None or mismatch.index > self.failure.index:
            self.failure = mismatch
