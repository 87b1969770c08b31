"""Functions that parse operations, or parts of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.bounds.limits import PARSER_TOKENS
from tdls.catalogue.model import SourcePlace
from tdls.catalogue.sources.cpp.effects.statements import CompoundStatement, read_statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.sources.cpp.effects.statements import Words

_PARSER = "OpAsmParser"
_STATE = "OperationState"
_OPERAND = frozenset(("UnresolvedOperand", "OperandType"))
"""The class of operands that are not resolved yet, today and before LLVM 15."""
_NOWHERE = SourcePlace(Path(), 0)
_LISTS = frozenset(("SmallVector", "SmallVectorImpl", "ArrayRef"))


class Holds(Enum):
    """What a variable holds of the operands that were read."""

    NOTHING = "nothing"
    ONE = "one"
    LIST = "list"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class ParserFunction:
    """A function that is given the parser of an operation. Parameters are told by their index."""

    parameters: tuple[str, ...]
    holds: tuple[Holds, ...]
    parser: int
    state: int | None
    """The operation that is being made, None where the function is not given it."""
    body: CompoundStatement
    size: int
    """The tokens of its body."""


def parser_function(parameters: Sequence[Words], names: tuple[str, ...], words: Words) -> ParserFunction | None:
    """The function with the `words` of its body; None where it has no parser, or is larger than what is followed."""
    parser = _index(parameters, _PARSER)
    if parser is None or len(words) > PARSER_TOKENS.most or "#" in words:
        return None
    holds = tuple(map(held_by, parameters))
    return ParserFunction(names, holds, parser, _index(parameters, _STATE), statements_of(words), len(words))


def statements_of(words: Words) -> CompoundStatement:
    """The statements of a body. Nobody asks where they are."""
    return read_statements(words, [_NOWHERE] * len(words))


def held_by(declaration: Words) -> Holds:
    """What a variable with this type holds, given the words of the type, and perhaps of more."""
    if not names_operand(declaration):
        return Holds.NOTHING
    templates = [word for word, following in pairwise(declaration) if following == "<"]
    if not templates or templates == ["optional"]:
        return Holds.ONE
    return Holds.LIST if len(templates) == 1 and templates[0] in _LISTS else Holds.UNCLEAR


def names_operand(words: Words) -> bool:
    """Do words name the class of operands that are not resolved yet?"""
    return not _OPERAND.isdisjoint(words)


def _index(parameters: Sequence[Words], type_name: str) -> int | None:
    return next((index for index, parameter in enumerate(parameters) if type_name in parameter[:-1]), None)
