"""Splits text into tokens and pairs brackets.

One compiled alternation matches the tokens of MLIR's lexer (mlir/lib/AsmParser/Lexer.cpp) and the blanks and comments
between them. Unknown characters become tokens of kind ``bad``, so scanning never fails and never stops early.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from itertools import accumulate, compress, count
from operator import add
from typing import TYPE_CHECKING

from tdls.limits import BRACKET_DEPTH
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VALUE = "%"
IDENTIFIER = "id"
NUMBER = "number"
STRING = "string"
SYMBOL = "@"
TYPE = "!"
ATTRIBUTE = "#"
BLOCK = "^"
BAD = "bad"
END = "end"

_SUFFIX = r"(?:\d+|[A-Za-z_$.\-][\w$.\-]*)"
_QUOTED = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_STRING = rf"(?<!\\){_QUOTED}"
"""A quote behind a backslash begins no string (see `layout._OPAQUE`)."""
_PIECE = re.compile(
    rf"""
    (?:
        [,()\[\]<>}}*+?|]
        | \s+
        | %{_SUFFIX}(?:\#\d+)?
        | [A-Za-z_][\w$.]*
        | 0x[0-9a-fA-F]+ | \d+(?:\.\d*(?:[eE][-+]?\d+)?)?
        | {_STRING}
        | @(?:[A-Za-z_][\w$.]*|{_QUOTED})
        | !{_SUFFIX}
        | \#(?!-\}}){_SUFFIX}
        | \^{_SUFFIX}
        | //[^\r\n]*
        | -> | => | :: | \.\.\. | \{{-\# | \#-\}} | [{{=:/-]
        | [^\s\w"%@!\#^.{{}}()\[\]<>=,:?+*/|-]+ | \S
    )
    \s*
    """,
    re.VERBOSE | re.ASCII,
)
"""Matches tokens and comments with the blanks behind them, and leading blanks: the matches cover every character."""
_BLANKS = " \t\n\r\f\v"
_PUNCTUATION = frozenset({"->", "=>", "::", "...", "{-#", "#-}", *"{}()[]<>=,:?+*/|-"})
_NO_TOKEN = ""
"""The kind of blanks and comments."""
_KINDS_BY_SIGN = {
    "/": _NO_TOKEN,
    **dict.fromkeys(string.ascii_letters + "_", IDENTIFIER),
    **dict.fromkeys(string.digits, NUMBER),
    '"': STRING,
    **{sign: sign for sign in (VALUE, SYMBOL, TYPE, ATTRIBUTE, BLOCK)},
}
"""The kind of a piece by its first character, unless it is punctuation or that character alone."""
_SIGILS = frozenset('"%@!#^')
_CLOSER = {"(": ")", "[": "]", "{": "}", "<": ">", "{-#": "#-}"}
_OPENER = {closer: opener for opener, closer in _CLOSER.items()}
_BRACKETS = frozenset({*_CLOSER, *_OPENER})
_MATCHED = frozenset("{}()[]")
_DEEPEST = BRACKET_DEPTH.most
_STEP = 50_000
"""Code points that are scanned at a time, which takes a few milliseconds."""
_LONG = 10 * _STEP
_PADDING = 4
"""Number of tokens of kind ``end``: the parser never looks further ahead than this without a check."""
_FENCES = ("{", "{-#")
"""Openers that a closer of another kind cannot skip: an unclosed parenthesis stays inside its braces."""
_MAXIMUM_OPEN_REGIONS = 64
"""Maximum number of unclosed braces that get an end by indentation, so that time stays linear in broken text."""


class Tokens(Struct, eq=False):
    """The tokens of a text as parallel lists, terminated by tokens of kind ``end`` for lookahead.

    `kinds` holds the kind, which for punctuation is its text; equal `spellings` are one string. `partners` maps the
    index of each matched bracket to the index of its partner. `line_starts` has the indices of tokens that are the
    first of their line, `indents` their columns in code points.
    `open_ends` maps the index of each unclosed ``{`` to the index at which it should be closed, by indentation.
    """

    text: str
    kinds: list[str]
    spellings: list[str]
    starts: list[int]
    ends: list[int]
    partners: dict[int, int]
    line_starts: list[int]
    indents: list[int]
    open_ends: dict[int, int]
    deepest: list[int] = field(default_factory=list)
    """The indices of tokens that replace the whole content of a bracket at the maximum depth."""
    balanced: bool = True
    """True if every brace, bracket and parenthesis has a partner by nesting alone."""
    firsts: frozenset[int] = frozenset()
    """`line_starts` as a set."""

    @property
    def count(self) -> int:
        """The number of tokens, which is also the index of the first token of kind ``end``."""
        return len(self.kinds) - _PADDING

    def indent(self, index: int) -> int:
        """Return the column, in code points, of the first token of the line that token `index` is on."""
        return self.indents[bisect_right(self.line_starts, index) - 1]

    def first_on_line(self, index: int) -> bool:
        """Whether token `index` is the first of its line."""
        return index in self.firsts


def scan(text: str) -> Tokens:
    """Split `text` into tokens. Never raises; time is linear in the length of the text."""
    tokens = _collect(text)
    brackets = _brackets_of(tokens)
    if _match_brackets(tokens, brackets) > _DEEPEST:
        brackets = _join_deepest(tokens)
    tokens.firsts = frozenset(tokens.line_starts)
    if len(tokens.partners) < len(brackets):
        # `<` and `>` may be operators, so they need no partner
        partnerless = {tokens.kinds[index] for index in brackets if index not in tokens.partners} & _MATCHED
        tokens.balanced = not partnerless
        if partnerless & {"{", "}"}:
            _match_braces_by_indentation(tokens)
    return tokens


def _collect(text: str) -> Tokens:
    """Return the tokens, with brackets not paired yet."""
    tokens = Tokens(text, [], [], [], [], {}, [], [], {})
    known = _KnownPieces()
    start = 0
    for pieces in pieces_of(text):
        start = _add(tokens, known, pieces, start)
    if BAD in known.kinds.values():
        _join_bad(tokens)
    _close_text(tokens)
    return tokens


def pieces_of(text: str, step: int = _STEP, long: int = _LONG) -> Iterator[list[str]]:
    """Yield lists of pieces that make up `text`: tokens and comments with the blanks behind them, and leading blanks.

    Whole lines of at least `step` code points in all are split at a time, as no token spans lines; other threads run
    between two steps. Lines of at least `long` code points are split piece by piece, which takes longer in all.
    """
    start = 0
    while start < len(text):
        end = text.find("\n", start + step) + 1 or len(text)
        if end - start < long:
            yield _PIECE.findall(text, start, end)
        else:
            yield [match[0] for match in _PIECE.finditer(text, start, end)]
        start = end


class _KnownPieces:
    """The distinct pieces seen so far: their kinds, their spellings without blanks, and which of them end a line.

    Equal spellings are one string.
    """

    __slots__ = ("_shared", "breaks", "kinds", "spellings")

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.spellings: dict[str, str] = {}
        self.breaks: set[str] = set()
        self._shared: dict[str, str] = {}

    def learn(self, pieces: Iterable[str]) -> None:
        """Classify those of `pieces` that are new."""
        for piece in set(pieces).difference(self.kinds):
            spelled = piece.rstrip(_BLANKS)
            self.kinds[piece] = _kind(spelled)
            self.spellings[piece] = self._shared.setdefault(spelled, spelled)
            if "\n" in piece:
                self.breaks.add(piece)


def _kind(spelled: str) -> str:
    if not spelled:
        return _NO_TOKEN
    if spelled in _PUNCTUATION:
        return spelled
    return BAD if spelled in _SIGILS else _KINDS_BY_SIGN.get(spelled[0], BAD)


def _add(tokens: Tokens, known: _KnownPieces, pieces: list[str], start: int) -> int:
    """Add the tokens of `pieces`, which begin at offset `start`, and return the offset behind them."""
    known.learn(pieces)
    kinds = list(map(known.kinds.__getitem__, pieces))
    spellings = list(map(known.spellings.__getitem__, pieces))
    starts = list(accumulate(map(len, pieces), initial=start))
    end = starts.pop()
    lines = [0, *compress(count(1), map(known.breaks.__contains__, pieces))]
    if _NO_TOKEN in kinds:
        behind = list(accumulate(map(bool, kinds), initial=0))
        lines = list(dict.fromkeys(map(behind.__getitem__, lines)))
        spellings = list(compress(spellings, kinds))
        starts = list(compress(starts, kinds))
        kinds = list(filter(None, kinds))
    before = len(tokens.kinds)
    for index in lines:
        if index < len(starts):  # the last line may have no token yet
            tokens.line_starts.append(before + index)
            tokens.indents.append(starts[index] - tokens.text.rfind("\n", 0, starts[index]) - 1)
    tokens.kinds += kinds
    tokens.spellings += spellings
    tokens.starts += starts
    tokens.ends += map(add, starts, map(len, spellings))
    return end


def _join_bad(tokens: Tokens) -> None:
    """Join adjacent tokens of kind ``bad``."""
    lines = dict(zip(tokens.line_starts, tokens.indents, strict=True))
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    tokens.kinds, tokens.spellings, tokens.starts, tokens.ends = [], [], [], []
    tokens.line_starts, tokens.indents = [], []
    for index, (kind, start, end) in enumerate(zip(kinds, starts, ends, strict=True)):
        if kind == BAD and tokens.kinds and tokens.kinds[-1] == BAD and tokens.ends[-1] == start:
            tokens.ends[-1] = end
        else:
            _keep(tokens, kind, start, end, lines.get(index))
    for index in compress(count(), map(BAD.__eq__, tokens.kinds)):
        tokens.spellings[index] = tokens.text[tokens.starts[index] : tokens.ends[index]]


def _close_text(tokens: Tokens) -> None:
    """Append the tokens of kind ``end``."""
    length = len(tokens.text)
    tokens.line_starts.append(len(tokens.kinds))
    tokens.indents.append(0)
    tokens.kinds.extend([END] * _PADDING)
    tokens.spellings.extend([""] * _PADDING)
    tokens.starts.extend([length] * _PADDING)
    tokens.ends.extend([length] * _PADDING)


def _join_deepest(tokens: Tokens) -> list[int]:
    """Join the content of each bracket at the maximum depth to a token of kind ``bad``; return the other brackets."""
    lines = dict(zip(tokens.line_starts, tokens.indents, strict=True))
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    tokens.kinds, tokens.spellings, tokens.starts, tokens.ends = [], [], [], []
    tokens.line_starts, tokens.indents = [], []
    depth = index = 0
    while index < len(kinds):
        partner = tokens.partners.get(index)
        depth += 0 if partner is None else 1 if partner > index else -1
        _keep(tokens, kinds[index], starts[index], ends[index], lines.get(index))
        index += 1
        if partner is not None and depth >= _DEEPEST and partner > index:
            tokens.deepest.append(len(tokens.kinds))
            _keep(tokens, BAD, starts[index], ends[partner - 1], lines.get(index))
            index = partner
    tokens.partners.clear()
    brackets = _brackets_of(tokens)
    _match_brackets(tokens, brackets)
    return brackets


def _keep(tokens: Tokens, kind: str, start: int, end: int, indent: int | None) -> None:
    if indent is not None:
        tokens.line_starts.append(len(tokens.kinds))
        tokens.indents.append(indent)
    tokens.kinds.append(kind)
    tokens.spellings.append(tokens.text[start:end])
    tokens.starts.append(start)
    tokens.ends.append(end)


def _brackets_of(tokens: Tokens) -> list[int]:
    return list(compress(range(len(tokens.kinds)), map(_BRACKETS.__contains__, tokens.kinds)))


def _match_brackets(tokens: Tokens, brackets: Iterable[int], *, braces: bool = True) -> int:
    """Pair brackets by nesting, and return the maximum depth.

    Without `braces`, paired braces keep their partners and unpaired ones are ignored.
    """
    kinds, partners = tokens.kinds, tokens.partners
    stack: list[int] = []
    deepest = 0
    for index in brackets:
        kind = kinds[index]
        if not (braces or kind not in "{}" or index in partners):
            continue
        if kind in _CLOSER:
            stack.append(index)
            continue
        if len(stack) > deepest:
            deepest = len(stack)
        is_innermost = stack and kinds[stack[-1]] == _OPENER[kind]
        opener = stack.pop() if is_innermost else _opener(kinds, stack, kind)
        if opener is not None:
            partners[opener] = index
            partners[index] = opener
    return deepest


def _opener(kinds: list[str], stack: list[int], kind: str) -> int | None:
    """Pop the opener that a closing bracket of this kind closes from `stack`, with the openers that it may skip."""
    opener = _OPENER[kind]
    if kind == ">":
        return stack.pop() if stack and kinds[stack[-1]] == opener else None
    while stack and kinds[stack[-1]] != opener:
        top = kinds[stack[-1]]
        if top in _FENCES or (kind != "}" and top != "<"):
            return None
        stack.pop()
    return stack.pop() if stack else None


def _match_braces_by_indentation(tokens: Tokens) -> None:
    """Pair unbalanced braces again by the layout of the text.

    A ``}`` that begins a line belongs to the ``{`` whose line has the same indentation; one in the middle of a line to
    a ``{`` of that line. So a missing or surplus brace damages only the operation that contains it.
    """
    tokens.partners.clear()
    stack: list[int] = []
    for index, kind in enumerate(tokens.kinds):
        if kind == "{":
            stack.append(index)
        elif kind == "}":
            position = _partner_by_layout(tokens, stack, index)
            if position is None:
                continue
            opener = stack[position]
            tokens.partners[opener] = index
            tokens.partners[index] = opener
            del stack[position:]
    _match_brackets(tokens, _brackets_of(tokens), braces=False)
    _end_open_regions(tokens)


def _partner_by_layout(tokens: Tokens, stack: list[int], closer: int) -> int | None:
    if not stack:
        return None
    if not tokens.first_on_line(closer):
        opener = stack[-1]
        ends_its_line = tokens.first_on_line(opener + 1)
        return None if ends_its_line else len(stack) - 1
    indent = tokens.indent(closer)
    for position in range(len(stack) - 1, -1, -1):
        opener_indent = tokens.indent(stack[position])
        if opener_indent == indent:
            return position
        if opener_indent < indent:
            return None
    return None


def _end_open_regions(tokens: Tokens) -> None:
    unclosed = [i for i, kind in enumerate(tokens.kinds) if kind == "{" and i not in tokens.partners]
    for opener in unclosed[:_MAXIMUM_OPEN_REGIONS]:
        if not tokens.first_on_line(opener + 1):
            continue
        indent = tokens.indent(opener)
        line = bisect_right(tokens.line_starts, opener)
        while line < len(tokens.line_starts) and not _ends_region(tokens, line, indent):
            line += 1
        tokens.open_ends[opener] = tokens.line_starts[min(line, len(tokens.line_starts) - 1)]


def _ends_region(tokens: Tokens, line: int, indent: int) -> bool:
    kind = tokens.kinds[tokens.line_starts[line]]
    return tokens.indents[line] < indent or (tokens.indents[line] == indent and kind != BLOCK)
