"""Checks types, attributes, locations and other details against `grammar/mlir.lark`.

The parser of whole files finds only the begin and end of such a detail; this module parses its inside. Most details
recur, so results are cached by text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.grammars import parser
from tdls.structs import Struct
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from lark import Token, Tree


_LONGEST = 1_000
_REST = re.compile(r'"(?:[^\\]|\\(?:["\\nt]|[0-9a-fA-F]{2})){0,19}')
"""The part of a cut string that is kept, opening quote included; escapes stay whole."""
_STRING = re.compile(r'"[^"\\\n\v\f]*(?:\\(?:["\\nt]|[0-9a-fA-F]{2})[^"\\\n\v\f]*)*"')


class Shortened(Struct, frozen=True):
    """A text without the middle of its long strings.

    `cuts` has, in order, an offset in the short text and the number of code points removed there.
    """

    text: str
    cuts: tuple[tuple[int, int], ...] = ()

    def original_offset(self, offset: int) -> int:
        """Map `offset` of the short text to the original text."""
        return offset + sum(removed for place, removed in self.cuts if place <= offset)


def shorten(text: str) -> Shortened:
    """Cut the middle of very long well-formed strings, and everything behind a malformed string.

    Nothing is cut behind a comment, as quotes in comments are not distinguished from others.
    """
    if len(text) <= _LONGEST:
        return Shortened(text)
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = []
    copied = position = length = 0
    while (quote := text.find('"', position)) >= 0 and text.find("//", position, quote) < 0:
        closer = _closing_quote(text, quote)
        if not _is_sound(text, quote, closer):
            return Shortened("".join((*pieces, text[copied : quote + 1])), tuple(cuts))
        if closer - quote > _LONGEST:
            rest = _REST.match(text, quote)
            end = rest.end() if rest is not None else closer
            pieces.append(text[copied:end])
            length += end - copied
            cuts.append((length, closer - end))
            copied = closer
        position = closer + 1
    return Shortened("".join((*pieces, text[copied:])), tuple(cuts))


def _closing_quote(text: str, quote: int) -> int:
    """Return the offset of the quote that closes the string at `quote`, or -1."""
    closer = text.find('"', quote + 1)
    while closer >= 0 and _is_escaped(text, closer):
        closer = text.find('"', closer + 1)
    return closer


def _is_escaped(text: str, offset: int) -> bool:
    first = offset
    while text[first - 1] == "\\":
        first -= 1
    return (offset - first) % 2 == 1


def _is_sound(text: str, quote: int, closer: int) -> bool:
    if closer < 0 or any(text.find(character, quote, closer) >= 0 for character in "\n\v\f"):
        return False
    if text.find("\\", quote, closer) < 0:
        return True
    match = _STRING.fullmatch(text[quote : closer + 1])
    return match is not None


_LONGEST_KEPT = 2_000
"""Maximum length, in code points, of a cached text; longer ones hardly recur."""
_STRING_START = re.compile(r'"[^"\\\n\v\f]*(?:\\(?:["\\nt]|[0-9a-fA-F]{2})[^"\\\n\v\f]*)*')


class Problem(Struct, frozen=True):
    """The first syntax error of a detail.

    `offset` counts code points from the start of the text; it is the text's length if more is expected.
    `expectations` are sorted. `is_certain` means that MLIR's lexer, which all dialects share, rejects the text.
    """

    offset: int
    expectations: tuple[str, ...]
    is_certain: bool = False

    @property
    def expected(self) -> str:
        """The phrase that completes "expected ..." at `offset`."""
        return enumerated(self.expectations, "or")

    @property
    def message(self) -> str:
        """The error message for users."""
        return f"expected {self.expected}"


class Detail(Struct, frozen=True):
    """The result of parsing `text` as the grammar rule `start`: a tree or a problem."""

    start: str
    text: str
    problem: Problem | None = None

    @property
    def tree(self) -> Tree[Token] | None:
        """The tree of the grammar's rules, or None if there is a problem.

        Very long strings are shortened in the tree, which shifts the offsets of tokens behind them.
        """
        return _tree(self.start, self.text) if self.problem is None else None


def parse_detail(start: str, text: str) -> Detail:
    """Parse `text` as the rule `start`, one of the start symbols of ``mlir.lark`` listed in `grammars`.

    Never raises for any text; takes time linear in its length.
    """
    return _parse_kept(start, text) if len(text) <= _LONGEST_KEPT else _parse(start, text)


# Parsing

_SCALAR = r"(?:[su]?i[1-9][0-9]?[0-9]?|index|b?f16|f32|f64)"
_PLAIN_STRING = r'"[^"\\\n\v\f]*"'
_OBVIOUS_TYPE = re.compile(
    rf"""
    ![A-Za-z_]\w*(?:\.\w+)+(?:<(?:{_SCALAR}|{_PLAIN_STRING})>)?
    | tensor<(?:(?:[0-9]+|\?)x)*{_SCALAR}>
    | {_SCALAR}
    """,
    re.ASCII | re.VERBOSE,
)
_OBVIOUS_ATTRIBUTE = re.compile(
    rf"""
    {_PLAIN_STRING}
    | \[{_PLAIN_STRING}(?:,[ ]{_PLAIN_STRING})*\]
    | -?[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?(?:[ ]:[ ](?:b?f16|f32|f64))?)?
    | -?[0-9]{{1,9}}[ ]:[ ](?:i32|i64|index)
    | dense<-?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?>[ ]:[ ]tensor<(?:[0-9]{{1,18}}x)*(?:b?f16|f32|f64)>
    | dense<-?[0-9]{{1,9}}>[ ]:[ ]tensor<(?:[0-9]{{1,18}}x)*(?:i32|i64|index)>
    | dense_resource<[A-Za-z_]\w*>[ ]:[ ]tensor<(?:[0-9]{{1,18}}x)*{_SCALAR}>
    | true | false | unit
    """,
    re.ASCII | re.VERBOSE,
)


def _is_obvious(start: str, text: str) -> bool:
    """Recognize most details of a small script as well-formed without loading the grammar."""
    if len(text) > _LONGEST_KEPT:
        return False
    if start == "type":
        return _OBVIOUS_TYPE.fullmatch(text) is not None
    return start == "attribute" and _OBVIOUS_ATTRIBUTE.fullmatch(text) is not None


def _parse(start: str, text: str) -> Detail:
    if _is_obvious(start, text):
        return Detail(start, text)
    import lark

    short = shorten(text)
    try:
        parser("mlir").parse(short.text, start)
    except lark.UnexpectedInput as error:
        from tdls.syntax.terminals import acceptable, readable

        is_at_end = getattr(getattr(error, "token", None), "type", "") == "$END"
        offset = short.original_offset(len(short.text) if is_at_end else error.pos_in_stream or 0)
        problem = _string_problem(text, offset) or Problem(
            offset, readable(acceptable(error.interactive_parser) or ("$END",), start)
        )
        return Detail(start, text, problem)
    if start != "attribute":
        return Detail(start, text)
    from tdls.syntax.affine import affine_problem
    from tdls.syntax.literals import literal_problem
    from tdls.syntax.sparse import encoding_problem

    wrong = literal_problem(text) or affine_problem(text) or encoding_problem(text)
    if wrong is not None:
        return Detail(start, text, Problem(wrong.offset, (wrong.expected,), is_certain=True))
    return Detail(start, text)


@lru_cache(maxsize=256)
def _tree(start: str, text: str) -> Tree[Token]:
    return parser("mlir").parse(shorten(text).text, start)


_parse_kept = lru_cache(maxsize=8192)(_parse)


def _string_problem(text: str, offset: int) -> Problem | None:
    """Return the error inside the string that begins at `offset`; None if there is no string or it is well-formed."""
    match = _STRING_START.match(text, offset + text.startswith("@", offset))
    if match is None or text.startswith('"', match.end()):
        return None
    if text.startswith("\\", match.end()):
        escapes = r"one of `\n`, `\t`, `\"`, `\\` and `\` with two hexadecimal digits"
        return Problem(match.end(), (escapes,), is_certain=True)
    return Problem(match.end(), ('`"` at the end of the string',))


# Canonical spelling


# References
