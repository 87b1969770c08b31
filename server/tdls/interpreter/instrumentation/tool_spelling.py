"""What is inserted into scripts for tools, which know no operation but MLIR's own: they print and remark.

It changes nothing and succeeds, but for what ends a run: an operation without operands that may stand at the top level
is applied to the root of the payload wherever it stands, and a pass that does not exist fails definitely. It must not
stand in an operation of its kind, so a sequence of its own holds it.
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
"""The tools show the lines that remarks are about, character by character, if they have a place."""
_STOPPING = "__tdls_stop"
_SEQUENCE = f"named_sequence @{_STOPPING}("
_CALL = f"include @{_STOPPING} "


class Show(Enum):
    """How much is told of the operations that a handle stands for.

    MLIR numbers all values of a function to print one of its operations, so that names of many operations take long.
    """

    NOTHING = "nothing"
    PLACES = "places"
    NAMES = "names and places"


def mark(number: int) -> str:
    """Return what tells that point `number` is passed."""
    value = f"{_NAME}{number}"
    return (
        f" {value} = transform.param.constant 0 : i64 -> {_PARAMETER}"
        f' transform.debug.emit_param_as_remark {value}, "{POINT} {number}" : {_PARAMETER}{_NOWHERE} '
    )


def told(number: int, handles: tuple[Handle, ...], show: Show) -> str:
    """Return what tells how much each handle stands for, and what that is."""
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
    """Return what prints the operations that a handle stands for, "" for others."""
    if handle.kind is not HandleKind.OPERATIONS:
        return ""
    flags = "skip_regions, use_local_scope"
    return f' transform.print {handle.shown} {{name = "{ITEM} {number} {index}", {flags}}} : {handle.type} '


def state(number: int) -> str:
    """Return what prints the payload, with whatever is beside it, at point `number`."""
    return f' transform.print {{name = "{STATE} {number}"}} '


def stop() -> str:
    """Return what calls `stopping_sequence`."""
    return f" transform.include @{_STOPPING} failures(propagate) () : () -> () "


def stopping_sequence() -> str:
    """Return the sequence that prints the payload and ends the run; to be put beside another named sequence."""
    root, result = f"{_NAME}_root", f"{_NAME}_none"
    return (
        f"transform.named_sequence @{_STOPPING}() {{ transform.sequence failures(propagate) {{ ^bb0({root}: {_ROOT}):"
        f' transform.print {root} {{name = "{STOP}"}} : {_ROOT}'
        f' {result} = transform.apply_registered_pass "tdls-stop" to {root} : ({_ROOT}) -> {_ROOT} }}'
        " transform.yield } "
    )


def without_stop(printed: str) -> str:
    """Return the module `printed` without what `stop` and `stopping_sequence` put there, which begins lines."""
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
