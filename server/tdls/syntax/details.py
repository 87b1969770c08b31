"""Checks types, attributes, locations and other details against `grammar/mlir.lark`, and computes canonical types.

The parser of whole files finds only the begin and end of such a detail; this module parses its inside. Most details
recur, so results are cached by text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.grammars import parser
from tdls.structs import Struct
from tdls.syntax import scanner
from tdls.syntax.literals import literal_problem
from tdls.syntax.terminals import acceptable, readable
from tdls.text.span import Span
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree, UnexpectedInput

    from tdls.syntax.scanner import Tokens

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
    """Return the offset of the quote that closes the string at `quote`; -1 if there is none."""
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
_LONGEST_COMPARED = 1_000_000
"""Maximum length, in code points, of a type to canonicalize; longer ones are compared as written."""
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
        """The tree of the grammar's rules; None if there is a problem.

        Very long strings are shortened in the tree, which shifts the offsets of tokens behind them.
        """
        return _tree(self.start, self.text) if self.problem is None else None


class Reference(Struct, frozen=True):
    """A mention of a name: ``!alias``, ``#alias``, or the ``@names`` of a nested symbol reference.

    `path` has several parts only for nested references; sigils and quotes are left out.
    """

    span: Span
    path: tuple[str, ...]


def parse_detail(start: str, text: str) -> Detail:
    """Parse `text` as the rule `start`, one of the start symbols of ``mlir.lark`` listed in `grammars`.

    Never raises for any text; takes time linear in its length.
    """
    return _parse_kept(start, text) if len(text) <= _LONGEST_KEPT else _parse(start, text)


def canonical_type(text: str) -> str:
    """Return a spelling of the type `text` that does not depend on blanks, comments and optional parentheses.

    Equal texts mean equal types, unless blanks or comments are significant to an unknown dialect. Aliases are not
    expanded, and alternative spellings of attributes or dialects are not unified. Never raises: a malformed type is
    treated alike.
    """
    if len(text) > _LONGEST_COMPARED:
        return text
    return _canonical_kept(text) if len(text) <= _LONGEST_KEPT else _canonical(text)


def type_aliases_in(text: str) -> tuple[Reference, ...]:
    """Return the uses of type aliases (``!name``) in a type or attribute, strings and comments excluded."""
    return tuple(_aliases(scanner.scan(text), scanner.TYPE)) if "!" in text else ()


def attribute_aliases_in(text: str) -> tuple[Reference, ...]:
    """Return the uses of attribute aliases (``#name``) in a type or attribute, strings and comments excluded."""
    return tuple(_aliases(scanner.scan(text), scanner.ATTRIBUTE)) if "#" in text else ()


def symbol_references_in(text: str) -> tuple[Reference, ...]:
    """Return the symbol references (``@name::@name``) in a type or attribute, strings and comments excluded."""
    return tuple(_symbol_references(scanner.scan(text))) if "@" in text else ()


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
    | -?[0-9]+(?:\.[0-9]+(?:[ ]:[ ](?:b?f16|f32|f64))?)?
    | -?[0-9]{{1,9}}[ ]:[ ](?:i32|i64|index)
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
        offset = short.original_offset(_offset(error, short.text))
        problem = _string_problem(text, offset) or Problem(
            offset, readable(acceptable(error.interactive_parser) or ("$END",), start)
        )
        return Detail(start, text, problem)
    wrong = literal_problem(text) if start == "attribute" else None
    if wrong is not None:
        return Detail(start, text, Problem(wrong.offset, (wrong.expected,), is_certain=True))
    return Detail(start, text)


@lru_cache(maxsize=256)
def _tree(start: str, text: str) -> Tree[Token]:
    return parser("mlir").parse(shorten(text).text, start)


_parse_kept = lru_cache(maxsize=8192)(_parse)


def _offset(error: UnexpectedInput, text: str) -> int:
    if getattr(error, "token", None) is not None and error.token.type == "$END":  # type: ignore[attr-defined]
        return len(text)
    return error.pos_in_stream or 0


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

_SIGILS = (scanner.TYPE, scanner.ATTRIBUTE, scanner.VALUE, scanner.BLOCK)
_WORDS = (scanner.IDENTIFIER, scanner.NUMBER, scanner.SYMBOL, *_SIGILS)
_BEFORE_X = (scanner.NUMBER, "?", "*", "]")
_WITHOUT_OFFSET = re.compile(r"(strided<\[[^\[\]<>]*\]), offset:0>")
_X = re.compile(r"x[\dx]*\Z", re.ASCII)


def _canonical(text: str) -> str:
    tokens = scanner.scan(text)
    dropped = _optional_parentheses(tokens)
    prefixes = _prefixes(tokens) if text.count("!") > 1 else {}
    pieces: list[str] = []
    previous, in_shape = -1, False
    for index in range(tokens.count):
        if index in dropped:
            continue
        spelling = text[tokens.starts[index] : tokens.ends[index]].removeprefix(prefixes.get(index, ""))
        joins_shape = in_shape or (previous >= 0 and tokens.kinds[previous] in _BEFORE_X and spelling[0] == "x")
        if previous >= 0 and not joins_shape:
            pieces.append(_gap(tokens, previous, index))
        pieces.append(spelling)
        in_shape = joins_shape and _X.match(spelling) is not None
        previous = index
    return _WITHOUT_OFFSET.sub(r"\1>", "".join(pieces))


def _prefixes(tokens: Tokens) -> dict[int, str]:
    """Map tokens in bodies of dialect types to a repeated prefix of the dialect, which is optional there."""
    found: dict[int, str] = {}
    ends: list[tuple[int, str]] = []
    for index, kind in enumerate(tokens.kinds):
        while ends and ends[-1][0] <= index:
            ends.pop()
        if kind != scanner.TYPE:
            continue
        dialect, dot, _ = tokens.text[tokens.starts[index] : tokens.ends[index]].partition(".")
        prefix = dialect + dot if dot else ""
        if ends and prefix and ends[-1][1] == prefix:
            found[index] = prefix
        closer = tokens.partners.get(index + 1, -1)
        if prefix and closer > index and tokens.kinds[index + 1] == "<":
            ends.append((closer, prefix))
    return found


_canonical_kept = lru_cache(maxsize=8192)(_canonical)


def _gap(tokens: Tokens, previous: int, index: int) -> str:
    before, kind = tokens.kinds[previous], tokens.kinds[index]
    if "->" in (before, kind) or before == ",":
        return " "
    if (before in _SIGILS and kind == "-") or (before == "-" and kind == ">"):
        return " "
    apart = tokens.ends[previous] < tokens.starts[index]
    return " " if apart and before in _WORDS and kind in _WORDS else ""


def _optional_parentheses(tokens: Tokens) -> set[int]:
    """Return the indices of parentheses around a single result of a function type, which are optional."""
    found: set[int] = set()
    verbatim_up_to = -1
    for index, kind in enumerate(tokens.kinds):
        if kind == scanner.IDENTIFIER and tokens.text.startswith("affine_", tokens.starts[index]):
            verbatim_up_to = max(verbatim_up_to, tokens.partners.get(index + 1, -1))
        if kind != "->" or tokens.kinds[index + 1] != "(" or index < verbatim_up_to:
            continue
        closer = tokens.partners.get(index + 1, -1)
        if _is_one_type(tokens, index + 2, closer):
            found.update((index + 1, closer))
    return found


def _is_one_type(tokens: Tokens, start: int, end: int) -> bool:
    """Tell whether the tokens from `start` up to `end` (exclusive) are a single type other than a function type."""
    index = start
    while index < end:
        if tokens.kinds[index] in (",", "->"):
            return False
        index = max(tokens.partners.get(index, index), index) + 1
    return start < end


# References


def _aliases(tokens: Tokens, kind: str) -> Iterator[Reference]:
    for index, token_kind in enumerate(tokens.kinds):
        if token_kind != kind:
            continue
        span = Span(tokens.starts[index], tokens.ends[index])
        name = tokens.text[span.start + 1 : span.end]
        has_body = tokens.kinds[index + 1] == "<" and tokens.starts[index + 1] == span.end
        if "." not in name and not has_body:
            yield Reference(span, (name,))


def _symbol_references(tokens: Tokens) -> Iterator[Reference]:
    kinds = tokens.kinds
    index = 0
    while index < len(kinds):
        if kinds[index] != scanner.SYMBOL:
            index += 1
            continue
        last = index
        while kinds[last + 1] == "::" and kinds[last + 2] == scanner.SYMBOL:
            last += 2
        path = tuple(
            tokens.text[tokens.starts[part] + 1 : tokens.ends[part]].strip('"') for part in range(index, last + 1, 2)
        )
        yield Reference(Span(tokens.starts[index], tokens.ends[last]), path)
        index = last + 1
