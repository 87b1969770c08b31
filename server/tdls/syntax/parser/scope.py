"""What is known of the region that is being read."""

from __future__ import annotations


class Scope:
    """A region while it is read: the SSA names defined so far and what tells operations apart in it.

    An isolated scope does not see the names of the enclosing ones. `dialect` is the default dialect. `column` is the
    column of the first operation in a region of an operation that is not known, where the default dialect is a guess;
    -1 elsewhere.
    """

    __slots__ = ("column", "dialect", "isolated", "names")

    def __init__(self, dialect: str, *, isolated: bool, column: int = -1) -> None:
        self.names: set[str] = set()
        self.dialect = dialect
        self.isolated = isolated
        self.column = column
