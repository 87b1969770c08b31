"""Blanks between two tokens of a line, where MLIR's printer has one style.

MLIR's printers leave two blanks where an optional part between two others is missing, and a few write no blank around
a symbol that others surround by blanks. So a rule says how many blanks are right at least and at most; what lies in
between stays as it is written.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax import scanner

if TYPE_CHECKING:
    from tdls.syntax.scanner import Tokens


class Bracket(Enum):
    """What two tokens stand directly in."""

    REGION = "region"
    """A region, the file, or whatever of an operation is in no bracket."""
    DICTIONARY = "dictionary"
    """Braces with ``name = value`` first."""
    BRACES = "braces"
    """Any other braces."""
    LIST = "list"
    """Parentheses or square brackets."""


class Blanks(NamedTuple):
    """How many blanks are right; a number outside becomes 1 where that is allowed, otherwise the nearest."""

    least: int
    most: int

    def applied(self, written: int) -> int:
        """Return the right number of blanks for `written` ones."""
        if self.least <= written <= self.most:
            return written
        return 1 if self.least <= 1 <= self.most else self.least


_ANY = Blanks(0, 2)
_NONE = Blanks(0, 0)
_ONE = Blanks(1, 1)
_SOME = Blanks(1, 2)
_AT_MOST_ONE = Blanks(0, 1)
_ENDS_OF_PARTS = frozenset(
    {")", "]", "}", ">", scanner.VALUE, scanner.TYPE, scanner.SYMBOL, scanner.STRING, scanner.ATTRIBUTE}
)
"""Tokens that end an operand, a list, a type or an attribute."""
_OPERATORS = frozenset("<>=:+*|/?")
_NAMES = frozenset({scanner.VALUE, scanner.TYPE, scanner.ATTRIBUTE})
_WORDS = frozenset({scanner.IDENTIFIER, scanner.VALUE, scanner.SYMBOL, scanner.NUMBER, scanner.STRING})


class TokenGap(NamedTuple):
    """What stands around two neighbouring tokens.

    An opening bracket and what follows stand in that bracket, as do what precedes the closing one and itself.
    """

    bracket: Bracket
    is_known: bool
    """False inside of an operation whose own syntax nobody told tdls."""
    opens_region: bool
    """True if the second token opens a region."""
    closes_region: bool
    """True if the first token closes a region."""
    ends_label: bool
    """True if one of both is the colon of a block label."""
    ends_results: bool
    """True if one of both is the ``=`` behind an operation's results."""


def blanks_between(tokens: Tokens, index: int, gap: TokenGap) -> Blanks:
    """Return how many blanks belong between token `index` and the next one."""
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    if right == ",":
        return _NONE
    if left == ",":
        return _ONE
    if not gap.is_known and gap.bracket is not Bracket.DICTIONARY:
        return _in_unknown_form(right, gap)
    if left in "([" or right in (")", "]"):
        return _NONE
    if "=" in (left, right):
        return _ANY if _is_operator(tokens, index) else _around_equals(tokens, index, gap.bracket)
    if "{" in (left, right) or "}" in (left, right):
        return _around_braces(left, right, gap)
    if left == "->":
        return _ONE
    if right == "->":
        return _SOME
    if ":" in (left, right) and not gap.ends_label:
        return _around_colon(tokens, index, gap.bracket)
    return _ANY


def _in_unknown_form(right: str, gap: TokenGap) -> Blanks:
    if gap.ends_results:
        return _ONE
    return _SOME if gap.opens_region or (gap.closes_region and right in _WORDS) else _ANY


def _is_operator(tokens: Tokens, index: int) -> bool:
    """Tell whether ``<=``, ``=>`` and the like, which are no tokens of MLIR's lexer, are written at token `index`."""
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    pair = (index, index + 1)
    touching = tokens.ends[index] == tokens.starts[index + 1]
    return touching and {left, right} <= _OPERATORS and not any(token in tokens.partners for token in pair)


def _around_braces(left: str, right: str, gap: TokenGap) -> Blanks:
    if gap.bracket is Bracket.DICTIONARY and (left == "{" or right == "}"):
        return _NONE
    if left == "{" or right == "}":
        return _ANY
    if right == "{":
        return _SOME if gap.opens_region or left in _ENDS_OF_PARTS else _ANY
    return _SOME if right in _WORDS or right in (":", "->") else _ANY


def _around_equals(tokens: Tokens, index: int, bracket: Bracket) -> Blanks:
    left = tokens.kinds[index]
    before = tokens.kinds[index - 1] if left == "=" and index else left
    if bracket is not Bracket.REGION:
        return _ONE
    if before in _NAMES or before == scanner.NUMBER:
        return _ONE
    return _ANY if left == "=" else _AT_MOST_ONE


def _around_colon(tokens: Tokens, index: int, bracket: Bracket) -> Blanks:
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    if right == ":":
        if bracket is Bracket.DICTIONARY and left != scanner.IDENTIFIER:
            return _ONE
        is_result_count = left == scanner.VALUE and tokens.kinds[index + 2] == scanner.NUMBER
        is_sure = left in _ENDS_OF_PARTS or left == scanner.NUMBER
        return _SOME if bracket is Bracket.REGION and is_sure and not is_result_count else _ANY
    if right == scanner.NUMBER:
        return _ANY
    return _SOME if bracket is Bracket.REGION else _ONE
