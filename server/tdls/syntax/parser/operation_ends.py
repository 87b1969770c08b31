"""Decides at which token an operation ends and the next begins; layout helps, as MLIR has no separator."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.parser.cursor import Mismatch
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser

UNFINISHED = frozenset({",", "(", "[", "<", "=", ":", "->", "=>", "::", "|", "+", "-", "*", "/", "?"})
"""Tokens after which an operation cannot be complete."""


_LAST_TOKENS = frozenset(
    {"}", ")", "]", ">", scanner.VALUE, scanner.TYPE, scanner.STRING, scanner.SYMBOL, scanner.BLOCK, scanner.NUMBER}
)
"""Tokens that can end an operation."""
_FIRST_TOKENS = frozenset(
    {scanner.IDENTIFIER, scanner.VALUE, scanner.STRING, scanner.TYPE, scanner.ATTRIBUTE, "=", "{-#"}
)
"""Tokens that can begin an operation, even a damaged one."""


def starts_operation(parser: AsmParser, index: int) -> bool:
    """Whether token `index` inside an operation begins the next one."""
    kind, before = parser.kinds[index], parser.kinds[index - 1]
    if before in UNFINISHED:
        if before not in (":", "->") or not parser.tokens.first_on_line(index):
            return False
        behind = _behind_results(parser, index)  # of ``%a, %b = dialect.operation``, which cannot continue types
        return (behind > index and _is_operation_name(parser, behind)) or _names_known_operation(parser, index)
    if kind not in _FIRST_TOKENS:
        return False
    first = parser.tokens.first_on_line(index)
    if kind == scanner.VALUE:
        if first and _names_operation(parser, index + 1):
            return True
        return starts_results(parser, index) and (first or completes_operation(parser, index - 1))
    if kind == "=":
        return first and _names_operation(parser, index + 1)
    if kind == scanner.STRING:
        return first and parser.kinds[index + 1] == "("
    if kind in (scanner.TYPE, scanner.ATTRIBUTE):
        return first and parser.kinds[index + 1] == "=" and parser.at_member_level
    if kind == scanner.IDENTIFIER:
        return _starts_custom_operation(parser, index, first=first)
    return kind == "{-#"


def _is_operation_name(parser: AsmParser, index: int) -> bool:
    kind = parser.kinds[index]
    if kind == scanner.STRING:
        return parser.kinds[index + 1] == "("
    return kind == scanner.IDENTIFIER and "." in parser.spelling(index)


def _names_operation(parser: AsmParser, index: int) -> bool:
    """Whether token `index` names a known operation, on the line of the token before it.

    Behind a value or ``=`` that begins a line this is an operation with malformed results, not a continuation.
    """
    return not parser.tokens.first_on_line(index) and _names_known_operation(parser, index)


def _starts_custom_operation(parser: AsmParser, index: int, *, first: bool) -> bool:
    name = parser.spelling(index)
    if parser.kinds[index + 1] == "=":
        return False
    if "." in name:
        return first or (completes_operation(parser, index - 1) and bool(parser.known.variants(name)))
    if first:
        return is_bare_operation_name(parser, index) or misspells_terminator(parser, index)
    if not completes_operation(parser, index - 1):
        return False
    definitions = parser.known.variants(f"{parser.scopes[-1].dialect}.{name}")
    return any("IsTerminator" in definition.traits for definition in definitions)


def misspells_terminator(parser: AsmParser, index: int) -> bool:
    """Whether the identifier at token `index` is one letter away from a terminator of the default dialect."""
    dialect = parser.scopes[-1].dialect
    if not dialect or not completes_operation(parser, index - 1):
        return False
    meant = (each for each in parser.known.catalogue.operation_names(dialect) if "return" in each or "yield" in each)
    return any(is_typing_error(parser.spelling(index), each.removeprefix(f"{dialect}.")) for each in meant)


def is_bare_operation_name(parser: AsmParser, index: int) -> bool:
    """Whether the identifier at token `index`, which has no dialect, can name an operation here.

    Inside an unknown operation the default dialect is not known, and of an extensible one not every operation is: there
    a name that begins a line in the column of the region's first operation counts as one.
    """
    scope = parser.scopes[-1]
    if parser.known.is_or_was(f"{scope.dialect}.{parser.spelling(index)}"):
        return True
    return parser.tokens.first_on_line(index) and parser.tokens.indent(index) == scope.column


def completes_operation(parser: AsmParser, index: int) -> bool:
    """Whether an operation can end at token `index` and another one follow on the same line."""
    kind = parser.kinds[index]
    return kind in _LAST_TOKENS or (kind == scanner.IDENTIFIER and parser.at_type(index))


def starts_results(parser: AsmParser, index: int) -> bool:
    """Whether token `index` begins ``%a:2, %b =``."""
    return _behind_results(parser, index) > index


def _behind_results(parser: AsmParser, index: int) -> int:
    """Return the token behind ``%a:2, %b =``; `index` itself for any other text.

    No results begin in the middle of others, so that a test at each token takes linear time.
    """
    kinds, start = parser.kinds, index
    while kinds[index] == scanner.VALUE:
        index += 1
        if kinds[index] == ":" and kinds[index + 1] == scanner.NUMBER:
            index += 2
        if kinds[index] == "=":
            return index + 1
        if kinds[index] != ",":
            return start
        index += 1
    return index + 1 if index > start and kinds[index] == "=" else start


def skip_to_operation(parser: AsmParser, index: int) -> int:
    """Return the first token from `index` on that begins an operation or a block, or the current limit.

    Since the text before it is not an operation, the name of a known operation suffices.
    """
    while index < parser.limit:
        if parser.kinds[index] == scanner.BLOCK and parser.tokens.first_on_line(index):
            return index
        if starts_operation(parser, index) or _names_known_operation(parser, index):
            return index
        index += 1
    return parser.limit


def _names_known_operation(parser: AsmParser, index: int) -> bool:
    if parser.kinds[index] != scanner.IDENTIFIER:
        return False
    name = parser.spelling(index)
    return "." in name and bool(parser.known.variants(name))


def next_line_start(parser: AsmParser, index: int) -> int:
    """Return the first token from `index` on that begins a line, or the current limit."""
    starts = parser.tokens.line_starts
    line = bisect_right(starts, index - 1)
    return min(starts[line], parser.limit) if line < len(starts) else parser.limit


def expect_operation_end(parser: AsmParser) -> None:
    """Check that an operation may end before the next token. Raises `Mismatch`."""
    index = parser.index
    if index >= parser.limit:
        return
    kind = parser.kinds[index]
    if kind in (scanner.STRING, scanner.BLOCK, "{-#"):
        return
    if kind == scanner.VALUE and starts_results(parser, index):
        return
    if kind in (scanner.TYPE, scanner.ATTRIBUTE) and parser.kinds[index + 1] == "=":
        return
    if kind == scanner.IDENTIFIER:
        name = parser.spelling(index)
        if "." in name or is_bare_operation_name(parser, index):
            return
        if name == "loc" and parser.kinds[index + 1] == "(":
            return
    raise Mismatch(index, "attributes in front of the types" if kind == "{" else "the end of the operation")
