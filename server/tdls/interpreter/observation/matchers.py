"""Which named sequences only match: an operation asks them whether they accept an operation of the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.semantic.model import Operation

_ATTRIBUTES = ("matcher", "matchers")


def matcher_names(operations: Iterable[Operation]) -> frozenset[str]:
    """Return the names of the sequences that `operations` ask, and of all that those refer to."""
    referring: dict[str, set[str]] = {}
    pending: set[str] = set()
    for operation in operations:
        pending.update(_asked(operation))
        sequence = _sequence_around(operation)
        if sequence is not None:
            referring.setdefault(sequence, set()).update(use.path[-1] for use in operation.syntax.symbols)
    found: set[str] = set()
    while pending:
        name = pending.pop()
        found.add(name)
        pending |= referring.get(name, set()) - found
    return frozenset(found)


def _asked(operation: Operation) -> Iterator[str]:
    syntax = operation.syntax
    for attribute in syntax.attributes if syntax.definition is not None else ():
        if attribute.name in _ATTRIBUTES:
            uses = (use for use in syntax.symbols if attribute.value_start <= use.start < attribute.value_end)
            yield from (use.path[-1] for use in uses)


def _sequence_around(operation: Operation) -> str | None:
    names = map(symbol_name, operation.ancestors())
    return next((name for name in names if name is not None), None)
