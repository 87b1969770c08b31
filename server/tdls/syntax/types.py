"""Types as trees: their kinds, dimensions, elements and parameters, and whether two of them are one type.

Two spellings differ only if they are parsed and differ. Aliases, and parameters whose meaning only a dialect's C++
knows, leave it open.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.shipped import shipped_source
from tdls.structs import Struct
from tdls.syntax.spellings import canonical_type, unescaped
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable

SHAPED = ("tensor", "memref", "vector")
FUNCTION = "function"
UNKNOWN = ""
"""The kind of aliases, and of text that is not a type."""

_FLOAT = re.compile(r"f\d\w*|bf16|tf32", re.ASCII)
_INTEGER = re.compile(r"([su]?i)(\d+)", re.ASCII)
_WORD = re.compile(r"!?[A-Za-z_][\w$.-]*", re.ASCII)
_DIMENSIONS = re.compile(r"(?:(?:\d{1,19}|\?|\*|\[\d{1,19}\])\s*x\s*)*", re.ASCII)  # sizes have 64 bits
_DIMENSION = re.compile(r"(\[?)(\d+|\?|\*)(\]?)", re.ASCII)
_DEEPEST = 50
"""Maximum nesting of types to read."""
_OPENING, _CLOSING = "<([{", ">)]}"


class Type(Struct, frozen=True):
    """A type. `text` is its canonical spelling.

    `kind` is ``tensor``, ``memref``, ``vector``, ``complex``, ``tuple``, `FUNCTION`, the name of a scalar, that of a
    dialect's type with ``!``, or `UNKNOWN`.
    """

    text: str
    kind: str
    dimensions: tuple[str, ...] | None = None
    """The sizes of a shaped type: ``4``, ``?``, ``[4]``, or None without a rank."""
    parts: tuple[Type, ...] = ()
    """The element, the elements of a tuple, or the inputs of a function as a tuple, followed by its results."""
    parameters: tuple[str, ...] = ()
    """The encoding, or the spelled layout and memory space; the parameters of a dialect's type."""

    @property
    def is_shaped(self) -> bool:
        """True for tensors, memrefs and vectors."""
        return self.kind in SHAPED

    @property
    def element(self) -> Type:
        """The element of a shaped type, a complex number or a list; the type itself for all others."""
        return self.parts[0] if self.is_shaped or self.kind == "complex" else self

    @property
    def scalar(self) -> Type:
        """The innermost element of shaped types; the type itself for all others."""
        return self.parts[0].scalar if self.is_shaped else self

    @property
    def is_float(self) -> bool:
        """True for builtin floats."""
        return _FLOAT.fullmatch(self.kind) is not None

    @property
    def is_integer(self) -> bool:
        """True for builtin integers, not for indices."""
        return _INTEGER.fullmatch(self.kind) is not None

    @property
    def is_scalar(self) -> bool:
        """True for builtin integers, floats and indices."""
        return self.is_float or self.is_integer or self.kind == "index"

    @property
    def is_builtin(self) -> bool:
        """True for types that no dialect of a project defines."""
        return self.kind != UNKNOWN and not self.kind.startswith("!")

    @property
    def width(self) -> int | None:
        """The number of bits of an integer or a float, None for other types."""
        if self.kind in ("bf16", "tf32"):
            return 16 if self.kind == "bf16" else 19
        match = re.fullmatch(r"(?:[su]?i|f)(\d+)(?:E\w+)?", self.kind)
        return integer(match[1]) if match is not None else None

    @property
    def count(self) -> int | None:
        """The number of elements of a shaped type, None if it is dynamic or scalable."""
        if self.dimensions is None or not all(map(str.isdigit, self.dimensions)):
            return None
        count = 1
        for size in self.dimensions:
            count *= int(size)
        return count


def type_tree(text: str) -> Type:
    """Return the tree of a type as spelled, of the kind `UNKNOWN` if it cannot be read."""
    return _tree(canonical_type(text))


