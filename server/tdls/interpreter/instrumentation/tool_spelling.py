"""Spells the instrumentation for tools, which have no operations other than MLIR's own: prints and remarks.

It changes nothing and succeeds, except for the stop: an operation without operands that may be at the top level is
applied to the payload's root at any depth, and a pass that does not exist fails definitely. It must not be nested in an
operation of its kind, so a separate sequence contains it.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from tdls.interpreter.instrumentation.points import Handle

POINT: Final = "tdls.point"
COUNT: Final = "tdls.count"
ITEM: Final = "tdls.item"
STOP: Final = "tdls.stop"
STATE: Final = "tdls.state"
_NAME = "%__tdls"
_PARAMETER = "!transform.param<i64>"
_ROOT = "!transform.any_op"
_NOWHERE = " loc(unknown)"
"""If a remark has a position, the tools print its source line, character by character."""
_STOPPING = "__tdls_stop"
_SEQUENCE = f"named_sequence @{_STOPPING}("
_CALL = f"include @{_STOPPING} "


class Show(Enum):
    """The level of detail for the operations of a handle.

    MLIR numbers all values of a function to print one of its operations, so that names of many operations take long.
    """

    NOTHING = "nothing"
    PLACES = "places"
    NAMES = "names and places"


def mark(number: int) -> str:
    """Return operations that report passing point `number`."""
    value = f"{_NAME}{number}"
    return (
        f" {value} = transform.param.constant 0 : i64 -> {_PARAMETER}"
        f' transform.debug.emit_param_as_remark {value}, "{POINT} {number}" : {_PARAMETER}{_NOWHERE} '
    )


def told(number: int, handles: tuple[Handle, ...], show: Show) -> str:
    """Return operations that report the size and the items of each handle."""
    return "".join(
        _count(number, index, handle)
        + (_places(number, index, handle) if show is not Show.NOTHING else "")
        + (names(number, index, handle) if show is Show.NAMES else "")
        for index, handle in enumerate(handles)
    )


def _count(number: int, index: int, handle: Handle) -> str:
    value = f"{_NAME}{number}_{index}"
    return (
        f" {value} = transform.num_associations {handle.shown} : ({handle.type}) -> {_PARAMETER}"
        f' transform.debug.emit_param_as_remark {value}, "{COUNT} {number} {index}" : {_PARAMETER}{_NOWHERE} '
    )


def _places(number: int, index: int, handle: Handle) -> str:
    operation = "emit_param_as_remark" if handle.kind is HandleKind.PARAMETERS else "emit_remark_at"
    return f' transform.debug.{operation} {handle.shown}, "{ITEM} {number} {index}" : {handle.type}{_NOWHERE} '


def names(number: int, index: int, handle: Handle) -> str:
    """Return an operation that prints the operations of a handle, "" for other kinds of handles."""
    if handle.kind is not HandleKind.OPERATIONS:
        return ""
    flags = "skip_regions, use_local_scope"
    return f' transform.print {handle.shown} {{name = "{ITEM} {number} {index}", {flags}}} : {handle.type} '


def state(number: int) -> str:
    """Return an operation that prints the payload, and all of its module, at point `number`."""
    return f' transform.print {{name = "{STATE} {number}"}} '


def stop() -> str:
    """Return an operation that calls `stopping_sequence`."""
    return f" transform.include @{_STOPPING} failures(propagate) () : () -> () "


def stopping_sequence() -> str:
    """Return the sequence that prints the payload and ends the run, to be inserted next to another named sequence."""
    root, result = f"{_NAME}_root", f"{_NAME}_none"
    return (
        f"transform.named_sequence @{_STOPPING}() {{ transform.sequence failures(propagate) {{ ^bb0({root}: {_ROOT}):"
        f' transform.print {root} {{name = "{STOP}"}} : {_ROOT}'
        f' {result} = transform.apply_registered_pass "tdls-stop" to {root} : ({_ROOT}) -> {_ROOT} }}'
        " transform.yield } "
    )


def without_stop(printed: str) -> str:
    """Return the module `printed` without the text of `stop` and `stopping_sequence`, which MLIR prints on lines of
    their own.
    """
    kept: list[str] = []
    indentation: str | None = None
    for line in printed.splitlines(keepends=True):
        if indentation is not None:
            indentation = None if line.startswith(f"{indentation}}}") else indentation
        elif _SEQUENCE in line:
            indentation = line[: len(line) - len(line.lstrip(" "))]
        elif _CALL not in line:
            kept.append(line)
    return "".join(kept)
