"""Affine maps and sets: their dimensions, symbols and results, and what makes an expression not affine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.syntax.literals import LiteralProblem

if TYPE_CHECKING:
    from tdls.syntax.scanner import Tokens

_AFFINE = ("affine_map", "affine_set")
_BINARY = ("mod", "floordiv", "ceildiv")
_BETWEEN = (",", "<", ">", "=", "==", ">=", "<=")
_DIVISORS = {"mod": "the right side of `mod`", "floordiv": "a divisor", "ceildiv": "a divisor"}


class Expression(NamedTuple):
    """An affine expression, by what it depends on."""

    has_dimension: bool
    """Whether a dimension is in it, so that nothing else may be multiplied or divided by it."""
    offset: int
    """Where it begins."""


class AffineProblem(Exception):  # noqa: N818 - a finding, not a failure of this module
    """A part that makes an expression wrong in every version of MLIR."""

    def __init__(self, offset: int, expected: str) -> None:
        super().__init__(expected)
        self.problem = LiteralProblem(offset, expected)


def affine_problem(text: str) -> LiteralProblem | None:
    """Return the first mistake in the maps and sets of an attribute, which is well-formed; takes linear time."""
    if "affine_" not in text:
        return None
    tokens = scanner.scan(text)
    for index in range(tokens.count):
        if tokens.spellings[index] in _AFFINE and tokens.kinds[index + 1] == "<":
            try:
                _Reader(tokens, index + 2).read()
            except AffineProblem as found:
                return found.problem
    return None


def expression_problem(tokens: Tokens, start: int, end: int) -> LiteralProblem | None:
    """Return what makes an expression of SSA values, from token `start` to `end`, not affine."""
    try:
        reader = _Reader(tokens, start)
        while reader.index < end:
            reader.expression()
            reader.index += 1  # behind the comma
    except AffineProblem as found:
        return found.problem
    return None


class _Reader:
    """Reads well-formed maps and expressions; `names` maps each name to whether it is a dimension."""

    def __init__(self, tokens: Tokens, index: int) -> None:
        self.tokens = tokens
        self.index = index
        self.names: dict[str, bool] = {}

    def read(self) -> None:
        """Read ``(dimensions)[symbols] -> (results)`` or ``(dimensions)[symbols] : (constraints)``."""
        for opener, is_dimension in (("(", True), ("[", False)):
            if self.tokens.kinds[self.index] != opener:
                continue
            end = self.tokens.partners[self.index]
            for index in range(self.index + 1, end, 2):
                name = self.tokens.spellings[index]
                if name in self.names:
                    raise AffineProblem(self.tokens.starts[index], f"a name other than `{name}`, which is taken")
                self.names[name] = is_dimension
            self.index = end + 1
        end = self.tokens.partners.get(self.index + 1, self.index)
        self.index += 2
        while self.index < end:
            if self.tokens.kinds[self.index] in _BETWEEN:
                self.index += 1
            else:
                self.expression()

    def expression(self) -> Expression:
        """Read a sum, up to a token that does not continue it."""
        left = self._product()
        while self.tokens.kinds[self.index] in ("+", "-"):
            self.index += 1
            right = self._product()
            left = Expression(left.has_dimension or right.has_dimension, left.offset)
        return left

    def _product(self) -> Expression:
        left = self._operand()
        while self.tokens.kinds[self.index] == "*" or self.tokens.spellings[self.index] in _BINARY:
            operator = self.tokens.spellings[self.index]
            self.index += 1
            right = self._operand()
            if operator == "*" and left.has_dimension and right.has_dimension:
                raise AffineProblem(right.offset, "a constant or a symbol as one side of `*`")
            if operator != "*" and right.has_dimension:
                raise AffineProblem(right.offset, f"a constant or a symbol as {_DIVISORS[operator]}")
            left = Expression(left.has_dimension or right.has_dimension, left.offset)
        return left

    def _operand(self) -> Expression:
        index = self.index
        kind, spelling, offset = self.tokens.kinds[index], self.tokens.spellings[index], self.tokens.starts[index]
        self.index += 1
        if kind == "-":
            return Expression(self._operand().has_dimension, offset)
        if kind == "(":
            inner = self.expression()
            self.index += 1
            return Expression(inner.has_dimension, offset)
        if kind == scanner.NUMBER:
            return Expression(has_dimension=False, offset=offset)
        if spelling == "symbol" and self.tokens.kinds[self.index] == "(":
            self.index = self.tokens.partners[self.index] + 1
            return Expression(has_dimension=False, offset=offset)
        if kind == scanner.VALUE:
            return Expression(has_dimension=True, offset=offset)
        if spelling not in self.names:
            known = ", ".join(f"`{name}`" for name in self.names)
            raise AffineProblem(offset, f"a dimension or symbol: {known}" if known else "a constant")
        return Expression(self.names[spelling], offset)