@lru_cache(maxsize=8192)
def _tree(text: str) -> Type:
    reader = _Reader(text)
    try:
        tree = reader.read(0)
    except _UnreadError:
        return Type(text, UNKNOWN)
    return tree if reader.at == len(text) else Type(text, UNKNOWN)


class _UnreadError(Exception):
    """The text is not a builtin or dialect type."""


class _Reader:
    """Reads a canonical text from left to right, each part once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self, depth: int) -> Type:
        start = self.at
        if depth > _DEEPEST:
            raise _UnreadError
        if self._accept("("):
            inputs = Type("", "tuple", parts=self._types(")", depth))
            self._expect("->")
            results = self._types(")", depth) if self._accept("(") else (self.read(depth + 1),)
            return Type(self.text[start : self.at], FUNCTION, parts=(inputs, *results))
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise _UnreadError
        self.at = word.end()
        name = word[0]
        if name in SHAPED:
            return self._shaped(name, start, depth)
        if name in ("complex", "tuple"):
            self._expect("<")
            parts = self._types(">", depth)
            return Type(self.text[start : self.at], name, parts=parts)
        if name.startswith("!"):
            has_body = self.text.startswith("<", self.at)
            if "." not in name and not has_body:
                return Type(name, UNKNOWN)
            parameters = tuple(self._rest("<")) if has_body and self._accept("<") else ()
            return Type(self.text[start : self.at], name, parameters=parameters)
        integral = _INTEGER.fullmatch(name)
        if integral is not None and integer(integral[2]) is not None:
            name = f"{integral[1]}{int(integral[2])}"
        elif not (_FLOAT.fullmatch(name) or name in ("index", "none")):
            raise _UnreadError
        return Type(self.text[start : self.at], name)

    def _shaped(self, kind: str, start: int, depth: int) -> Type:
        self._expect("<")
        spelled = _DIMENSIONS.match(self.text, self.at)
        assert spelled is not None
        self.at = spelled.end()
        sizes = tuple(f"{each[1]}{each[2].lstrip('0') or '0'}{each[3]}" for each in _DIMENSION.finditer(spelled[0]))
        element = self.read(depth + 1)
        rest = self._rest("<") if self._accept(",") else self._expect(">")
        space = constant(rest[-1]) if kind == "memref" and rest else None
        has_default_space = isinstance(space, tuple) and space[1] == 0
        return Type(
            self.text[start : self.at],
            kind,
            None if sizes == ("*",) else sizes,
            (element,),
            tuple(rest[:-1] if has_default_space else rest),
        )

    def _types(self, closer: str, depth: int) -> tuple[Type, ...]:
        types: list[Type] = []
        while not self._accept(closer):
            if types:
                self._expect(",")
            types.append(self.read(depth + 1))
        return tuple(types)

    def _rest(self, opener: str) -> list[str]:
        """Read texts between commas up to the closing bracket of `opener`, and this bracket."""
        rest: list[str] = []
        depths = [opener]
        start, in_string = self.at, False
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if in_string:
                self.at += character == "\\"
                in_string = character != '"'
            elif character == '"':
                in_string = True
            elif character in _OPENING:
                depths.append(character)
            elif character in _CLOSING and self.text[self.at - 2] != "-":
                if _OPENING.index(depths.pop()) != _CLOSING.index(character):
                    raise _UnreadError
                if not depths:
                    return [*rest, self.text[start : self.at - 1].strip()]
            elif character == "," and len(depths) == 1:
                rest.append(self.text[start : self.at - 1].strip())
                start = self.at
        raise _UnreadError

    def _accept(self, expected: str) -> bool:
        while self.text.startswith(" ", self.at):
            self.at += 1
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def _expect(self, expected: str) -> list[str]:
        if not self._accept(expected):
            raise _UnreadError
        while self.text.startswith(" ", self.at):
            self.at += 1
        return []


# Equality


def differ(first: str | None, second: str | None) -> bool:
    """Whether two canonical texts are certainly those of different types."""
    return are_same(first, second) is False


def are_same(first: str | None, second: str | None) -> bool | None:
    """Whether two canonical texts are those of one type, None if that is not known."""
    if first is None or second is None:
        return None
    return first == second or same_type(_tree(first), _tree(second))


def same_type(first: Type, second: Type) -> bool | None:
    """Whether two types are the same, None if that is not known."""
    if first.text == second.text and first.text:
        return True
    if UNKNOWN in (first.kind, second.kind):
        return None
    if first.kind != second.kind:
        return None if _may_be_other_name(first, second) or _may_be_other_name(second, first) else False
    if first.dimensions != second.dimensions or len(first.parts) != len(second.parts):
        return False
    return _all((*map(same_type, first.parts, second.parts), _same_parameters(first, second)))


def _all(answers: Iterable[bool | None]) -> bool | None:
    known = tuple(answers)
    return False if False in known else None if None in known else True


def _may_be_other_name(first: Type, second: Type) -> bool:
    """Whether `first`, of a dialect, may be a way to write the type `second` of another kind."""
    if not first.kind.startswith("!"):
        return False
    dialect, _, name = first.kind[1:].partition(".")
    if not name or first.kind == _VECTOR_OF_LLVM:
        return True
    return second.is_builtin and bool(first.parameters) and dialect not in shipped_source().operations.dialects()


_VECTOR_OF_LLVM = "!llvm.vec"
"""Another name of the builtin vectors in several versions."""


def _same_parameters(first: Type, second: Type) -> bool | None:
    ours, theirs = first.parameters, second.parameters
    if ours == theirs:
        return True
    if first.kind == "memref":
        if any(each.startswith(("#", "affine_map")) for each in (*ours, *theirs)):
            return None
        return len(ours) == len(theirs) and _all(map(_same_attribute, ours, theirs))
    if not ours or not theirs:  # a parameter of a dialect's type may have a default
        return False if first.is_builtin else None
    return _same_attribute(", ".join(ours), ", ".join(theirs))


_PIECE = re.compile(r'"(?:[^"\\]|\\(?:[\s\S]|\Z))*(?:"|\Z)|\d+(?=x)|(?<=\d)x(?=\w)|[\w$.]+|[^\s\w]', re.ASCII)
_STRIDES = "strided<"


def _same_attribute(first: str, second: str) -> bool | None:
    """Compare attributes piece by piece: numbers, strings and scalar types differ, of other words nobody knows."""
    one, other = constant(first), constant(second)
    if one is not None and other is not None:
        return one == other
    ours, theirs = _PIECE.findall(first), _PIECE.findall(second)
    if len(ours) != len(theirs) or first.startswith(_STRIDES) is not second.startswith(_STRIDES):
        return False if _STRIDES in first[: len(_STRIDES)] + second[: len(_STRIDES)] else None
    return _all(map(_same_piece, ours, theirs))


def _same_piece(first: str, second: str) -> bool | None:
    if first == second:
        return True
    one, other = constant(first), constant(second)
    if one is None or other is None:
        types = _tree(first), _tree(second)
        return same_type(*types) if all(each.is_scalar for each in types) else None
    return one == other if isinstance(one, str) is isinstance(other, str) else None


# Constants


_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.ASCII | re.DOTALL)
_BOOLEANS = {"false": 0, "true": 1}
_WIDEST = 64
"""The width of the widest integers to compare."""


def constant(text: str) -> str | tuple[str, int] | None:
    """Return the string, or the type and number modulo its size, that an attribute is, or None for any other."""
    string = _STRING.fullmatch(text)
    if string is not None:
        return unescaped(string[1])
    if text in _BOOLEANS:
        return "i1", _BOOLEANS[text]
    number, _, kind = (piece.strip() for piece in text.partition(":"))
    value = integer(number, 16 if number.startswith("0x") else 10)
    if value is None:
        return None
    kind = kind or "i64"
    width = integer(kind.lstrip("sui")) if kind != "index" else 64
    return (kind, value % (1 << width)) if width is not None and 0 < width <= _WIDEST else None
