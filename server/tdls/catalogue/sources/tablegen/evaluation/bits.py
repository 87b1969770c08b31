"""Values of the type ``bits<n>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.sources.tablegen.evaluation.values import UNKNOWN, UNSET
from tdls.catalogue.sources.work import WORK

if TYPE_CHECKING:
    from tdls.catalogue.sources.tablegen.evaluation.values import EvaluatedValue, Missing

_BITS_OF_NUMBER = 64


class Bits(tuple["EvaluatedValue", ...]):
    """``bits<n>``, the lowest first."""

    __slots__ = ()

    def number(self) -> int | Missing:
        """The bits as a number; unset if one of them is, and not known if there are more than a number has."""
        if any(not isinstance(bit, int) for bit in self):
            return UNSET
        if len(self) > _BITS_OF_NUMBER:
            return UNKNOWN
        return sum(bit << index for index, bit in enumerate(self) if isinstance(bit, int))


def bits_of(number: int, width: int) -> Bits:
    """The lowest `width` bits of a number. Raises OverBudget."""
    WORK.elements(width)
    return Bits([(number >> index) & 1 for index in range(width)])
