"""Values of TableGen expressions.

Strings and code are `str`; `bit` and `int` are `int`; lists are tuples.
"""

from __future__ import annotations

from typing import TypeAlias

from tdls.catalogue.sources.work import WORK
from tdls.structs import Struct

_BITS_OF_NUMBER = 64


class Missing:
    """A missing value; `sign` is its spelling for people."""

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def __repr__(self) -> str:
        return self.sign


UNSET = Missing("?")
"""``?``: the source gives no value."""

UNKNOWN = Missing("<unknown>")
"""A value that depends on something that was not found, such as a missing file."""


class Bits(tuple["EvaluatedValue", ...]):
    """``bits<n>``, the lowest first."""

    __slots__ = ()

    def number(self) -> int | Missing:
        """Return the bits as a number; `UNSET` if one is not a number, `UNKNOWN` if there are more than 64."""
        if any(not isinstance(bit, int) for bit in self):
            return UNSET
        if len(self) > _BITS_OF_NUMBER:
            return UNKNOWN
        return sum(bit << index for index, bit in enumerate(self) if isinstance(bit, int))


def bits_of(number: int, width: int) -> Bits:
    """Return the lowest `width` bits of a number. Raises OverBudget."""
    WORK.elements(width)
    return Bits([(number >> index) & 1 for index in range(width)])


class DagValue(Struct, frozen=True):
    """``(operator:$operator_name value:$name, ...)``."""

    operator: EvaluatedValue
    operator_name: str | None
    items: tuple[tuple[EvaluatedValue, str | None], ...]


class RecordValue:
    """Interface of records for expressions."""

    __slots__ = ()

    name: str

    def value(self, field: str) -> EvaluatedValue:
        """Return the value of a field; `UNSET` without one, `UNKNOWN` if it may be in a class that was not found."""
        raise NotImplementedError

    def is_a(self, class_name: str) -> bool:
        raise NotImplementedError


EvaluatedValue: TypeAlias = str | int | tuple["EvaluatedValue", ...] | DagValue | RecordValue | Missing
