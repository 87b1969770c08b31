"""How the operations are written that are inserted into scripts: names, attributes, spelling."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.observation.points import Handle

DIALECT: Final = "tdls"
OBSERVE: Final = "tdls.observe"
"""Writes down what its operands stand for."""
STOP: Final = "tdls.stop"
"""Ends the run."""
INSERTED: Final = (OBSERVE, STOP)
POINT: Final = "point"
"""The number of the point that the operation stands at."""
FIRST: Final = "first"
"""The number of its first operand among the handles of the point; the operation with 0 is the first of them."""
KIND: Final = "kind"
OPERATIONS, VALUES, PARAMETERS = range(3)
_KINDS = {HandleKind.OPERATIONS: OPERATIONS, HandleKind.VALUES: VALUES, HandleKind.PARAMETERS: PARAMETERS}
_INTEGER = "i64"


def definition() -> str:
    """Return the operations as IRDL has them. Those observed at once are any number, but all of one type."""
    observe, stop = (name.partition(".")[2] for name in INSERTED)
    return (
        f"irdl.dialect @{DIALECT} {{ irdl.operation @{stop} {{ }}\n irdl.operation @{observe} "
        "{ %0 = irdl.any\n irdl.operands(handles: variadic %0) } }"
    )


def stop() -> str:
    """Return the operation that ends the run."""
    return f'"{STOP}"() : () -> () '


def spelled(point: int, handles: tuple[Handle, ...]) -> str:
    """Return the operations that observe `handles` at the point with this number; without handles they only mark it."""
    return " ".join(["", *_spelled(point, handles), ""])


def _spelled(point: int, handles: tuple[Handle, ...]) -> Iterator[str]:
    first = 0
    for (type_, kind), group in groupby(handles, lambda handle: (handle.type, handle.kind)):
        names = [handle.shown for handle in group]
        yield _one(point, first, _KINDS[kind], names, type_)
        first += len(names)
    if not handles:
        yield _one(point, 0, OPERATIONS, [], "")


def _one(point: int, first: int, kind: int, names: list[str], type_: str) -> str:
    attributes = ", ".join(
        f"{name} = {value} : {_INTEGER}" for name, value in ((POINT, point), (FIRST, first), (KIND, kind))
    )
    types = ", ".join([type_] * len(names))
    return f'"{OBSERVE}"({", ".join(names)}) {{{attributes}}} : ({types}) -> ()'
