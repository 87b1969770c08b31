"""Finds the string literals of Python source by lexical analysis; incomplete source is scanned to its end.

The rules are those of the language reference, section "String and Bytes literals", with the replacement fields of
PEP 701: a field may hold strings with any quotes. No code is executed.
"""

from __future__ import annotations

import re
from collections import deque
from enum import Enum

from tdls.structs import Struct, field
from tdls.text.span import Span

_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\r\n]*)
    | (?P<prefix>(?<![\w])(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])(?=["']))? (?P<quote>\"\"\"|'{3}|["'])
    | (?P<join>\\(?:\r\n|[\r\n]))
    | (?P<line>[\r\n])
    | (?P<blank>[ \t\f]+)
    | (?P<word>\w+)
    | (?P<sign>[^\w\s])
    """,
    re.VERBOSE,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_INSIDE = {quote: re.compile(rf"\\|{quote}|[{{}}]") for quote in ('"""', "'''")} | {
    quote: re.compile(rf"\\|{quote}|[\r\n{{}}]") for quote in ('"', "'")
}
_IN_FIELD = re.compile(r"""\"\"\"|'{3}|["'\[\](){}#]""")
_REPLACE = (".", "replace", "(")
_MOST_NESTED = 8
"""Maximum depth of strings within fields within strings; a deeper one ends the field."""


class StringFilling(Enum):
    """The mechanism that fills the holes of a string when the program runs."""

    NOTHING = "nothing"
    FORMAT = "format"
    """`str.format` is called on the string, whose other braces are doubled."""
    PERCENT = "percent"
    """The string is the left side of ``%``, and its other percent signs are doubled."""


class PythonLiteral(Struct, frozen=True):
    """One string literal; spans count code points of the program from 0."""

    span: Span
    """The whole literal, with prefix and quotes."""
    body: Span
    """The content between the quotes."""
    quote: str
    prefix: str
    """In lower case."""
    fields: tuple[Span, ...] = ()
    """The replacement fields of an f-string, with their braces, in the order of the text."""

    @property
    def is_raw(self) -> bool:
        """True if a backslash stands for itself."""
        return "r" in self.prefix

    @property
    def is_bytes(self) -> bool:
        """True for a bytes literal."""
        return "b" in self.prefix

    @property
    def has_fields(self) -> bool:
        """True if braces in the literal delimit replacement fields."""
        return "f" in self.prefix or "t" in self.prefix


class StringConstant(Struct):
    """Literals that make one string: adjacent, or joined by ``+``."""

    literals: list[PythonLiteral] = field(default_factory=list)
    filling: StringFilling = StringFilling.NOTHING
    is_statement: bool = False
    """True if the string is a statement of its own: a docstring."""
    is_replaced: bool = False
    """True if it is the first argument of `str.replace`: a text that the program replaces in another string."""


def string_constants(source: str) -> list[StringConstant]:
    """Return the strings of a Python program in the order of the text. Never raises; takes linear time."""
    return _Scan(source).constants()


class _Scan:
    def __init__(self, source: str) -> None:
        self._source = source
        self._found: list[StringConstant] = []
        self._open: StringConstant | None = None
        """The string to which the next literal may be added."""
        self._depth = 0
        self._begins_statement = True
        self._signs = ""
        """The source since the last literal, without blanks; at most two signs or words."""
        self._last: deque[str] = deque(maxlen=len(_REPLACE))
        """The last signs and words of the source, without literals."""
        self._fields_end = True
        """False once a field without an end was found: from then on, fields must end on their line."""

    def constants(self) -> list[StringConstant]:
        """Return the strings from the beginning to the end of the program."""
        at = 0
        while (token := _TOKEN.search(self._source, at)) is not None:
            at = token.end()
            kind = token.lastgroup
            if kind == "quote":
                at = self._literal(token)
            elif kind == "line":
                if self._depth == 0:
                    self._end(at_end_of_statement=True)
                    self._begins_statement = True
            elif kind not in ("comment", "blank", "join"):
                self._other(token[0])
        self._end(at_end_of_statement=True)
        return self._found

    def _literal(self, token: re.Match[str]) -> int:
        literal = self._read(token.start(), token["prefix"] or "", token["quote"])
        joined = self._open
        if joined is None or self._signs not in ("", "+"):
            self._end()
            is_replaced = tuple(self._last) == _REPLACE
            joined = self._open = StringConstant(is_statement=self._begins_statement, is_replaced=is_replaced)
            self._found.append(joined)
        joined.literals.append(literal)
        self._signs, self._begins_statement = "", False
        self._last.append("")
        return literal.span.end

    def _other(self, text: str) -> None:
        self._last.append(text)
        if text in _OPENING:
            self._depth += 1
        elif text in _CLOSING:
            self._depth = max(0, self._depth - 1)
        if text == ";" and self._depth == 0:
            self._end(at_end_of_statement=True)
        else:
            self._follow(text)
        self._begins_statement = self._depth == 0 and text in (":", ";")

    def _follow(self, text: str) -> None:
        string = self._open
        if string is None:
            return
        self._signs += text
        if self._signs == "%":
            string.filling = StringFilling.PERCENT
        elif self._signs == ".format":
            string.filling = StringFilling.FORMAT
        if self._signs not in ("+", "."):
            string.is_statement = False
            self._open = None

    def _end(self, *, at_end_of_statement: bool = False) -> None:
        if self._open is not None and not (at_end_of_statement and self._signs == ""):
            self._open.is_statement = False
        self._open = None
        self._signs = ""

    # One literal

    def _read(self, start: int, prefix: str, quote: str) -> PythonLiteral:
        begin = start + len(prefix) + len(quote)
        kind = prefix.lower()
        fields: list[Span] = []
        end, close = self._body(begin, quote, fields if "f" in kind or "t" in kind else None, 0)
        return PythonLiteral(Span(start, close), Span(begin, end), quote, kind, tuple(fields))

    def _body(self, at: int, quote: str, fields: list[Span] | None, depth: int) -> tuple[int, int]:
        """Return the end offsets of a string's content and of the string; add the fields of an f-string to `fields`."""
        source = self._source
        while (stop := _INSIDE[quote].search(source, at)) is not None:
            sign, at = stop[0], stop.end()
            if sign == "\\":
                at += 2 if source.startswith("\r\n", at) else 1
            elif sign == quote:
                return stop.start(), at
            elif sign in "\r\n":
                return stop.start(), stop.start()
            elif fields is not None and sign == "{":
                at = self._braces(stop.start(), quote, fields, depth)
        return len(source), len(source)

    def _braces(self, start: int, quote: str, fields: list[Span], depth: int) -> int:
        if self._source.startswith("{{", start):
            return start + 2
        end = self._field_end(start, quote, depth)
        if end is None:
            return start + 1
        fields.append(Span(start, end))
        return end

    def _field_end(self, start: int, quote: str, depth: int) -> int | None:
        """Return the end offset of the field that begins at `start`, or None if it does not end in its string."""
        if depth > _MOST_NESTED or not self._fields_end:
            return self._plain_field_end(start, quote)
        open_brackets, at = 1, start + 1
        while (stop := _IN_FIELD.search(self._source, at)) is not None:
            sign, at = stop[0], stop.end()
            if sign in _OPENING:
                open_brackets += 1
            elif sign in _CLOSING:
                open_brackets -= 1
                if open_brackets == 0:
                    return at
            elif sign == "#" or (sign == quote and len(quote) == 3):
                break
            else:
                at = self._body(at, sign, None, depth + 1)[1]
        self._fields_end = False
        return self._plain_field_end(start, quote)

    def _plain_field_end(self, start: int, quote: str) -> int | None:
        end = self._source.find("}", start)
        inside = self._source[start:end] if 0 <= end < start + 200 else "\n"
        return end + 1 if "\n" not in inside and quote not in inside else None
