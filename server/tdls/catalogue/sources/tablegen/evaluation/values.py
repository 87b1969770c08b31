"""What TableGen expressions evaluate to.

Strings and code are `str`; `bit` and `int` are `int`; lists are tuples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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


@dataclass(frozen=True)
class DagValue:
    """``(operator:$operator_name value:$name, ...)``."""

    operator: EvaluatedValue
    operator_name: str | None
    items: tuple[tuple[EvaluatedValue, str | None], ...]


class RecordValue:
    """A record, as far as expressions ask for it."""

    __slots__ = ()

    name: str

    def value(self, field: str) -> EvaluatedValue:
        """The value of a field; unset where it has none, unknown where it may have one that was not found."""
        raise NotImplementedError

    def is_a(self, class_name: str) -> bool:
        """Does the record derive from the class?"""
        raise NotImplementedError


EvaluatedValue: TypeAlias = str | int | tuple["EvaluatedValue", ...] | DagValue | RecordValue | Missing
