"""Resolves C++ expressions to operands and results of an operation."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tdls.catalogue.model import AttributeDefinition
from tdls.catalogue.sources.bodies import ValueGroups, ValueRange
from tdls.catalogue.sources.cpp.tokens import OPENING, arguments, closing
from tdls.structs import Struct
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import OperandDefinition, RegionDefinition, ResultDefinition

    Member = OperandDefinition | ResultDefinition | AttributeDefinition | RegionDefinition


class OperationShape(ValueGroups):
    """An operation's definition by the accessors of its C++ class (mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp)."""

    def accessed(self, function: str) -> Member | None:
        """Return the member of an accessor: ``getFooBar``, ``getFooBarMutable``, ``getFooBarAttr``, ``fooBar``."""
        for ending in ("", "Mutable", "Attr"):
            member = self._members.get(function.removesuffix(ending)) if function.endswith(ending) else None
            if member is not None:
                return member
        return None

    def group(self, member: Member) -> int | None:
        """Return the index of an operand or result, or None for attributes and regions."""
        return next((index for index, value in enumerate(self.values) if value is member), None)

    @cached_property
    def _members(self) -> dict[str, Member]:
        members: list[Member] = [*self.values, *self.definition.attributes, *self.definition.regions]
        found: dict[str, Member] = {}
        for member in members:
            camel = camel_case(member.name)
            found.setdefault(f"get{camel}", member)
            found.setdefault(camel[:1].lower() + camel[1:], member)
            found.setdefault(member.name, member)
        return found


def camel_case(name: str) -> str:
    """Return ``FooBar`` for ``foo_bar``, after convertToCamelFromSnakeCase of llvm/ADT/StringExtras.h."""
    pieces: list[str] = []
    for index, letter in enumerate(name):
        follows_underscore = index > 0 and name[index - 1] == "_"
        if letter == "_" and name[index + 1 : index + 2].islower() and index:
            continue
        pieces.append(letter.upper() if index == 0 or (follows_underscore and letter.islower()) else letter)
    return "".join(pieces)


Words = tuple[str, ...]

NOT_KNOWN = "?"
"""The value of a variable with an unknown value."""

_MOST_WORDS = 1_000
_RANGES = {"getOpOperands": "operands", "getOperands": "operands", "getOpResults": "results", "getResults": "results"}
_ELEMENTS = {"getOpOperand": "operands", "getOperand": "operands", "getOpResult": "results", "getResult": "results"}
_SAME_OPERATION = frozenset(("getOperation", "getOperationPtr"))
_BODIES = frozenset(("getRegion", "getRegions", "getBodyRegion", "getBodyBlock", "getBody"))
_INSIDE_BODY = frozenset(
    ("front", "back", "begin", "getBlocks", "getRegion", "getBody", "getArguments", "getArgument", "getRegionIterArgs")
)
_WRAPPERS = frozenset(
    ("cast", "dyn_cast", "dyn_cast_or_null", "cast_or_null", "move", "to_vector", "static_cast", "make_range", "ref")
)
_VALUE_LISTS = frozenset(
    ("ValueRange", "OperandRange", "ResultRange", "MutableArrayRef", "MutableOperandRange", "ArrayRef", "SmallVector")
)
_SAME_VALUES = frozenset(("cast", "dyn_cast", "get", "value", "getAsOperandRange", "getBase", "template"))
_FIRST = frozenset(("front", "begin"))


class _OwnOperation(Struct, frozen=True):
    """``*this``, or a pointer to it."""


class _Body(Struct, frozen=True):
    """A region or block of the operation, or its arguments."""


_Meaning = _OwnOperation | _Body | ValueRange


def substituted(words: Words, variables: Mapping[str, Words]) -> Words:
    """Return `words` with variables replaced by their values in parentheses; `NOT_KNOWN` if that gets too long."""
    result: list[str] = []
    for index, word in enumerate(words):
        is_member = index > 0 and words[index - 1] in (".", "->", "::")
        if word in variables and not is_member and words[index + 1 : index + 2] != ("::",):
            result += ("(", *variables[word], ")")
        else:
            result.append(word)
        if len(result) > _MOST_WORDS:
            return (NOT_KNOWN,)
    return tuple(result)


def target_of(words: Words, shape: OperationShape) -> ValueRange | None:
    """Return the operands and results that an expression without variables denotes, or None if not understood.

    Block arguments denote none of them.
    """
    meaning = _ExpressionReader(shape).meaning(words)
    if isinstance(meaning, _OwnOperation) or meaning is None:
        return None
    return () if isinstance(meaning, _Body) else meaning


def is_nothing(words: Words, shape: OperationShape) -> bool:
    """Whether an expression denotes a range of operands or results without values in this operation."""
    return _ExpressionReader(shape).meaning(words) == ()


