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
_NAMES = frozenset({scanner.VALUE, scanner.TYPE, scanner.ATTRIBUTE})
_WORDS = frozenset({scanner.IDENTIFIER, scanner.VALUE, scanner.SYMBOL, scanner.NUMBER, scanner.STRING})


def blanks_between(tokens: Tokens, index: int, bracket: Bracket, *, opens_region: bool, at_label_colon: bool) -> Blanks:
    """Return how many blanks belong between token `index` and the next one, which both stand in `bracket`.

    An opening bracket and what follows stand in that bracket, as do what precedes the closing one and itself.
    `opens_region` tells that the next token opens a region, `at_label_colon` that one of both
    ends a block label.
    """
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    if right == "," or left in "([" or right in (")", "]"):
        return _NONE
    if left == ",":
        return _ONE
    if "=" in (left, right):
        return _around_equals(tokens, index, bracket)
    if "{" in (left, right) or "}" in (left, right):
        return _around_braces(left, right, bracket, opens_region=opens_region)
    if left == "->":
        return _ONE
    if right == "->":
        return _SOME
    if ":" in (left, right) and not at_label_colon:
        return _around_colon(tokens, index, bracket)
    return _ANY


def _around_braces(left: str, right: str, bracket: Bracket, *, opens_region: bool) -> Blanks:
    if bracket is Bracket.DICTIONARY and (left == "{" or right == "}"):
        return _NONE
    if left == "{" or right == "}":
        return _ANY
    if right == "{":
        return _SOME if opens_region or left in _ENDS_OF_PARTS else _ANY
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
