"""A recorded run as events that Perfetto and chrome://tracing show: time by step, the inner below the outer.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Trace Event Format).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.cli.rendering.trace.words import contents_in_words, place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.steps import Step

_MICROSECONDS = 1e6


def trace_events(recordings: Iterable[Recording]) -> dict[str, Any]:
    """Return the events of `recordings`, each a process of its own; steps without times are left out."""
    events: list[dict[str, Any]] = []
    for process, recording in enumerate(recordings, 1):
        events.append(_named("process_name", process, recording.request.script.name))
        events.append(_named("thread_name", process, recording.result.backend))
        events += (_event(recording, step, process) for step in recording.steps if step.began is not None)
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def _named(what: str, process: int, name: str) -> dict[str, Any]:
    return {"name": what, "ph": "M", "pid": process, "tid": 1, "args": {"name": name}}


def _event(recording: Recording, step: Step, process: int) -> dict[str, Any]:
    change = recording.change(step)
    return {
        "name": step.operation,
        "cat": "transform",
        "ph": "X",
        "ts": round((step.began or 0.0) * _MICROSECONDS, 3),
        "dur": round((step.seconds or 0.0) * _MICROSECONDS, 3),
        "pid": process,
        "tid": 1,
        "args": {
            "step": step.number,
            "place": place(recording, step),
            "ended": step.ended.value,
            "added": len(change.added) if change is not None else None,
            "removed": len(change.removed) if change is not None else None,
            "handles": {new.name: contents_in_words(new.kind, new.contents) for new in recording.results(step)},
        },
    }
