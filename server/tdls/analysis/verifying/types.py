"""What types say of each other, where that is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.handle_types import kind_of
from tdls.semantic.types import comparable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

    Differ = Callable[[str | None, str | None], bool]
    """Tells whether two canonical types, None where one is not known, are certain not to fit."""


def result_types(context: Context, operation: Operation) -> tuple[str | None, ...] | None:
    """Return the canonical types of results, whether they are named or not; None where it is not known which."""
    if operation.results:
        return tuple(result.type for result in operation.results)
    spelled = operation.syntax.result_types
    return tuple(context.model.types.canonical(each.text) for each in spelled) if spelled is not None else None


def are_of_other_kinds(context: Context, first: str | None, second: str | None) -> bool:
    """Tell whether two types of scripts stand for different things: operations, values, parameters."""
    if first is None or second is None:
        return False
    kinds = kind_of(context.catalogue, first), kind_of(context.catalogue, second)
    return None not in kinds and kinds[0] is not kinds[1]


def differ(first: str | None, second: str | None) -> bool:
    """Tell whether two canonical types are certain to be different."""
    if first is None or second is None:
        return False
    return first != second and comparable(first) and comparable(second)
