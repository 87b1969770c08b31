"""What TableGen expressions evaluate to.

Strings and code are `str`; `bit` and `int` are `int`; lists are tuples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    from tdls.catalogue.tablegen.records import Record


class Missing:
    """A value that is not there; `sign` is how it is written for people."""

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def __repr__(self) -> str:
        return self.sign


UNSET = Missing("?")
"""``?``: the source gives no value."""

UNKNOWN = Missing("<unknown>")
"""What depends on something that was not found, such as a file that is not there."""


class Bits(tuple["EvaluatedValue", ...]):
    """``bits<n>``, the lowest first."""

    __slots__ = ()

    def number(self) -> int | Missing:
        """The bits as a number; unset if one of them is."""
        if any(not isinstance(bit, int) for bit in self):
            return UNSET
        return sum(bit << index for index, bit in enumerate(self) if isinstance(bit, int))


@dataclass(frozen=True)
class DagValue:
    """``(operator:$operator_name value:$name, ...)``."""

    operator: EvaluatedValue
    operator_name: str | None
    items: tuple[tuple[EvaluatedValue, str | None], ...]


EvaluatedValue: TypeAlias = Union[str, int, tuple["EvaluatedValue", ...], DagValue, "Record", Missing]
