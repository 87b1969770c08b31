"""Expressions over integers and booleans, each a constant or a function of choices, as the `smt` dialect has them.

What SMT-LIB leaves open, such as a division by zero, has no value.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

AND, OR, EQUAL, DISTINCT, IMPLIES = "smt.and", "smt.or", "smt.eq", "smt.distinct", "smt.implies"
_LONGEST_TEXT, _MOST_BITS = 60, 4096


def _product(first: int, second: int) -> int:
    if first.bit_length() + second.bit_length() > _MOST_BITS:
        raise OverflowError
    return first * second


FUNCTIONS: Final[dict[str, tuple[Callable[..., int], str]]] = {
    "smt.int.add": (operator.add, "+"),
    "smt.int.sub": (operator.sub, "-"),
    "smt.int.mul": (_product, "*"),
    "smt.int.div": (lambda first, second: (first - first % abs(second)) // second, "div"),
    "smt.int.mod": (lambda first, second: first % abs(second), "mod"),
    "smt.int.abs": (abs, "abs"),
    "smt.not": (operator.not_, "not"),
    AND: (operator.and_, "and"),
    OR: (operator.or_, "or"),
    "smt.xor": (operator.ne, "xor"),
    IMPLIES: (operator.le, "implies"),
    "smt.ite": (lambda condition, first, second: first if condition else second, "ite"),
    EQUAL: (operator.eq, "="),
    DISTINCT: (operator.ne, "!="),
    "lt": (operator.lt, "<"),
    "le": (operator.le, "<="),
    "gt": (operator.gt, ">"),
    "ge": (operator.ge, ">="),
}
"""Functions and their symbols, by operation, and by predicate of ``smt.int.cmp``."""
FOLDED = frozenset({"smt.int.add", "smt.int.mul", AND, OR, "smt.xor"})
"""Those that are applied to any number of operands, one after the other."""
_RANKS = {**dict.fromkeys(("+", "-", "*", "div", "mod"), 1), **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), 2)}


class Term(NamedTuple):
    """A function of other terms, by number, or one of the values of `domain`; a constant has one value."""

    function: Callable[..., int] | None
    inputs: tuple[int, ...]
    domain: tuple[int, ...]
    text: str = ""
    """The expression of a constant, with the values that it comes from."""
    rank: int = 0
    """How loosely the text binds; 0 if it needs no parentheses."""


class Terms(list[Term]):
    """Terms, each behind those that it depends on; their numbers are their indices."""

    def add(self, domain: Sequence[int]) -> int:
        """Add a term with one of these values, and return its number."""
        self.append(Term(None, (), tuple(domain), str(domain[0]).lower() if len(domain) == 1 else ""))
        return len(self) - 1

    def apply(self, name: str, *inputs: int | None) -> int | None:
        """Add the function called `name` of terms, and return its number, or None if its value is not known."""
        numbers = tuple(each for each in inputs if each is not None)
        (function, symbol), terms = FUNCTIONS[name], [self[each] for each in numbers]
        if len(numbers) < len(inputs):
            return None
        if any(len(term.domain) != 1 for term in terms):
            self.append(Term(function, numbers, ()))
            return len(self) - 1
        try:
            value = function(*(term.domain[0] for term in terms))
        except (ArithmeticError, TypeError):
            return None
        rank = _RANKS.get(symbol, 3) if len(terms) == 2 else 0
        parts = [f"({term.text})" if term.rank >= rank > 0 else term.text for term in terms]
        text = f" {symbol} ".join(parts) if rank else f"{symbol}({', '.join(parts)})"
        self.append(Term(None, (), (value,), *((text, rank) if len(text) <= _LONGEST_TEXT else (str(value).lower(),))))
        return len(self) - 1
