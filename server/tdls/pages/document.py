"""A recorded run as plain data for JSON: steps, the changes of each, and handles."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tdls.interpreter.matching.document import place_object
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.recording.summary import summary_after
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.runs.model import Contents, RunDiagnostic

VERSION = 1


def document(recording: Recording) -> dict[str, Any]:
    """Return a recording whose states are known as plain data. Lines and columns are from 1, columns in characters."""
    payloads: list[str] = []
    states = [_state_of(recording, passing, payloads) for passing in range(len(recording.passings))]
    result = recording.result
    return {
        "version": VERSION,
        "script": {"path": recording.request.script.name},
        "backend": result.backend,
        "mlir": result.mlir,
        "status": result.status.value,
        "detail": result.detail,
        "unobserved": result.unobserved,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in attributed(result)],
        "failing": recording.failing.number if recording.failing is not None else None,
        "steps": [step_document(recording, step) for step in recording.steps],
        "states": states,
        "payloads": payloads,
    }


def step_document(recording: Recording, step: Step) -> dict[str, Any]:
    """Return a step as plain data; `before` and `after` are the numbers of states."""
    line, column = line_and_column(recording, step)
    change = recording.change(step)
    return {
        "number": step.number,
        "operation": step.operation,
        "path": step.file,
        "line": line,
        "column": column,
        "parent": step.parent.number if step.parent is not None else None,
        "region": step.region,
        "iteration": step.iteration,
        "execution": step.execution,
        "ended": step.ended.value,
        "reason": step.reason,
        "before": step.before,
        "after": step.after,
        "milliseconds": round(step.seconds * 1e3, 4) if step.seconds is not None else None,
        "added": len(change.added) if change is not None else None,
        "removed": len(change.removed) if change is not None else None,
        "summary": summary_after(recording, step),
        "handles": [
            {"name": new.name, "kind": new.kind.value, **_counted(new.contents)} for new in recording.results(step)
        ],
    }


def state_document(state: State) -> dict[str, Any]:
    """Return a state with its payload as plain data."""
    return {"payload": state.text, "handles": [_handle(handle) for handle in state.handles]}


def _state_of(recording: Recording, passing: int, payloads: list[str]) -> dict[str, Any] | None:
    """Return a state whose payload is an index into `payloads`, to which it is appended unless it is the last one."""
    state = recording.known_state(passing)
    if state is None:
        return None
    if state.text is not None and payloads[-1:] != [state.text]:
        payloads.append(state.text)
    number = None if state.text is None else len(payloads) - 1
    return {**state_document(state), "payload": number}


def _handle(handle: HandleState) -> dict[str, Any]:
    items = handle.contents.items if handle.contents is not None else ()
    return {
        "name": handle.name,
        "kind": handle.kind.value,
        "liveness": handle.liveness.value,
        "defined": handle.defined.number if handle.defined is not None else None,
        "since": handle.since.number if handle.since is not None else None,
        "is_current": handle.is_current,
        **_counted(handle.contents),
        "items": [{"name": item.name, "place": place_object(item.place)} for item in items],
    }


def _counted(contents: Contents | None) -> dict[str, Any]:
    if contents is None:
        return {"count": None, "names": {}}
    return {"count": contents.count, "names": contents.names}


def _diagnostic(diagnostic: RunDiagnostic) -> dict[str, Any]:
    return {
        "level": diagnostic.level.value,
        "message": diagnostic.message,
        "path": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "notes": [_diagnostic(note) for note in diagnostic.notes],
    }


def line_and_column(recording: Recording, step: Step) -> tuple[int, int]:
    """Return the line and column of the operation of `step`, from 1, in characters."""
    position = _lines(recording.source(step)).position(step.start)
    return position.line + 1, position.column + 1


@lru_cache(maxsize=8)
def _lines(text: str) -> LineIndex:
    return LineIndex(text)
