"""A recorded run as text: a line for each step, or one state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.records import Liveness
from tdls.interpreter.observing.steps import StepEnd
from tdls.interpreter.recording.summary import summary_after, summary_of_text
from tdls.interpreter.runs.model import Status
from tdls.pages.document import line_and_column
from tdls.semantic.handle_types import NOUNS, HandleKind
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.runs.model import Contents


def trace_place(line: int, column: int, execution: int) -> str:
    """Return the value of ``--at`` for an operation; all numbers are from 1, and columns count characters."""
    return f"{line}:{column}" + (f"#{execution}" if execution > 1 else "")


ENDINGS = {
    StepEnd.SUPPRESSED: "failed, suppressed",
    StepEnd.ABANDONED: "given up",
    StepEnd.UNFINISHED: "not finished",
    StepEnd.BROKE_PAYLOAD: "broke the payload",
}
_NAMES = 3
_PREFIX = "transform."


def short_name(step: Step) -> str:
    """Return the operation of `step` without the name of the dialect, and its iteration of the body around if not 1."""
    name = step.operation.removeprefix(_PREFIX)
    return name if step.iteration == 1 else f"{name} #{step.iteration}"


def place(recording: Recording, step: Step) -> str:
    """Return the place of `step`, with the file unless it is the script."""
    line, column = line_and_column(recording, step)
    file = "" if step.file == recording.request.script.name else f"{step.file}:"
    return f"{file}{line}:{column}"


def contents_in_words(kind: HandleKind, contents: Contents | None) -> str:
    """Return the contents of a handle in a few words: ``3 linalg.matmul``, or the values of a parameter."""
    if contents is None:
        return "?"
    if not contents.count:
        return "nothing"
    words = [f"{count} {name}" if name else str(count) for name, count in contents.names.items()]
    if kind is HandleKind.PARAMETERS:
        words = [name for name, count in contents.names.items() for _ in range(count)]
    text = ", ".join([*words[:_NAMES], *(["..."] if len(words) > _NAMES else [])])
    return text or counted(contents.count, NOUNS[kind])


def liveness_in_words(recording: Recording, handle: HandleState) -> str:
    """Return whether a handle can be used, and if not, the step since which it cannot."""
    if handle.liveness is Liveness.LIVE:
        return "live"
    word = "stale" if handle.liveness is Liveness.STALE else "perhaps stale"
    if handle.since is None:
        return word
    return f"{word} since step {handle.since.number} ({place(recording, handle.since)} {handle.since.operation})"


_NOT_KEPT = "// the payload is not known here"


def step_lines(recording: Recording) -> Iterator[str]:
    """Yield a line for each step: number, place, milliseconds, lines added and removed, operation, new handles.

    A line on the loops and buffers follows a step that changed them.
    """
    rows = [_row(recording, step) for step in recording.steps]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    for step, row in zip(recording.steps, rows, strict=True):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, *(cell for cell in row[4:] if cell)]).rstrip()
        summary = summary_after(recording, step)
        if summary:
            yield f"{' ' * (sum(widths) + 2 * (len(widths) + step.depth + 1))}{summary}"


def _row(recording: Recording, step: Step) -> list[str]:
    handles = (f"{new.name} = {contents_in_words(new.kind, new.contents)}" for new in recording.results(step))
    is_failed = recording.result.status is Status.FAILURE and recording.failing is step
    reason = step.reason.partition("\n")[0]
    ending = "failed" if is_failed and step.after is None else ENDINGS.get(step.ended, "")
    return [
        str(step.number),
        place(recording, step),
        f"{step.seconds * 1e3:.2f} ms" if step.seconds is not None else "",
        _changed(recording, step),
        "  " * step.depth + short_name(step),
        f"[{ending}{f': {reason}' if reason else ''}]" if ending else "",
        ", ".join(handles),
    ]


def _changed(recording: Recording, step: Step) -> str:
    change = recording.change(step)
    if change is None:
        return "" if step.after is None else "?"
    return f"+{len(change.added)} -{len(change.removed)}" if change.added or change.removed else ""


def state_lines(recording: Recording, state: State, title: str) -> Iterator[str]:
    """Yield a state as MLIR, with the handles in comments before the payload."""
    yield f"// {title}"
    width = max((len(handle.name) for handle in state.handles), default=0)
    for handle in state.handles:
        yield f"//   {handle.name.ljust(width)}  {_handle(recording, handle)}"
    if state.text is None:
        yield _NOT_KEPT
    else:
        summary = summary_of_text(state.text, recording.request.script.catalogue)
        yield from [f"// {summary}"] if summary else []
        yield from state.text.splitlines()


def _handle(recording: Recording, handle: HandleState) -> str:
    if handle.liveness is not Liveness.LIVE:
        return liveness_in_words(recording, handle)
    if handle.kind is HandleKind.PARAMETERS:
        return f"= {contents_in_words(handle.kind, handle.contents)}"
    then = "" if handle.is_current else ", when it was defined"
    return f"live: {contents_in_words(handle.kind, handle.contents)}{then}"
