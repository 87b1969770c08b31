"""A recorded run as text: a line for each step, or one state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.trace.words import (
    ENDINGS,
    contents_in_words,
    liveness_in_words,
    place,
    short_name,
)
from tdls.interpreter.model import Status
from tdls.interpreter.recording.records import Liveness
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.recording.steps import Step

_NOT_KEPT = "// the payload is not known here"


def step_lines(recording: Recording) -> Iterator[str]:
    """Yield a line for each step: number, place, milliseconds, lines added and removed, operation, new handles."""
    rows = [_row(recording, step) for step in recording.steps]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, *(cell for cell in row[4:] if cell)]).rstrip()


def _row(recording: Recording, step: Step) -> list[str]:
    handles = (f"{new.name} = {contents_in_words(new.kind, new.contents)}" for new in recording.results(step))
    ending = "failed" if _is_failed(recording, step) else ENDINGS.get(step.ended, "")
    return [
        str(step.number),
        place(recording, step),
        f"{step.seconds * 1e3:.2f} ms" if step.seconds is not None else "",
        _changed(recording, step),
        "  " * step.depth + short_name(step),
        f"[{ending}]" if ending else "",
        ", ".join(handles),
    ]


def _is_failed(recording: Recording, step: Step) -> bool:
    return recording.result.status is Status.FAILURE and recording.failing is step


def _changed(recording: Recording, step: Step) -> str:
    change = recording.change(step)
    if change is None:
        return "" if step.after is None else "?"
    return f"+{len(change.added)} -{len(change.removed)}" if change.added or change.removed else ""


def state_lines(recording: Recording, state: State, title: str) -> Iterator[str]:
    """Yield a state as MLIR, with what is known of handles in comments before the payload."""
    yield f"// {title}"
    width = max((len(handle.name) for handle in state.handles), default=0)
    for handle in state.handles:
        yield f"//   {handle.name.ljust(width)}  {_handle(recording, handle)}"
    if state.text is None:
        yield _NOT_KEPT
    else:
        yield from state.text.splitlines()


def _handle(recording: Recording, handle: HandleState) -> str:
    if handle.liveness is not Liveness.LIVE:
        return liveness_in_words(recording, handle)
    if handle.kind is HandleKind.PARAMETERS:
        return f"= {contents_in_words(handle.kind, handle.contents)}"
    then = "" if handle.is_current else ", when it was defined"
    return f"live: {contents_in_words(handle.kind, handle.contents)}{then}"