def is_own_operation(words: Words, shape: OperationShape) -> bool:
    """Whether an expression without variables denotes the operation itself, or is empty."""
    return not words or isinstance(_ExpressionReader(shape).meaning(words), _OwnOperation)


class _ExpressionReader:
    def __init__(self, shape: OperationShape) -> None:
        self._shape = shape

    def meaning(self, words: Words) -> _Meaning | None:
        """Return the meaning of an expression, or None if not understood."""
        while words[:1] in (("*",), ("&",)):
            words = words[1:]
        if not words:
            return None
        meaning, index = self._primary(words)
        while index < len(words):
            if meaning is None:
                return None
            meaning, index = self._postfix(meaning, words, index)
        return meaning

    def _primary(self, words: Words) -> tuple[_Meaning | None, int]:
        if words[0] == "(":
            close = closing(words, 0)
            return self.meaning(words[1:close]), close + 1
        if words[0] == "{":
            close = closing(words, 0)
            return self._union(words[1:close]), close + 1
        if words[0] == "this":
            return _OwnOperation(), 1
        qualifier = 1 if words[0] == "::" else 2 if words[1:2] == ("::",) else 0
        if not qualifier:
            return self._named(words)
        meaning, index = self._primary(words[qualifier:]) if len(words) > qualifier else (None, 0)
        return meaning, index + qualifier

    def _named(self, words: Words) -> tuple[_Meaning | None, int]:
        """Read a call, or a list with its type before it."""
        opening = _behind_template(words, 1)
        if words[opening : opening + 1] not in (("(",), ("{",)):
            return None, len(words)
        close = closing(words, opening)
        inside = words[opening + 1 : close]
        if words[0] in _VALUE_LISTS:
            return self._union(inside), close + 1
        if words[0] in _WRAPPERS:
            return self.meaning(inside), close + 1
        return self._member(words[0], inside), close + 1

    def _union(self, inside: Words) -> ValueRange | None:
        found: list[ValueRange] = []
        for part in arguments(inside):
            meaning = self.meaning(part)
            if not isinstance(meaning, tuple):
                return None
            found.append(meaning)
        return tuple(index for target in found for index in target)

    def _member(self, function: str, inside: Words) -> _Meaning | None:
        """Return the meaning of the result of a member function of the operation."""
        member = None if inside else self._shape.accessed(function)
        if member is not None:
            index = self._shape.group(member)
            if index is not None:
                return (index,)
            return None if isinstance(member, AttributeDefinition) else _Body()
        if function in _SAME_OPERATION and not inside:
            return _OwnOperation()
        if function in _BODIES:
            return _Body()
        if function in _RANGES and not inside:
            return self._range(_RANGES[function])
        if function in _ELEMENTS:
            return self._element(self._range(_ELEMENTS[function]), inside or ("0",))
        return None

    def _range(self, kind: str) -> ValueRange:
        return self._shape.operands if kind == "operands" else self._shape.results

    def _element(self, target: ValueRange, number: Words) -> ValueRange | None:
        position = integer(number[0]) if len(number) == 1 and number[0].isdigit() else None
        return None if position is None else self._shape.element(target, position)

    def _postfix(self, meaning: _Meaning, words: Words, index: int) -> tuple[_Meaning | None, int]:
        close = closing(words, index)
        if words[index] == "[" and not isinstance(meaning, _OwnOperation):
            inside = words[index + 1 : close]
            return meaning if isinstance(meaning, _Body) else self._element(meaning, inside), close + 1
        if words[index] not in (".", "->") or index + 1 >= len(words):
            return None, len(words)
        if words[index + 1] == "template":
            index += 1
        function = words[index + 1]
        opening = _behind_template(words, index + 2)
        if words[opening : opening + 1] != ("(",):
            return None, len(words)
        close = closing(words, opening)
        return self._called(meaning, function, words[opening + 1 : close]), close + 1

    def _called(self, meaning: _Meaning, function: str, inside: Words) -> _Meaning | None:
        if isinstance(meaning, _OwnOperation):
            return self._member(function, inside)
        if isinstance(meaning, _Body):
            return meaning if function in _INSIDE_BODY else None
        if function in _SAME_VALUES:
            return meaning
        return self._shape.element(meaning, 0) if function in _FIRST else None


def _behind_template(words: Words, index: int) -> int:
    """Return the index behind ``<...>`` at `index`, or `index`."""
    if words[index : index + 1] != ("<",):
        return index
    depth = 0
    for position in range(index, len(words)):
        depth += {"<": 1, ">": -1}.get(words[position], 0)
        if depth == 0:
            return position + 1
        if words[position] in OPENING and words[position] == "{":
            break
    return index
