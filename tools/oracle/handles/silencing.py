"""Which operations of a script are executed where silenceable failures are silenced."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.syntax.tree import Operation, Tree

_SUPPRESSING = "suppress"
_INSIDE = "transform.alternatives"
_ACTING = "transform.foreach_match"


def silenced(trees: Sequence[Tree]) -> list[Operation]:
    """Return the operations that a failure of is not, or not always, one of the script.

    That is so in sequences that suppress failures, in alternatives, in actions of ``foreach_match``, which goes on with
    the next match, and in all that is called from there.
    """
    operations = [operation for tree in trees for operation in tree.walk()]
    sequences = {operation.symbol_name: operation for operation in operations if operation.symbol_name}
    todo = [nested for operation in operations if _silences(operation) for nested in _inside(operation, sequences)]
    found: dict[int, Operation] = {}
    while todo:
        operation = todo.pop()
        if id(operation) not in found:
            found[id(operation)] = operation
            todo += _called(operation, sequences)
    return list(found.values())


def _silences(operation: Operation) -> bool:
    mode = operation.attribute("failure_propagation_mode")
    is_suppressing = mode is not None and mode.value == _SUPPRESSING
    return is_suppressing or operation.name in (_INSIDE, _ACTING)


def _inside(operation: Operation, sequences: dict[str, Operation]) -> Iterator[Operation]:
    nested = operation.walk()
    next(nested)
    yield from nested
    yield from _called(operation, sequences)


def _called(operation: Operation, sequences: dict[str, Operation]) -> Iterable[Operation]:
    for symbol in operation.symbols:
        callee = sequences.get(symbol.path[-1])
        yield from callee.walk() if callee is not None else ()
