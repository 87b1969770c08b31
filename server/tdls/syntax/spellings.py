"""What the tokens of a type or attribute tell without a grammar: its canonical spelling, aliases and symbols."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.syntax import scanner
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens


_LONGEST_KEPT = 2_000
"""Maximum length, in code points, of a type whose canonical spelling is kept."""
_LONGEST_COMPARED = 1_000_000
"""Maximum length, in code points, of a type to canonicalize; longer ones are compared as written."""


class Reference(Struct, frozen=True):
    """A mention of a name: ``!alias``, ``#alias``, or the ``@names`` of a nested symbol reference.

    `path` has several parts only for nested references; sigils and quotes are left out.
    """

    span: Span
    path: tuple[str, ...]


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


_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)", re.ASCII | re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}
_PRINTED_AS_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f-\xff]', re.ASCII)


def unescaped(text: str) -> str:
    """Return what a string stands for, given its text without quotes."""
    return _ESCAPE.sub(lambda it: _ESCAPED.get(it[1]) or (chr(int(it[1], 16)) if it[1][1:] else it[1]), text)


def symbol_in(text: str) -> str:
    """Return the symbol that a token or string names: without sigil and quotes, with the escapes that MLIR prints."""
    name = text.removeprefix("@").removeprefix('"').removesuffix('"')
    return _PRINTED_AS_ESCAPE.sub(lambda it: f"\\{ord(it[0]):02X}", unescaped(name)) if "\\" in name else name


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


_canonical_kept = lru_cache(maxsize=8192)(_canonical)


def _prefixes(tokens: Tokens) -> dict[int, str]:
    """Map tokens in bodies of dialect types to a repeated prefix of the dialect, which is optional there."""
    prefixes: dict[int, str] = {}
    ends: list[tuple[int, str]] = []
    for index, kind in enumerate(tokens.kinds):
        while ends and ends[-1][0] <= index:
            ends.pop()
        if kind != scanner.TYPE:
            continue
        dialect, dot, _ = tokens.text[tokens.starts[index] : tokens.ends[index]].partition(".")
        prefix = dialect + dot if dot else ""
        if ends and prefix and ends[-1][1] == prefix:
            prefixes[index] = prefix
        closer = tokens.partners.get(index + 1, -1)
        if prefix and closer > index and tokens.kinds[index + 1] == "<":
            ends.append((closer, prefix))
    return prefixes


def _gap(tokens: Tokens, previous: int, index: int) -> str:
    before, kind = tokens.kinds[previous], tokens.kinds[index]
    if "->" in (before, kind) or before == ",":
        return " "
    if (before in _SIGILS and kind == "-") or (before == "-" and kind == ">"):
        return " "
    return " " if tokens.ends[previous] < tokens.starts[index] and before in _WORDS and kind in _WORDS else ""


def _optional_parentheses(tokens: Tokens) -> set[int]:
    """Return the indices of parentheses around a single result of a function type, which are optional."""
    optional: set[int] = set()
    verbatim_up_to = -1
    for index, kind in enumerate(tokens.kinds):
        if kind == scanner.IDENTIFIER and tokens.text.startswith("affine_", tokens.starts[index]):
            verbatim_up_to = max(verbatim_up_to, tokens.partners.get(index + 1, -1))
        if kind != "->" or tokens.kinds[index + 1] != "(" or index < verbatim_up_to:
            continue
        closer = tokens.partners.get(index + 1, -1)
        if _is_one_type(tokens, index + 2, closer):
            optional.update((index + 1, closer))
    return optional


def _is_one_type(tokens: Tokens, start: int, end: int) -> bool:
    """Whether the tokens from `start` up to `end` (exclusive) are a single type other than a function type."""
    index = start
    while index < end:
        if tokens.kinds[index] in (",", "->"):
            return False
        index = max(tokens.partners.get(index, index), index) + 1
    return start < end


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
    kinds, last = tokens.kinds, -1
    for index, kind in enumerate(kinds):
        if kind == scanner.SYMBOL and index > last:
            last = index
            while kinds[last + 1] == "::" and kinds[last + 2] == scanner.SYMBOL:
                last += 2
            path = tuple(map(symbol_in, tokens.spellings[index : last + 1 : 2]))
            yield Reference(Span(tokens.starts[index], tokens.ends[last]), path)
