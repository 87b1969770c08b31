"""The rule `positional-match`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.catalogue.model import RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value

_MOST_COPIES: Final = 16
"""Maximum number of casts through which to follow a handle."""


def check(_context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report handles that distinguish the operations of a match by their order in the payload."""
    for operation in operations:
        handle = _split_handle(operation)
        maker = _maker(handle) if handle is not None else None
        if maker is not None and _looks_in_payload(maker):
            text = f"`{operation.name}` depends on the order of matches of `{maker.name}`"
            help_text = "match each of them by a property that the others do not have"
            message = f"{text}: another match in front shifts all"
            yield Finding(RULE.name, RULE.level, message, operation.location, help=help_text)


def _split_handle(operation: Operation) -> Value | None:
    """Return the handle that an operation splits by payload order, or None if it does not, or has only one part."""
    definition = operation.definition
    if definition is None or operation.syntax.broken or len(operation.results) < 2:
        return None
    counts = (result.count.operations_of for result in definition.results if result.count is not None)
    name = next((name for name in counts if name), None)
    return next(iter(operation.group(name)), None) if name is not None else None


def _maker(handle: Value) -> Operation | None:
    """Return the operation that defines a handle, with casts skipped."""
    maker = handle.operation
    for _ in range(_MOST_COPIES):
        definition = maker.definition if maker is not None else None
        relations = definition.results[0].relations if definition is not None and definition.results else ()
        if maker is None or not any(relation.kind is RelationKind.SAME for relation in relations):
            break
        source = maker.first_operand
        maker = source.operation if source is not None else None
    return maker


def _looks_in_payload(maker: Operation) -> bool:
    """Whether an operation finds its result by walking the payload."""
    definition = maker.definition
    relations = definition.results[0].relations if definition is not None and definition.results else ()
    asks = any(attribute.asks is not None for attribute in definition.attributes) if definition is not None else False
    return asks and any(relation.kind is RelationKind.FOUND_IN for relation in relations)


RULE: Final = Rule("positional-match", check=check, is_silent=True, once_per_file=True)
