"""A recorded run as JSON, and as one self-contained page of HTML: steps, the changes of each, and handles."""

from __future__ import annotations

from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.trace.text import line_and_column
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.recording.changes import following_origins
from tdls.interpreter.recording.summary import summary_after
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.recording.recording import HandleState, Recording, State
    from tdls.interpreter.recording.steps import Step
    from tdls.interpreter.runs.model import Contents, Place, RunDiagnostic

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
        "items": [{"name": item.name, "place": _place(item.place)} for item in items],
    }


def _counted(contents: Contents | None) -> dict[str, Any]:
    if contents is None:
        return {"count": None, "names": {}}
    return {"count": contents.count, "names": contents.names}


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"path": place.file, "line": place.line, "column": place.column}


def _diagnostic(diagnostic: RunDiagnostic) -> dict[str, Any]:
    return {
        "level": diagnostic.level.value,
        "message": diagnostic.message,
        "path": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "notes": [_diagnostic(note) for note in diagnostic.notes],
    }


class _PageTemplate(Template):
    delimiter = "@@"  # `$` stands for values in the page's script


def page(recordings: Sequence[Recording], matches: Sequence[dict[str, Any] | None]) -> str:
    """Return the page of `recordings` whose states are known, each with its matches if these were requested."""
    files = [file.name for each in recordings for file in (each.request.script, *each.request.others)]
    pairs = zip(recordings, matches, strict=True)
    data = json_text([{**_data(recording), "matches": matched} for recording, matched in pairs])
    for file in files:
        data = data.replace(f'"{file}', f'"{_sent(file)}')
    template = _PageTemplate(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    # A `<` could end the script element; JSON has it in strings only, where this escape stands for it.
    return template.substitute(title=escape(_sent(files[0]) if files else ""), data=data.replace("<", "\\u003c"))


def _sent(file: str) -> str:
    """Return the name of a file for a page that is sent to others: without folders of this machine."""
    return Path(file).name if Path(file).is_absolute() else file


def _data(recording: Recording) -> dict[str, Any]:
    """Return the document of a recording, with payloads as changes of the previous one, and more data for the page."""
    page_data = document(recording)
    payloads = [text.split("\n") for text in page_data["payloads"]]
    changed = ((after, *ChangedRange.between(before, after)) for before, after in pairwise([[], *payloads]))
    # The first line of each change, the number of removed lines, and the new lines.
    page_data["payloads"] = [(begin, end - begin, after[begin:new_end]) for after, begin, end, new_end in changed]
    page_data["source"] = recording.request.script.original
    page_data["origins"] = list(_origins(recording))
    for step, data in zip(recording.steps, page_data["steps"], strict=True):
        change = recording.change(step)
        data["hunks"] = change.hunks() if change is not None and (change.added or change.removed) else []
    return page_data


def _origins(recording: Recording) -> Iterator[list[tuple[int, int, int]]]:
    """Yield for each payload its groups of lines: their count, the step that made and the step that changed them."""
    before: str | None = None
    texts = ((passing, recording.text(passing)) for passing in range(len(recording.passings)))
    for passing, known in following_origins((passing, text) for passing, text in texts if text is not None):
        text = recording.text(passing)
        if text != before:
            yield [
                (len(list(lines)), _number(recording, made), _number(recording, changed))
                for (made, changed), lines in groupby(known)
            ]
        before = text


def _number(recording: Recording, passing: int | None) -> int:
    step = recording.step_to(passing)
    return step.number if step is not None else 0
