"""Calls in this process: what is being executed in which files, as records and as locations of MLIR."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType, TracebackType

_OWN = (str(Path(__file__).parents[2]) + os.sep, "<frozen ")
"""How the names of files begin that are of tdls, or of how Python imports."""
_MOST_FRAMES = 100
_UNIT = 2
"""Bytes of an instruction, for each of which Python knows the place."""


def stack_of_frame(frame: FrameType | None) -> list[list[Any]]:
    """Return the calls that led to `frame`, from it outward, each as the fields of a `Frame`; none of tdls's own."""
    return list(islice(_frames(frame), _MOST_FRAMES))


def stack_of_traceback(traceback: TracebackType | None) -> list[list[Any]]:
    """Return the calls that led to where an exception was raised, from there outward, as `stack_of_frame`."""
    calls: list[list[Any]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not _is_own(code):
            calls.append(_call(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    return calls[::-1][:_MOST_FRAMES]


def first_line(function: Any) -> list[Any] | None:
    """Return the line where a function of Python begins, as the fields of a `Frame`; None for others."""
    code = getattr(_innermost(function), "__code__", None)
    return [code.co_filename, _name(code), code.co_firstlineno, 0, 0, 0] if code is not None else None


def own_location(ir: Any, context: Any) -> Any:
    """Return the calls that led here as a location of MLIR."""
    calls = [_location(ir, context, call) for call in stack_of_frame(sys._getframe())]
    if not calls:
        return ir.Location.unknown(context)
    return ir.Location.callsite(calls[0], calls[1:], context) if len(calls) > 1 else calls[0]


def _location(ir: Any, context: Any, call: list[Any]) -> Any:
    file, name, line, column, end_line, end_column = call
    place = (file, line, column, end_line, end_column) if end_line else (file, line, column)
    return ir.Location.name(name, ir.Location.file(*place, context), context)


def _frames(frame: FrameType | None) -> Iterator[list[Any]]:
    while frame is not None:
        if not _is_own(frame.f_code):
            yield _call(frame.f_code, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back


def _call(code: CodeType, instruction: int, line: int | None) -> list[Any]:
    places = getattr(code, "co_positions", None)
    if places is not None and instruction >= 0:
        start, end, column, end_column = next(islice(places(), instruction // _UNIT, None), (None,) * 4)
        if start is not None and end is not None and column is not None and end_column is not None:
            return [code.co_filename, _name(code), start, column, end, end_column]
    return [code.co_filename, _name(code), line or 0, 0, 0, 0]


def _name(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)


def _is_own(code: CodeType) -> bool:
    return code.co_filename.startswith(_OWN)


def _innermost(function: Any) -> Any:
    """Return what a function wraps, or a partial one applies."""
    for _ in range(_MOST_FRAMES):
        inner = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
        if inner is None:
            break
        function = inner
    return function
