"""What the braces that begin at the next token hold, in a form that is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.lexing import scanner
from tdls.syntax.parser.dictionary import looks_like_dictionary, looks_like_unit
from tdls.syntax.parser.structural import boundaries

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.draft import Draft

_BEGIN_REGIONS = frozenset(
    {scanner.IDENTIFIER, scanner.VALUE, scanner.BLOCK, scanner.TYPE, scanner.ATTRIBUTE, "}", "{-#", scanner.END}
)
"""Tokens besides strings that the text between braces begins with if it is a region."""


def hold_own(parser: AsmParser, draft: Draft) -> bool:
    """Tell whether they hold something of the form's own, neither the entries of a dictionary nor operations."""
    return _hold_values(parser) or not (looks_like_dictionary(parser, parser.index) or _hold_operations(parser, draft))


def _hold_values(parser: AsmParser) -> bool:
    """``{%a : type}``, ``{name = %a}``, ``{name: %a}`` are neither a region nor a dictionary."""
    index = parser.index
    if parser.kinds[index + 1] == scanner.IDENTIFIER and parser.kinds[index + 2] == ":":
        return "." not in parser.spelling(index + 1) and not parser.tokens.first_on_line(index + 1)
    if parser.kinds[index + 1] in (scanner.IDENTIFIER, scanner.STRING) and parser.kinds[index + 2] == "=":
        return parser.kinds[index + 3] == scanner.VALUE
    return parser.kinds[index + 1] == scanner.VALUE and not boundaries.starts_operation(parser, index + 1)


def _hold_operations(parser: AsmParser, draft: Draft) -> bool:
    """Tell whether braces that hold no entries can be the region of `draft`."""
    index = parser.index + 1
    if not _may_begin_operations(parser, index):
        return False
    if draft.definition is not None:
        return draft.may_have_regions or parser.kinds[index] == "}"
    kind = parser.kinds[index]
    if kind == scanner.IDENTIFIER and "." not in parser.spelling(index):
        return parser.tokens.first_on_line(index) or boundaries.is_bare_operation_name(parser, index)
    return kind in (scanner.IDENTIFIER, scanner.VALUE, scanner.STRING, scanner.BLOCK, "}")


def _may_begin_operations(parser: AsmParser, index: int) -> bool:
    """Tell whether token `index`, the first one between braces, may begin a region, be it a damaged one.

    On a line of its own anything may be damaged. ``{?}`` and ``{"name": 1}`` are a format's own.
    """
    kind = parser.kinds[index]
    if kind == scanner.STRING:
        return parser.tokens.first_on_line(index) or parser.kinds[index + 1] == "("
    return parser.tokens.first_on_line(index) or kind in _BEGIN_REGIONS


def behind_operation_shorthand(parser: AsmParser, draft: Draft) -> int | None:
    """Return the token behind ``{ arith.addf {...} }``, which names the operation a region consists of (`linalg.map`).

    It spells no region. None where something else stands.
    """
    index = parser.index + 1
    if draft.definition is None or parser.kinds[index] != scanner.IDENTIFIER:
        return None
    if parser.tokens.first_on_line(index):
        return None
    behind = index + 1
    if parser.kinds[behind] == "{":
        behind = parser.tokens.partners.get(behind, -1) + 1
    is_shorthand = parser.kinds[behind] == "}" and looks_like_unit(parser, index)
    return behind + 1 if is_shorthand else None


def hold_dictionary(parser: AsmParser, draft: Draft, *, top_level: bool) -> bool:
    """Tell whether they hold the entries of a dictionary, or hold nothing where only a dictionary makes sense.

    `top_level` says that no other brackets of the operation are open.
    """
    if looks_like_dictionary(parser, parser.index):
        return True
    before = parser.kinds[parser.index - 1]
    if before in ("=", "<"):
        return True
    if before == scanner.IDENTIFIER and parser.spelling(parser.index - 1) == "attributes":
        return True
    return parser.kinds[parser.index + 1] == "}" and (not top_level or not draft.may_have_regions)
