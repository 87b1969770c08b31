"""Splits text into tokens, without comments and text that preprocessor directives exclude.

One compiled alternation finds the tokens of TableGen's lexer (llvm/lib/TableGen/TGLexer.cpp). Any other character
becomes a token of kind ``bad``, so scanning never fails.
"""

from __future__ import annotations

import re

from tdls.structs import Struct, field
from tdls.text.scanning import integer

BAD = "bad"
_LONGEST_NUMBER = 1_000
"""Maximum length of a number in characters; far above any number of 64 bits and any literal of `bits` in practice."""

_TOKEN = re.compile(
    r"""
      (^[ \t]*\#[ \t]*(?:ifdef|ifndef|define|else|endif)\b[^\n]*)
    | ([-+]?\d\w*)
    | ([A-Za-z_]\w*)
    | ((?<!\\)"[^"\\\n]*(?:\\.[^"\\\n]*)*")
    | (\[\{)
    | (\$[A-Za-z_]\w*)
    | (!\s*[A-Za-z_]\w*)
    | (//[^\n]*)
    | (/\*)
    | (\.\.\.|[{}()\[\]<>:;,=.\#?-])
    | (\S)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL | re.MULTILINE,
)
_DIRECTIVE, _WORD, _IDENTIFIER, _STRING, _CODE, _VARIABLE, _OPERATOR, _LINE_COMMENT, _COMMENT, _PUNCTUATION = range(
    1, 11
)

_PUNCTUATION_KINDS = {
    "{": "LBRACE",
    "}": "RBRACE",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "<": "LESSTHAN",
    ">": "MORETHAN",
    ":": "COLON",
    ";": "SEMICOLON",
    ",": "COMMA",
    "=": "EQUAL",
    ".": "DOT",
    "#": "HASH",
    "?": "QMARK",
    "-": "MINUS",
    "...": "__ANON_0",
}
"""The names that lark gives to punctuation."""

_TYPE_KEYWORDS = {"bit": "BIT", "int": "INT", "string": "STRING_TYPE", "code": "CODE_TYPE", "dag": "DAG"}
_KEYWORDS = _TYPE_KEYWORDS | {
    word: word.upper()
    for word in (
        *("assert", "bits", "class", "def", "defm", "defset", "deftype", "defvar", "dump", "else", "false", "field"),
        *("foreach", "if", "in", "include", "let", "list", "multiclass", "then", "true"),
    )
}

_INTEGER = re.compile(r"0x[0-9a-fA-F]+|[-+]?\d+", re.ASCII)
_BINARY = re.compile(r"0b[01]+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_COMMENT_BORDER = re.compile(r"/\*|\*/")
_MACRO = re.compile(r"#[ \t]*(\w+)[ \t]*(\w*)", re.ASCII)


class Token:
    """A token of `type`, a terminal of ``tablegen.lark``, at the offset `start_pos`.

    `value` is its meaning: the text between the quotes, the number. Attributes are named as lark expects them.
    """

    __slots__ = ("start_pos", "type", "value")
    line = column = end_line = end_column = end_pos = None

    def __init__(self, kind: str, value: str | int, start: int) -> None:
        self.type = kind
        self.value = value
        self.start_pos = start


class Scan(Struct):
    """The tokens of a text."""

    tokens: list[Token] = field(default_factory=list)
    asked_macros: set[str] = field(default_factory=set)
    """Macros that decided which parts were read, other than those that the text itself defined before."""
    defined_macros: set[str] = field(default_factory=set)
    open_conditionals: int = 0
    """The number of conditionals that the text does not end."""


def scan(text: str, macros: frozenset[str] = frozenset()) -> Scan:
    """Split `text` into tokens with `macros` defined. Never raises; time is linear in the length of the text."""
    scanner = _Scanner(" " + text[1:] if text.startswith("\ufeff") else text, macros)
    position: int | None = 0
    while position is not None:
        position = scanner.scan_from(position)
    result = scanner.result
    result.open_conditionals = len(scanner.conditionals)
    return result


class _Scanner:
    def __init__(self, text: str, macros: frozenset[str]) -> None:
        self.text = text
        self.result = Scan(defined_macros=set(macros))
        self.last_code_end = text.rfind("}]")
        self.conditionals: list[bool] = []
        """For each open conditional, whether its present branch is read."""

    def scan_from(self, position: int) -> int | None:
        """Scan up to the end of the next block comment or code; return its offset, None at the end of the text."""
        add = self.result.tokens.append
        for match in _TOKEN.finditer(self.text, position):
            group = match.lastindex
            value = match[group or 0]
            if group == _IDENTIFIER:
                add(Token(_KEYWORDS.get(value, "IDENTIFIER"), value, match.start()))
            elif group == _PUNCTUATION:
                add(Token(_PUNCTUATION_KINDS[value], value, match.start()))
            elif group == _LINE_COMMENT:
                continue
            elif group in (_COMMENT, _CODE):
                is_comment = group == _COMMENT
                return _end_of_comment(self.text, match.end()) if is_comment else self._code(match.start())
            elif group == _DIRECTIVE:
                skipped_to = self._directive(value, match.end())
                if skipped_to is not None:
                    return skipped_to
            elif group == _WORD:
                self.result.tokens += _word(value, match.start())
            else:
                add(_valued_token(group or 0, value, match.start()))
        return None

    def _code(self, start: int) -> int:
        """Add the code block that begins at `start`, and return its end; an unclosed one is two brackets."""
        end = self._end_of_code(start)
        if end is None:
            self.result.tokens += [Token("LSQB", "[", start), Token("LBRACE", "{", start + 1)]
            return start + 2
        self.result.tokens.append(Token("CODE", self.text[start + 2 : end - 2], start))
        return end

    def _end_of_code(self, start: int) -> int | None:
        if start > self.last_code_end:
            return None
        end = self.text.find("}]", start + 2)
        return end + 2 if end >= 0 else None

    def _directive(self, line: str, end: int) -> int | None:
        """Apply a directive; return the offset at which to continue if it is not its `end`."""
        found = _MACRO.search(line)
        keyword, macro = (found[1], found[2]) if found else ("", "")
        if keyword == "define":
            self.result.defined_macros.add(macro)
        elif keyword == "endif":
            del self.conditionals[-1:]
        elif keyword in ("ifdef", "ifndef"):
            is_defined = macro in self.result.defined_macros
            if not is_defined:
                self.result.asked_macros.add(macro)
            self.conditionals.append(is_defined == (keyword == "ifdef"))
            return None if self.conditionals[-1] else self._skip(end)
        elif keyword == "else" and self.conditionals:
            self.conditionals[-1] = False
            return self._skip(end)
        return None

    def _skip(self, position: int) -> int:
        """Return the end of the directive that ends the branch beginning at `position`; comments are skipped."""
        depth = 0
        while (match := _TOKEN.search(self.text, position)) is not None:
            position = match.end()
            if match.lastindex == _COMMENT:
                position = _end_of_comment(self.text, position)
            elif match.lastindex == _CODE:
                position = self._end_of_code(match.start()) or position
            if match.lastindex != _DIRECTIVE:
                continue
            keyword = match[0].strip(" \t#").split()[0]
            if keyword.startswith("if"):
                depth += 1
            elif depth == 0 and keyword in ("else", "endif"):
                if keyword == "endif":
                    self.conditionals.pop()
                else:
                    self.conditionals[-1] = True
                return position
            elif keyword == "endif":
                depth -= 1
        return len(self.text)


def _valued_token(group: int, value: str, start: int) -> Token:
    if group == _STRING:
        text = value[1:-1]
        return Token("STRING", _ESCAPE.sub(_unescaped, text) if "\\" in text else text, start)
    if group == _VARIABLE:
        return Token("VARIABLE", value[1:], start)
    if group == _OPERATOR:
        return Token("OPERATOR", value[1:].strip(), start)
    return Token(BAD, value, start)


def _word(value: str, start: int) -> list[Token]:
    """Return the tokens of a word that begins with a digit: a number, or a name, whose sign is a token of its own.

    The value of a binary number is its digits, since it has as many bits as digits.
    """
    if len(value) > _LONGEST_NUMBER:
        return [Token(BAD, value, start)]
    if _BINARY.fullmatch(value):
        return [Token("BINARY", value[2:], start)]
    if _INTEGER.fullmatch(value):
        number = integer(value, 16 if value.startswith("0x") else 10)
        return [Token("INTEGER", signed(number), start) if number is not None else Token(BAD, value, start)]
    if value[0] not in "+-":
        return [Token("IDENTIFIER", value, start)]
    sign = Token(_PUNCTUATION_KINDS.get(value[0], BAD), value[0], start)
    return [sign, Token("IDENTIFIER", value[1:], start + 1)]


def signed(value: int) -> int:
    """Return a number, wrapped to 64 bits as a signed one."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[1], match[1])


def _end_of_comment(text: str, position: int) -> int:
    """Return the end of the block comment that was opened before `position`; comments nest."""
    depth = 1
    while depth:
        border = _COMMENT_BORDER.search(text, position)
        if border is None:
            return len(text)
        depth += 1 if border[0] == "/*" else -1
        position = border.end()
    return position
