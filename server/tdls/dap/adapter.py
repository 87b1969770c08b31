"""Debug adapter: handles the requests of one client in order, by moving a position through the steps of a recording."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.dap.messages import Body, RequestRefusedError
from tdls.dap.recorded_run import ConditionError, check_condition, value_in_words
from tdls.ide.runs.run_report import summary
from tdls.interpreter.errors import BackendError, RecordingError
from tdls.text.positions import LineIndex
from tdls.text.printable import printable
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from tdls.dap.messages import Channel, Request
    from tdls.dap.recorded_run import RecordedRun
    from tdls.interpreter.recording.recording import HandleState
    from tdls.interpreter.recording.steps import Step

Launch = Callable[[Body], "RecordedRun"]
"""Records the run that the arguments of a launch request describe. Raises RequestRefusedError."""
_LOGGER = logging.getLogger(__name__)
_THREAD = 1
_CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsExceptionInfoRequest": True,
    "supportsTerminateRequest": True,
}


class Adapter:
    """One session with a client. The position is in front of step `_at` (1-based), or at the end of the run."""

    def __init__(self, channel: Channel, launch: Launch) -> None:
        self._channel = channel
        self._launch = launch
        self._run: RecordedRun | None = None
        self._at = 1
        self._has_failed = False
        self._stops_on_entry = False
        self._breakpoints: dict[str, list[Body]] = {}
        self._variables: list[tuple[str, Any]] = []
        self._first_line = self._first_column = 1
        self._events: list[tuple[str, Body | None]] = []

    def serve(self) -> None:
        """Answer requests until the client disconnects. Raises BrokenFramingError."""
        try:
            while (request := self._channel.read()) is not None and self._answer(request):
                pass
        finally:
            if self._run is not None:
                self._run.close()

    def _answer(self, request: Request) -> bool:
        """Handle a request; return False after the last one of the session.

        The handler runs before the response is sent, so a failure becomes a refusal; events follow the response.
        """
        handler = getattr(self, f"_on_{request.command}", None)
        self._events = []
        try:
            if handler is None:
                raise RequestRefusedError(f"{request.command} is not supported")
            body = handler(request.arguments)
        except (RequestRefusedError, RecordingError, BackendError) as error:
            self._channel.refuse(request, str(error))
            return True
        except Exception as error:
            _LOGGER.exception("%s failed", request.command)
            self._channel.refuse(request, f"{request.command} failed, which is a mistake in tdls; report it: {error!r}")
            return True
        self._channel.respond(request, body)
        for event, content in self._events:
            self._channel.tell(event, content)
        return request.command not in ("disconnect", "terminate")

    def _tell(self, event: str, body: Body | None = None) -> None:
        """Queue an event to be sent after the response to the current request."""
        self._events.append((event, body))

    # The session

    def _on_initialize(self, arguments: Body) -> Body | None:
        self._first_line = int(arguments.get("linesStartAt1", True) is not False)
        self._first_column = int(arguments.get("columnsStartAt1", True) is not False)
        return _CAPABILITIES

    def _on_launch(self, arguments: Body) -> Body | None:
        if self._run is not None:
            raise RequestRefusedError("a script is launched already; disconnect first")
        self._run = self._launch(arguments)
        self._stops_on_entry = arguments.get("stopOnEntry", True) is not False
        result = self._run.recording.result
        if result.printed:
            self._tell("output", {"category": "stdout", "output": result.printed})
        self._tell("initialized")
        return None

    def _on_configurationDone(self, _arguments: Body) -> Body | None:  # noqa: N802
        if self._stops_on_entry or not self._launched.steps:
            self._stop("entry")
        else:
            self._go_on(1)
        return None

    def _on_disconnect(self, _arguments: Body) -> Body | None:
        return None

    def _on_terminate(self, _arguments: Body) -> Body | None:
        self._tell("terminated")
        return None

    # Breakpoints

    def _on_setBreakpoints(self, arguments: Body) -> Body | None:  # noqa: N802
        path = _path(arguments.get("source"))
        given = arguments.get("breakpoints")
        found = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
        answers = [self._checked(path, breakpoint_) for breakpoint_ in found]
        self._breakpoints[path] = [
            {**breakpoint_, "line": answer["line"], "hits": 0}
            for breakpoint_, answer in zip(found, answers, strict=True)
            if answer["verified"]
        ]
        return {"breakpoints": answers}

    def _on_setExceptionBreakpoints(self, _arguments: Body) -> Body | None:  # noqa: N802
        return {"breakpoints": []}

    def _checked(self, path: str, breakpoint_: Body) -> Body:
        """Return the response for a breakpoint, moved to the first line at or after its own that has a step."""
        line = breakpoint_.get("line")
        if not isinstance(line, int):
            raise RequestRefusedError("a breakpoint has a line")
        steps = (self._place(step) for step in self._launched.steps)
        lines = sorted({place[1] for place in steps if place[0] == path and place[1] >= line})
        answer: Body = {"verified": bool(lines), "line": lines[0] if lines else line}
        try:
            if not lines:
                answer["message"] = "nothing was executed here or behind it"
            if breakpoint_.get("condition"):
                check_condition(str(breakpoint_["condition"]))
            if breakpoint_.get("hitCondition") and integer(str(breakpoint_["hitCondition"]).strip()) is None:
                raise ConditionError("a hit condition is a number")
        except ConditionError as error:
            answer |= {"verified": False, "message": str(error)}
        return answer

    def _is_stopped_at(self, number: int) -> bool:
        step = self._launched.steps[number - 1]
        path, line, _ = self._place(step)
        return any(self._is_hit(each, step) for each in self._breakpoints.get(path, ()) if each["line"] == line)

    def _is_hit(self, breakpoint_: Body, step: Step) -> bool:
        condition = breakpoint_.get("condition")
        if condition and not self._launched.holds(str(condition), step):
            return False
        hit_condition = breakpoint_.get("hitCondition")
        return not hit_condition or step.execution == integer(str(hit_condition).strip())

    # Moves

    def _on_next(self, _arguments: Body) -> Body | None:
        self._move("next")
        return None

    def _on_stepIn(self, _arguments: Body) -> Body | None:  # noqa: N802
        self._move("stepIn")
        return None

    def _on_stepOut(self, _arguments: Body) -> Body | None:  # noqa: N802
        self._move("stepOut")
        return None

    def _on_continue(self, _arguments: Body) -> Body | None:
        self._go_on(self._at + 1)
        return {"allThreadsContinued": True}

    def _on_stepBack(self, _arguments: Body) -> Body | None:  # noqa: N802
        step = self._step
        self._arrive(self._launched.back(step) if step is not None else len(self._launched.steps), "step")
        return None

    def _on_reverseContinue(self, _arguments: Body) -> Body | None:  # noqa: N802
        before = (number for number in range(self._at - 1, 0, -1) if self._is_stopped_at(number))
        number = next(before, None)
        self._arrive(number or 1, "breakpoint" if number is not None else "entry")
        return None

    def _on_pause(self, _arguments: Body) -> Body | None:
        self._stop("pause")
        return None

    def _move(self, move: str) -> None:
        step = self._step
        target = self._launched.ahead(step, move) if step is not None else self._at + 1
        self._advance(target, "step")

    def _go_on(self, first: int) -> None:
        """Continue to the first breakpoint at or after step `first`, or to the end."""
        if first == self._at and self._launched.steps and self._is_stopped_at(first):
            self._stop("breakpoint")
        else:
            self._advance(len(self._launched.steps) + 1, "step")

    def _advance(self, target: int, reason: str) -> None:
        """Go to step `target`, or stop earlier at a breakpoint or a failure; past the end, terminate the session."""
        failing = self._launched.recording.failing
        if self._step is None or self._has_failed:
            self._tell("terminated")
            return
        for number in range(self._at + 1, min(target, len(self._launched.steps) + 1)):
            if self._is_stopped_at(number):
                self._arrive(number, "breakpoint")
                return
        if target > len(self._launched.steps) and failing is not None:
            self._arrive(failing.number, "exception")
        else:
            is_hit = target <= len(self._launched.steps) and self._is_stopped_at(target)
            self._arrive(target, "breakpoint" if is_hit else reason)

    def _arrive(self, number: int, reason: str) -> None:
        self._at = number
        self._stop(reason)

    def _stop(self, reason: str) -> None:
        self._has_failed = reason == "exception"
        self._variables = []
        body: Body = {"reason": reason, "threadId": _THREAD, "allThreadsStopped": True}
        if reason == "exception":
            body["text"] = summary(self._launched.recording.result)
        elif self._step is None:
            body["description"] = "At the end of the run"
        self._tell("stopped", body)

    # Threads, frames and variables

    def _on_threads(self, _arguments: Body) -> Body | None:
        return {"threads": [{"id": _THREAD, "name": "transform script"}]}

    def _on_stackTrace(self, arguments: Body) -> Body | None:  # noqa: N802
        steps = self._launched.steps
        step = self._step
        innermost = step or (steps[-1] if steps else None)
        frames = [innermost, *reversed(innermost.path)] if innermost is not None and step is not None else [innermost]
        found = [self._frame(each, is_end=step is None) for each in frames if each is not None]
        first, count = _count(arguments, "startFrame"), _count(arguments, "levels") or len(found)
        return {"stackFrames": found[first : first + count], "totalFrames": len(found)}

    def _frame(self, step: Step, *, is_end: bool) -> Body:
        path, line, column = self._place(step)
        name = "end of the run" if is_end else step.operation
        source = {"name": Path(path).name, "path": path}
        return {"id": step.number, "name": name, "source": source, "line": line, "column": column}

    def _on_scopes(self, arguments: Body) -> Body | None:
        return {
            "scopes": [
                {
                    "name": "Handles",
                    "presentationHint": "locals",
                    "variablesReference": self._reference("handles", self._passing(arguments)),
                    "expensive": False,
                }
            ]
        }

    def _on_variables(self, arguments: Body) -> Body | None:
        reference = arguments.get("variablesReference")
        if not isinstance(reference, int) or not 0 < reference <= len(self._variables):
            raise RequestRefusedError("these variables are not known any more")
        kind, value = self._variables[reference - 1]
        if kind == "handles":
            return {"variables": [self._variable(each) for each in self._launched.state(value).handles]}
        items = ({"name": f"[{number}]", "item": item} for number, item in enumerate(value.contents.items))
        return {
            "variables": [
                {"name": each["name"], "value": _item_words(each["item"]), "variablesReference": 0} for each in items
            ]
        }

    def _on_evaluate(self, arguments: Body) -> Body | None:
        expression = str(arguments.get("expression", "")).strip()
        passing = self._passing(arguments)
        if expression == "payload":
            return {"result": self._launched.state(passing).text or "", "variablesReference": 0}
        found = [handle for handle in self._launched.state(passing).handles if handle.name == expression]
        if not found:
            raise RequestRefusedError(f"{expression} is no handle here; 'payload' is the payload")
        variable = self._variable(found[-1])
        return {"result": variable["value"], **variable}

    def _on_exceptionInfo(self, _arguments: Body) -> Body | None:  # noqa: N802
        result = self._launched.recording.result
        messages = [f"{each.level.value}: {each.message}" for each in result.diagnostics]
        return {
            "exceptionId": result.status.value,
            "description": summary(result),
            "breakMode": "always",
            "details": {"message": "\n".join(messages) or result.detail},
        }

    def _variable(self, handle: HandleState) -> Body:
        has_items = handle.contents is not None and bool(handle.contents.items)
        return {
            "name": handle.name,
            "value": value_in_words(handle),
            "type": handle.type,
            "evaluateName": handle.name,
            "variablesReference": self._reference("items", handle) if has_items else 0,
        }

    def _reference(self, kind: str, value: object) -> int:
        self._variables.append((kind, value))
        return len(self._variables)

    # Position

    @property
    def _launched(self) -> RecordedRun:
        if self._run is None:
            raise RequestRefusedError("nothing was launched")
        return self._run

    @property
    def _step(self) -> Step | None:
        """The next step to be executed; None at the end of the run."""
        steps = self._launched.steps
        return steps[self._at - 1] if 0 < self._at <= len(steps) else None

    def _passing(self, arguments: Body) -> int:
        """Return the index of the passing (see `interpreter.recording.records`) whose state a frame shows."""
        run, number = self._launched, arguments.get("frameId")
        if self._step is None:
            return len(run.recording.passings) - 1
        known = isinstance(number, int) and 0 < number <= len(run.steps)
        return run.steps[number - 1].before if known and isinstance(number, int) else self._step.before

    def _place(self, step: Step) -> tuple[str, int, int]:
        """Return path, line and column; line and column are 0-based or 1-based, as the client requested."""
        recording = self._launched.recording
        position = _lines(recording.source(step)).position(step.start)
        return _path({"path": step.file}), position.line + self._first_line, position.column + self._first_column


@lru_cache(maxsize=8)
def _lines(text: str) -> LineIndex:
    return LineIndex(text)


def _count(arguments: Body, name: str) -> int:
    value = arguments.get(name) or 0
    if not isinstance(value, int) or value < 0:
        raise RequestRefusedError(f"`{name}` is a number from 0 on")
    return value


def _path(source: object) -> str:
    path = source.get("path") if isinstance(source, dict) else None
    if not isinstance(path, str):
        raise RequestRefusedError("a source has a path")
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError) as error:  # a NUL, a lone surrogate
        raise RequestRefusedError(f"`{printable(path)}` is no path: {error}") from error


def _item_words(item: Any) -> str:
    place = item.place
    return item.name if place is None else f"{item.name} ({Path(place.file).name}:{place.line})"


def has_no_steps(run: RecordedRun) -> str:
    """Return a message if the recording has no steps, else ""."""
    recording = run.recording
    if recording.steps:
        return ""
    if recording.result.unobserved:
        return f"nothing is known of the steps: {recording.result.unobserved}"
    return summary(recording.result) or "the script does nothing"
