"""A cursor on tokens, with the extents of types and attributes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.syntax import scanner

if TYPE_CHECKING:
    from tdls.syntax.scanner import Tokens

_BUILTIN_TYPE = re.compile(
    r"(?:[su]?i\d+|index|none|bf16|tf32|f\d+(?:E\d+M\d\w*)?|complex|tensor|memref|vector|tuple)\Z"
)
_TYPE_WITH_BODY = frozenset({"complex", "tensor", "memref", "vector", "tuple"})
TYPE_NAMES = (
    *sorted(_TYPE_WITH_BODY),
    *("index", "none", "f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"),
)
"""The types that a misspelled one may be."""
_ATTRIBUTE_WITH_BODY = frozenset({"affine_map", "affine_set", "array", "dense", "dense_resource", "sparse", "strided"})
_BOOLEANS = frozenset({"true", "false"})
_ATTRIBUTE_KEYWORDS = _BOOLEANS | {"unit"}


class Mismatch(Exception):  # noqa: N818 - control flow inside the parser, never seen outside of it
    """The text does not match the grammar at a token.

    `index` is the token; `expected` completes "expected ..."; `offset` is the exact offset of the error, if known.
    `is_certain` means that no form of any operation, known or not, can continue like this. `names` are those that could
    be meant.
    """

    def __init__(
        self,
        index: int,
        expected: str,
        *,
        offset: int | None = None,
        is_certain: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(expected)
        self.index = index
        self.expected = expected
        self.offset = offset
        self.is_certain = is_certain
        self.names = names
        self.help_text: str | None = None


class TokenCursor:
    """Tokens and the index of the next one to read. Offsets are those of the scanned text."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.text = tokens.text
        self.kinds = tokens.kinds
        self.spellings = tokens.spellings
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.index = 0

    def spelling(self, index: int) -> str:
        return self.spellings[index]

    def at(self, kind: str) -> bool:
        """Whether the next token is of `kind`."""
        return self.kinds[self.index] == kind

    def at_keyword(self, keyword: str) -> bool:
        """Whether the next token is the bare identifier `keyword`."""
        return self.spellings[self.index] == keyword

    def take(self) -> int:
        """Step over the next token and return its index; the end is never stepped over."""
        index = self.index
        if self.kinds[index] != scanner.END:
            self.index = index + 1
        return index

    def accept(self, kind: str) -> bool:
        """Step over the next token if it is of `kind`."""
        if self.kinds[self.index] != kind:
            return False
        self.index += 1
        return True

    def accept_keyword(self, keyword: str) -> bool:
        """Step over the next token if it is the bare identifier `keyword`."""
        if not self.at_keyword(keyword):
            return False
        self.index += 1
        return True

    def expect(self, kind: str, expected: str | None = None) -> int:
        """Step over a token of `kind` and return its index. Raises `Mismatch`."""
        if self.kinds[self.index] != kind:
            raise Mismatch(self.index, expected or f"`{kind}`")
        self.index += 1
        return self.index - 1

    def expect_any(self, kinds: tuple[str, ...], expected: str) -> int:
        """Step over a token of one of `kinds` and return its index. Raises `Mismatch`."""
        if self.kinds[self.index] not in kinds:
            raise Mismatch(self.index, expected)
        self.index += 1
        return self.index - 1

    def expect_keyword(self, keyword: str) -> int:
        """Step over the bare identifier `keyword` and return its index. Raises `Mismatch`."""
        if not self.at_keyword(keyword):
            raise Mismatch(self.index, f"`{keyword}`")
        self.index += 1
        return self.index - 1

    def expect_integer(self, expected: str = "an integer") -> int:
        """Step over an integer and return its index; ``true`` and ``false`` count, as in MLIR's `parseInteger`."""
        index = self.index
        if self.kinds[index] == scanner.IDENTIFIER and self.spelling(index) in _BOOLEANS:
            self.index += 1
            return index
        self.accept("-")
        self.expect(scanner.NUMBER, expected)
        return index

    def after_group(self, index: int) -> int:
        """Return the index behind the closing partner of the bracket at `index`. Raises `Mismatch` if it has none."""
        partner = self.tokens.partners.get(index, -1)
        if partner < index:
            opener = self.kinds[index]
            raise Mismatch(index, f"a closing bracket for this `{opener}`", is_certain=opener != "<")
        return partner + 1

    def at_type(self, index: int | None = None) -> bool:
        """Whether a type can begin at token `index` (default: the next one)."""
        where = self.index if index is None else index
        kind = self.kinds[where]
        if kind == scanner.IDENTIFIER:
            return _is_builtin_type(self.spellings[where])
        return kind in (scanner.TYPE, "(")

    def after_type(self, index: int) -> int:
        """Return the index behind the type that begins at token `index`. Raises `Mismatch`."""
        kind = self.kinds[index]
        if kind == "(":
            return self._after_function_type(index)
        if kind == scanner.TYPE:
            behind = index + 1
            return self.after_group(behind) if self.kinds[behind] == "<" else behind
        if kind == scanner.IDENTIFIER:
            name = self.spelling(index)
            if _is_builtin_type(name):
                if name not in _TYPE_WITH_BODY:
                    return index + 1
                if self.kinds[index + 1] != "<":
                    raise Mismatch(index + 1, f"`<` after `{name}`")
                return self.after_group(index + 1)
        raise Mismatch(index, "a type", names=TYPE_NAMES)

    def _after_function_type(self, index: int) -> int:
        """Return the index behind ``(...) -> type``, whose result may be a function type again."""
        behind = self.after_group(index)
        if self.kinds[behind] != "->":
            raise Mismatch(behind, "`->` of a function type")
        while self.kinds[behind] == "->":
            behind += 1
            if self.kinds[behind] != "(":
                return self.after_type(behind)
            behind = self.after_group(behind)
        return behind

    def at_attribute(self, index: int | None = None) -> bool:
        """Whether an attribute value can begin at token `index` (default: the next one)."""
        where = self.index if index is None else index
        kind = self.kinds[where]
        if kind in (scanner.NUMBER, scanner.STRING, scanner.SYMBOL, scanner.ATTRIBUTE, "[", "{", "-"):
            return True
        if kind == scanner.IDENTIFIER:
            name = self.spelling(where)
            if name in _ATTRIBUTE_KEYWORDS or name in ("loc", "distinct"):
                return True
            if name in _ATTRIBUTE_WITH_BODY:
                return self.kinds[where + 1] == "<"
        return self.at_type(where)

    def after_attribute(self, index: int, *, typed: bool = True) -> int:
        """Return the index behind the attribute value that begins at token `index`. Raises `Mismatch`.

        With `typed` a literal may carry a trailing ``: type``.
        """
        kind = self.kinds[index]
        if kind == scanner.IDENTIFIER:
            behind, takes_type = self._after_named_attribute(index)
        elif kind in (scanner.NUMBER, scanner.STRING):
            behind, takes_type = index + 1, True
        elif kind == "-":
            if self.kinds[index + 1] != scanner.NUMBER:
                raise Mismatch(index + 1, "a number after `-`")
            behind, takes_type = index + 2, True
        elif kind in ("[", "{"):
            behind, takes_type = self.after_group(index), False
        elif kind == scanner.SYMBOL:
            behind, takes_type = self.after_symbol(index), False
        elif kind == scanner.ATTRIBUTE:
            behind, takes_type = self._after_dialect_attribute(index)
        elif kind in (scanner.TYPE, "("):
            behind, takes_type = self.after_type(index), False
        else:
            raise Mismatch(index, "an attribute value")
        if typed and takes_type and self.kinds[behind] == ":" and self.at_type(behind + 1):
            is_number = kind in (scanner.NUMBER, "-")
            kind = self.kinds[behind + 1]
            is_word = kind == scanner.IDENTIFIER and self.spelling(behind + 1) in _TYPE_WITH_BODY
            is_of_later_part = is_number and (kind == "(" or is_word)  # no number has such a type
            return behind if is_of_later_part else self.after_type(behind + 1)
        return behind

    def _after_dialect_attribute(self, index: int) -> tuple[int, bool]:
        """Return the index behind ``#alias`` or ``#dialect.name<...>``; only the latter may carry a type."""
        behind = index + 1
        if self.kinds[behind] == "<":
            return self.after_group(behind), True
        return behind, "." in self.spelling(index)

    def _after_named_attribute(self, index: int) -> tuple[int, bool]:
        """Return the index behind an attribute that begins with a bare identifier, and whether it may carry a type."""
        name = self.spelling(index)
        if name in _ATTRIBUTE_KEYWORDS:
            return index + 1, False
        if name in _ATTRIBUTE_WITH_BODY and self.kinds[index + 1] == "<":
            return self.after_group(index + 1), name in ("dense", "sparse", "dense_resource")
        if name == "loc" and self.kinds[index + 1] == "(":
            return self.after_group(index + 1), False
        if name == "distinct" and self.kinds[index + 1] == "[":
            behind = self.after_group(index + 1)
            return (self.after_group(behind) if self.kinds[behind] == "<" else behind), False
        if not self.at_type(index):
            raise Mismatch(index, "an attribute value")
        return self.after_type(index), False

    def after_symbol(self, index: int) -> int:
        """Return the index behind the symbol reference ``@a::@b`` that begins at token `index`. Raises `Mismatch`."""
        if self.kinds[index] != scanner.SYMBOL:
            raise Mismatch(index, "a symbol name such as `@name`")
        behind = index + 1
        while self.kinds[behind] == "::" and self.kinds[behind + 1] == scanner.SYMBOL:
            behind += 2
        return behind


@lru_cache(maxsize=1_000)
def _is_builtin_type(name: str) -> bool:
    return _BUILTIN_TYPE.match(name) is not None
