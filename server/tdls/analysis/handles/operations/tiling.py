"""Operations that take sizes from payload operations: how many of them they refuse in a known payload, and which."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.row import Meaning
from tdls.payload.operations import result_count, result_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.semantic.model import Operation, Value


class _Each(Enum):
    """The unit that needs one operation with a size."""

    HANDLE = "handle"
    TARGET = "target"
    SIZE = "size"


def _with_sizes(**groups: _Each) -> Callable[[PayloadRun, Operation], None]:
    """Return the check of an operation that takes sizes from payload operations with an index as only result.

    `groups` are the operand groups with handles of these operations.
    """

    def check(run: PayloadRun, operation: Operation) -> None:
        targets = run.held(operation.first_operand)
        for group, count in groups.items() if targets != () else ():
            wanted = 1 if count is _Each.HANDLE else len(targets) if count is _Each.TARGET and targets else None
            for handle in operation.group(group):
                if handle is not None:
                    _check_size(run, operation, handle, wanted, count)

    return check


def _check_size(run: PayloadRun, operation: Operation, handle: Value, wanted: int | None, count: _Each) -> None:
    held, parameters = run.held(handle), run.parameters(handle)
    given = len(held) if held is not None else len(parameters) if parameters is not None else wanted
    if given != wanted and wanted is not None:
        noun = "payload operation" if held is not None else "value"
        message = f"`{handle.shown}` holds {given or 'no'} {noun}{'' if given == 1 else 's'}, but "
        message += "one" if count is _Each.HANDLE else f"one for each of the {wanted} targets" if wanted > 1 else "one"
        run.refuse(operation, f"{message} is needed here")
    for size in held or ():
        results, kind = result_count(size), result_type(size)
        if results not in (None, 1) or (kind is not None and kind != "index"):
            has = f"a result of the type `{kind}`" if results == 1 else f"{results or 'no'} results"
            noun = "a point to split at" if operation.name == _SPLIT else "a size"
            message = f"{size.shown} has {has}: {noun} is an operation with one result, an `index`"
            run.refuse(operation, message)


_SPLIT = "transform.structured.split"
MEANINGS = {
    "transform.structured.fuse": Meaning(refuses=_with_sizes(tile_sizes=_Each.HANDLE)),
    "transform.structured.pack": Meaning(refuses=_with_sizes(packed_sizes=_Each.HANDLE)),
    _SPLIT: Meaning(refuses=_with_sizes(dynamic_chunk_sizes=_Each.TARGET)),
    "transform.structured.tile_using_for": Meaning(refuses=_with_sizes(dynamic_sizes=_Each.TARGET)),
    "transform.structured.tile_using_forall": Meaning(
        refuses=_with_sizes(
            num_threads=_Each.HANDLE,
            tile_sizes=_Each.HANDLE,
            packed_num_threads=_Each.SIZE,
            packed_tile_sizes=_Each.SIZE,
        )
    ),
    "transform.structured.vectorize": Meaning(refuses=_with_sizes(vector_sizes=_Each.HANDLE)),
}
