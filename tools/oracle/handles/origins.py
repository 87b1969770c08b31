"""Which operations of a script a handle comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oracle.handles.scripts import HandleScript
    from tdls.syntax.tree import Operation

MATCH = "transform.structured.match"


class Origins(NamedTuple):
    """The origins of some handles, by names: `operations` made them, or made the operands of these, and so on.

    `handles` are the ones on the way. Arguments of a block come from the operation around it, and those of a sequence
    from its callers.
    """

    operations: frozenset[str]
    handles: frozenset[str]
    searches: frozenset[str]
    """The criteria of the matches among the operations, as they are written."""


def origins(script: HandleScript, handles: Iterable[str]) -> Origins:
    """Return the origins of `handles` of a generated script, whose names are unique."""
    operations = [operation for text in (script.text, script.library) for operation in _operations(text)]
    makers: dict[str, list[Operation]] = {}
    for operation in operations:
        for name in _made_by(operation):
            makers.setdefault(name, []).append(operation)
    found: dict[int, Operation] = {}
    used: set[str] = set()
    todo = [maker for handle in handles for maker in makers.get(handle, ())]
    while todo:
        operation = todo.pop()
        if id(operation) not in found:
            found[id(operation)] = operation
            names = set(_used_by(operation, operations))
            used |= names
            todo += [maker for name in names for maker in makers.get(name, ())]
    searches = (_asked(operation) for operation in found.values() if operation.name == MATCH)
    return Origins(frozenset(each.name for each in found.values()), frozenset(used), frozenset(searches))


def _asked(match: Operation) -> str:
    return ", ".join(sorted(f"{attribute.name} = {attribute.value}" for attribute in match.attributes))


def _operations(text: str) -> Iterator[Operation]:
    yield from (each for each in parse(text, Catalogue.shipped()).walk() if each.name.startswith("transform."))


def _made_by(operation: Operation) -> Iterator[str]:
    yield from (group.name for group in operation.results)
    blocks = (block for region in operation.regions for block in region.blocks)
    yield from (argument.name for block in blocks for argument in block.arguments)


def _used_by(operation: Operation, operations: Iterable[Operation]) -> Iterator[str]:
    """Yield the names of its operands, of values that it or its callee yields, and of the operands of its callers."""
    yield from (use.name for use in operation.operands)
    callees = {symbol.path[-1] for symbol in operation.symbols}
    for other in operations:
        if other is operation or other.symbol_name in callees:
            yield from (use.name for each in other.walk() if each.name == "transform.yield" for use in each.operands)
        if operation.symbol_name in {symbol.path[-1] for symbol in other.symbols}:
            yield from (use.name for use in other.operands)
