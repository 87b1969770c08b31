"""What may stand at a place in a text, as the parser sees it.

The text is read up to the word at the cursor by the same code that parses files; what that code asks for where the text
ends is the answer. What stands behind the cursor has no say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.expected.model import Expected, Word
from tdls.syntax.expected.parser import CursorParser
from tdls.syntax.layout import comments
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue

_WORDS = (scanner.VALUE, scanner.IDENTIFIER, scanner.SYMBOL, scanner.TYPE, scanner.ATTRIBUTE, scanner.BLOCK, "-")
_LONE_SIGILS = ("%", "@", "!", "#", "^")
_REST_OF_STRING = re.compile(r'[\w$.\-]*"?')
_REST_OF_NAME = re.compile(r"[\w$.\-]*(?:#\d+)?", re.ASCII)
_REST_OF_IDENTIFIER = re.compile(r"[\w$.]*", re.ASCII)


def word_at(text: str, offset: int) -> Word | None:
    """Return the word that the cursor at `offset` is in or right behind; None inside a comment."""
    line_start = text.rfind("\n", 0, offset) + 1
    line = text[line_start:offset]
    tokens = scanner.scan(line)
    start = _open_string(tokens)
    in_string = start >= 0
    if not in_string:
        if _ends_in_comment(line):
            return None
        start = _word_start(tokens)
    if start < 0:
        return Word("", Span(offset, offset))
    prefix = line[start:]
    return Word(prefix, Span(line_start + start, _word_end(text, offset, prefix, in_string=in_string)), in_string)


def _open_string(tokens: scanner.Tokens) -> int:
    """Return the offset of a quote that nothing closes, with the ``@`` before it, or -1."""
    for index in range(tokens.count):
        start = tokens.starts[index]
        if tokens.kinds[index] == scanner.BAD and tokens.text[start] == '"':
            return start - 1 if tokens.text[:start].endswith("@") else start
    return -1


def _ends_in_comment(line: str) -> bool:
    return any(comment.span.end == len(line.rstrip("\r")) for comment in comments(line))


def _word_start(tokens: scanner.Tokens) -> int:
    """Return the offset of the token that ends at the end of the text and can be written on, or -1."""
    last = tokens.count - 1
    if last < 0 or tokens.ends[last] != len(tokens.text):
        return -1
    kind, spelled = tokens.kinds[last], tokens.text[tokens.starts[last] :]
    lone = kind == scanner.BAD and spelled in _LONE_SIGILS
    if kind == "::" and tokens.kinds[last - 1] == scanner.SYMBOL:
        return _symbol_start(tokens, last + 1)
    if not (kind in _WORDS or lone) or spelled.endswith('"'):
        return -1
    if kind == scanner.SYMBOL or spelled == "@":
        return _symbol_start(tokens, last)
    before = last - 1
    if spelled == "#" and tokens.kinds[before] == scanner.VALUE and tokens.ends[before] == tokens.starts[last]:
        return tokens.starts[before]
    return tokens.starts[last]


def _symbol_start(tokens: scanner.Tokens, last: int) -> int:
    """Return where the reference ``@a::@b`` begins whose last name is, or would be, token `last`."""
    first = last
    while first >= 2 and tokens.kinds[first - 1] == "::" and tokens.kinds[first - 2] == scanner.SYMBOL:
        first -= 2
    return tokens.starts[first]


def _word_end(text: str, offset: int, prefix: str, *, in_string: bool) -> int:
    pattern = _REST_OF_IDENTIFIER
    if in_string:
        pattern = _REST_OF_STRING
    elif prefix[0] in _LONE_SIGILS:
        pattern = _REST_OF_NAME
    rest = pattern.match(text, offset)
    return rest.end() if rest is not None else offset


def expected_at(
    text: str,
    offset: int,
    catalogue: Catalogue,
    *,
    start: int = 0,
    default_dialect: str = "builtin",
    nested: bool = False,
) -> Expected:
    """Return what may stand at `offset`, in code points, of `text`. Never raises.

    Only what stands from `start` on is read: it should be the beginning of the operation or block that the cursor is in
    or right behind, as it may stand in a file or, if `nested`, in a region. `default_dialect` is that of the enclosing
    operation.
    """
    word = word_at(text, offset)
    if word is None:
        return Expected(Word("", Span(offset, offset)), ())
    line_start = text.rfind("\n", 0, start) + 1
    before = " " * (start - line_start) + text[start : word.span.start]
    parser = CursorParser(scanner.scan(before), catalogue, default_dialect, nested=nested)
    parser.shift = line_start
    parser.read_to_cursor()
    line = before[before.rfind("\n") + 1 :]
    return Expected(word, tuple(parser.found), parser.operation, not line.strip())
