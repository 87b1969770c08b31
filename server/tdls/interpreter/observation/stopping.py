"""Where a run is stopped that is to go as far as a place in the script."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.observation.points import Point
    from tdls.text.span import FileSpan


def stop_at(points: Sequence[Point], offset: int) -> int | None:
    """Return the index of the point behind the operation that `offset` is in or at the end of, or before which it is.

    Of operations in each other it is the innermost whose siblings the interpreter executes one by one. In front of a
    terminator, the run stops there; in the head of a sequence, in front of its terminator. None where nothing is
    executed. `points` are those of one text.
    """
    here = [index for index, point in enumerate(points) if _is_in(offset, point.region)]
    if here:
        innermost = points[max(here, key=lambda index: points[index].region.start)].region
        return _in_block(points, [index for index in here if points[index].region == innermost], offset)
    outer = [index for index, point in enumerate(points) if _is_in(offset, point.around)]
    return next((index for index in outer if points[index].is_last), None)


def _in_block(points: Sequence[Point], block: list[int], offset: int) -> int | None:
    for index in block:
        behind = points[index].behind
        if behind is not None and offset <= behind.end:
            return index
    return next((index for index in reversed(block) if points[index].is_last), None)


def _is_in(offset: int, span: FileSpan) -> bool:
    return span.start <= offset < span.end
