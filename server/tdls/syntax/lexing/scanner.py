"""Text to tokens, and brackets to their partners.

One compiled alternation finds the tokens of MLIR's lexer (mlir/lib/AsmParser/Lexer.cpp). What it does not know becomes
a token of kind ``bad``, so scanning never fails and never stops early.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from tdls.bounds.limits import BRACKET_DEPTH

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
"""A quote behind a backslash begins no string (see `layout.STRING`)."""
_TOKEN = re.compile(
    rf"""
    (\n)
    | (%{_SUFFIX}(?:\#\d+)?)
    | ([A-Za-z_][\w$.]*)
    | (0x[0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+)
    | ({_STRING})
    | (@(?:[A-Za-z_][\w$.]*|{_QUOTED}))
    | (!{_SUFFIX})
    | (\#(?!-\}}){_SUFFIX})
    | (\^{_SUFFIX})
    | (//[^\r\n]*)
    | (->|=>|::|\.\.\.|\{{-\#|\#-\}}|[{{}}()\[\]<>=,:?+*/|-])
    | ([^\s\w"%@!\#^.{{}}()\[\]<>=,:?+*/|-]+|\S)
    """,
    re.VERBOSE | re.ASCII,
)
_KINDS = ("", "", VALUE, IDENTIFIER, NUMBER, STRING, SYMBOL, TYPE, ATTRIBUTE, BLOCK, "", "", BAD)
_NEWLINE, _COMMENT, _PUNCTUATION, _UNKNOWN = 1, 10, 11, 12
_CLOSER = {"(": ")", "[": "]", "{": "}", "<": ">", "{-#": "#-}"}
_MATCHED = frozenset("{}()[]")
_OPENER = {closer: opener for opener, closer in _CLOSER.items()}
_DEEPEST = BRACKET_DEPTH.most
_PADDING = 4
"""Nothing looks further ahead than this without checking."""
_FENCES = ("{", "{-#")
"""Openers that no other closer than their own may skip: an unclosed parenthesis stays inside its braces."""
_MAXIMUM_OPEN_REGIONS = 64
"""More unclosed braces than this are not given an end by indentation: time stays linear in broken text."""


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text as parallel lists, closed by tokens of kind ``end`` that one may always look ahead to.

    `kinds` holds the kind, which for punctuation is its text. `partners` maps the index of each matched bracket to the
    index of its partner. `line_starts` has the indices of tokens that are the first of their line, `indents` their
    columns.
    `open_ends` maps the index of each ``{`` that is never closed to the index where, by indentation, it should be.
    """

    text: str
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    partners: dict[int, int]
    line_starts: list[int]
    indents: list[int]
    open_ends: dict[int, int]
    deepest: list[int] = field(default_factory=list)
    """The indices of tokens that stand for all that is in a bracket which is as deep as brackets may be."""
    balanced: bool = True
    """True if every brace, bracket and parenthesis has a partner by nesting alone."""

    @property
    def count(self) -> int:
        """The number of tokens, and the index of the first that closes the text."""
        return len(self.kinds) - _PADDING

    def indent(self, index: int) -> int:
        """Return the column, in code points, of the first token of the line that token `index` is on."""
        return self.indents[bisect_right(self.line_starts, index) - 1]

    def first_on_line(self, index: int) -> bool:
        """Tell whether no token stands before token `index` on its line."""
        line = bisect_right(self.line_starts, index) - 1
        return line >= 0 and self.line_starts[line] == index


def scan(text: str) -> Tokens:
    """Split `text` into tokens. Never raises; time is linear in the length of the text."""
    tokens = Tokens(text, [], [], [], {}, [], [], {})
    _collect(text, tokens)
    if _match_brackets(tokens) > _DEEPEST:
        _join_deepest(tokens)
    partnerless = {kind for index, kind in enumerate(tokens.kinds) if kind in _MATCHED and index not in tokens.partners}
    tokens.balanced = not partnerless
    if partnerless & {"{", "}"}:
        _match_braces_by_indentation(tokens)
    return tokens


def _collect(text: str, tokens: Tokens) -> None:
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    line_start = 0
    fresh_line = True
    for match in _TOKEN.finditer(text):
        group = match.lastindex
        if group == _NEWLINE:
            line_start, fresh_line = match.end(), True
            continue
        if group == _COMMENT:
            continue
        start, end = match.span()
        if group == _UNKNOWN and not fresh_line and kinds and kinds[-1] == BAD and ends[-1] == start:
            ends[-1] = end
            continue
        if fresh_line:
            tokens.line_starts.append(len(kinds))
            tokens.indents.append(start - line_start)
            fresh_line = False
        kinds.append(text[start:end] if group == _PUNCTUATION else _KINDS[group or 0])
        starts.append(start)
        ends.append(end)
    tokens.line_starts.append(len(kinds))
    tokens.indents.append(0)
    kinds.extend([END] * _PADDING)
    starts.extend([len(text)] * _PADDING)
    ends.extend([len(text)] * _PADDING)


def _join_deepest(tokens: Tokens) -> None:
    """Make one token of kind ``bad`` of all that is in a bracket which is as deep as brackets may be."""
    lines = dict(zip(tokens.line_starts, tokens.indents, strict=True))
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    tokens.kinds, tokens.starts, tokens.ends, tokens.line_starts, tokens.indents = [], [], [], [], []
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
    _match_brackets(tokens)


def _keep(tokens: Tokens, kind: str, start: int, end: int, indent: int | None) -> None:
    if indent is not None:
        tokens.line_starts.append(len(tokens.kinds))
        tokens.indents.append(indent)
    tokens.kinds.append(kind)
    tokens.starts.append(start)
    tokens.ends.append(end)


def _match_brackets(tokens: Tokens, *, braces: bool = True) -> int:
    """Pair brackets as their nesting says, and return how many were open at most.

    Without `braces` those have partners already, and others are ignored.
    """
    stack: list[tuple[str, int]] = []
    deepest = 0
    for index, kind in enumerate(tokens.kinds):
        if not braces and kind in "{}" and index not in tokens.partners:
            continue
        if kind in _CLOSER:
            stack.append((kind, index))
        elif kind in _OPENER:
            deepest = max(deepest, len(stack))
            _close(tokens, stack, kind, index)
    return deepest


def _close(tokens: Tokens, stack: list[tuple[str, int]], kind: str, index: int) -> None:
    opener = _OPENER[kind]
    if kind == ">":
        if stack and stack[-1][0] == "<":
            _pair(tokens, stack.pop()[1], index)
        return
    while stack and stack[-1][0] != opener:
        top = stack[-1][0]
        if top in _FENCES or (kind != "}" and top != "<"):
            return
        stack.pop()
    if stack:
        _pair(tokens, stack.pop()[1], index)


def _pair(tokens: Tokens, opener: int, closer: int) -> None:
    tokens.partners[opener] = closer
    tokens.partners[closer] = opener


def _match_braces_by_indentation(tokens: Tokens) -> None:
    """Pair braces again where their nesting does not work out, believing the layout of the text.

    A ``}`` that begins a line belongs to the ``{`` whose line has the same indentation; one in the middle of a line to
    a ``{`` of that line. So a missing or surplus brace damages the operation it is in, not the rest of the file.
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
            _pair(tokens, stack[position], index)
            del stack[position:]
    _match_brackets(tokens, braces=False)
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
