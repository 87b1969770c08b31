"""Values that other processes and files may be given."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class Sendable:
    """What dataclasses inherit whose values are pickled. Compiled, a class does not know by itself how that is done."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        """Say that a value is made of those of its fields."""
        value: Any = self
        return type(self), tuple([getattr(value, field.name) for field in fields(value)])
