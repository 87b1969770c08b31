"""Computes the expectations at a cursor, for completion.

The code that parses files parses the text up to the word at the cursor; the tokens that it queries at the end of that
text are the result. The text behind the cursor is ignored.
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
    """Return the word that contains the cursor at `offset` or ends there, or None inside a comment."""
    line_start = text.rfind("\n", 0, offset) + 1
    line = text[line_start:offset]
    tokens = scanner.scan(line)
    start = _open_string(tokens)
    in_string = start >= 0
    if not in_string:
        if any(comment.span.end == len(line.rstrip("\r")) for comment in comments(line)):
            return None
        start = _word_start(tokens)
    if start < 0:
        return Word("", Span(offset, offset))
    prefix = line[start:]
    pattern = _REST_OF_IDENTIFIER
    if in_string:
        pattern = _REST_OF_STRING
    elif prefix[0] in _LONE_SIGILS:
        pattern = _REST_OF_NAME
    rest = pattern.match(text, offset)
    return Word(prefix, Span(line_start + start, rest.end() if rest is not None else offset), in_string)


def _open_string(tokens: scanner.Tokens) -> int:
    """Return the offset of an unclosed quote, or of the ``@`` before it, or -1."""
    for index in range(tokens.count):
        start = tokens.starts[index]
        if tokens.kinds[index] == scanner.BAD and tokens.text[start] == '"':
            return start - 1 if tokens.text[:start].endswith("@") else start
    return -1


def _word_start(tokens: scanner.Tokens) -> int:
    """Return the offset of the token that ends at the end of the text and can be continued, or -1."""
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
    """Return the offset of the reference ``@a::@b`` whose last name is, or would be, token `last`."""
    first = last
    while first >= 2 and tokens.kinds[first - 1] == "::" and tokens.kinds[first - 2] == scanner.SYMBOL:
        first -= 2
    return tokens.starts[first]


def expected_at(
    text: str,
    offset: int,
    catalogue: Catalogue,
    *,
    start: int = 0,
    default_dialect: str = "builtin",
    nested: bool = False,
) -> Expected:
    """Return the expectations at `offset`, in code points, of `text`. Never raises.

    Parsing begins at `start`, which should be the start of the operation or block that contains the cursor or ends
    there; it is parsed as part of a file or, if `nested`, of a region. `default_dialect` is that of the enclosing
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
