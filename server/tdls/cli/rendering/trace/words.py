"""The words for steps and handles that all formats use."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.interpreter.recording.records import Liveness
from tdls.interpreter.recording.steps import StepEnd
from tdls.semantic.handle_types import HandleKind
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from tdls.interpreter.model import Contents
    from tdls.interpreter.recording.recording import HandleState, Recording
    from tdls.interpreter.recording.steps import Step

ENDINGS = {StepEnd.ABANDONED: "given up", StepEnd.UNFINISHED: "not finished"}
_NAMES = 3
_PREFIX = "transform."


def short_name(step: Step) -> str:
    """Return the operation of `step` without the name of the dialect, and which iteration it is of the body around."""
    name = step.operation.removeprefix(_PREFIX)
    return name if step.iteration == 1 else f"{name} #{step.iteration}"


def line_and_column(recording: Recording, step: Step) -> tuple[int, int]:
    """Return where the operation of `step` is written, from 1, in characters."""
    position = _lines(recording.source(step)).position(step.start)
    return position.line + 1, position.column + 1


@lru_cache(maxsize=8)
def _lines(text: str) -> LineIndex:
    return LineIndex(text)


def place(recording: Recording, step: Step) -> str:
    """Return the place of `step`, with the file unless that is the script."""
    line, column = line_and_column(recording, step)
    file = "" if step.file == recording.request.script.name else f"{step.file}:"
    return f"{file}{line}:{column}"


def contents_in_words(kind: HandleKind, contents: Contents | None) -> str:
    """Return what a handle stands for in a few words: ``3 linalg.matmul``, or the values of a parameter."""
    if contents is None:
        return "?"
    if not contents.count:
        return "nothing"
    names = list(contents.names.items())
    if kind is HandleKind.PARAMETERS:
        said = [name for name, count in names for _ in range(count)]
    else:
        said = [f"{count} {name}" if name else str(count) for name, count in names]
    return ", ".join([*said[:_NAMES], *(["..."] if len(said) > _NAMES else [])]) or str(contents.count)


def liveness_in_words(recording: Recording, handle: HandleState) -> str:
    """Return whether a handle can be used, and if not since when."""
    if handle.liveness is Liveness.LIVE:
        return "live"
    word = "stale" if handle.liveness is Liveness.STALE else "perhaps stale"
    if handle.since is None:
        return word
    return f"{word} since step {handle.since.number} ({place(recording, handle.since)} {handle.since.operation})"
