"""Records runs: their instrumentation issues remarks and prints.

The result is that of a plain run; instrumented runs only add observations, and only if they end in the same way. The
contents of handles are known at their definitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.answers import Show, observed_run, with_names
from tdls.interpreter.observing.instrumented import instrumented, points_of_run
from tdls.interpreter.observing.liveness import RecordedHandles
from tdls.interpreter.observing.next_operations import next_operations_of
from tdls.interpreter.observing.probe import STATE, print_of, prints_in, remarks_in
from tdls.interpreter.observing.records import RunRecord, StateRecord
from tdls.interpreter.observing.steps import with_executing
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.output.value_names import with_value_names
from tdls.interpreter.runs.model import INTERRUPTED, Status
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.mlir.single_run import SingleRuns
    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.observing.probe import Answer
    from tdls.interpreter.observing.records import Passing, Wanted
    from tdls.interpreter.runs.model import Contents, RunRequest, RunResult

_SECONDS = 5.0
"""Maximum time, in seconds, to observe a run that was interrupted."""
_ROOT_OPTION = "debug-payload-root-tag"
"""An option with which the tool prints less than the whole payload."""
_UNCHECKED_OPTION = "disable-expensive-checks"
_GENERIC_SCRIPT = '"transform.'


def record(request: RunRequest, wanted: Wanted, runs: SingleRuns, result: RunResult | None = None) -> RunRecord:
    """Carry out `request` and record it; `result` is that of a run without instrumentation, if it is known.

    To record a run that was interrupted takes a few seconds beyond the limit.
    """
    request = replace(request, observe=False, until=None)
    points = points_of_run(request)
    next_operations = next_operations_of(points)
    result = result or runs.plain(request)
    if result.status in (Status.INVALID, Status.CANCELLED):
        return RunRecord(result, tuple(points), next_operations, (), {})
    seconds = min(request.limits.seconds, _SECONDS) if result.status in INTERRUPTED else None
    repeated = replace(request, limits=request.limits.afresh(seconds))
    show = Show.of(request.root.text.count("\n") + 1, shows_operations=runs.shows_operations)

    def run(spelled: Callable[[int, tuple[Handle, ...]], str], *, has_states: bool = False) -> Output:
        return runs.raw(instrumented(repeated, points, spelled), is_printed=False, has_states=has_states)

    def state(number: int) -> str:
        return print_of(STATE.label(number)) if wanted.all or number in wanted.points else ""

    has_states = wanted.all or bool(wanted.points)
    observed = observed_run(points, show, lambda spelled: run(spelled, has_states=has_states), state)
    raw, trace = observed.raw, with_names(observed.record, observed.raw.printed)
    reason = observed.difference(result)
    if reason:
        return RunRecord(replace(result, unobserved=reason), tuple(points), next_operations, (), {})
    contents = trace.contents(raw.source_map)
    passings = tuple(_with_contents(passing, points, contents) for passing in trace.passings)
    result = with_executing(result, points, passings)
    options = {name for name, _ in request.options}
    texts = _texts(prints_in(raw.printed, STATE), passings, wanted) if _ROOT_OPTION not in options else {}
    located = _texts((*prints_in(raw.located_prints, STATE), *remarks_in(raw.diagnostics, STATE)), passings, wanted)
    handles = RecordedHandles(points, next_operations, passings, is_checked=_UNCHECKED_OPTION not in options)
    numbers = [number for number in range(len(passings)) if number in wanted]
    handles.query(numbers, show, run)
    states = {
        number: StateRecord.of(
            _payload(request, runs, replace(raw, module=texts[number], located=located.get(number, "").rstrip()))
            if number in texts
            else None,
            handles.at(number),
        )
        for number in numbers
    }
    return RunRecord(result, tuple(points), next_operations, passings, states)


def _with_contents(
    passing: Passing, points: Sequence[Point], contents: Mapping[tuple[int, int], list[Contents]]
) -> Passing:
    """Return a passing with the next of the `contents` of each handle that is new there."""
    known = (contents.get((passing.point, index)) for index in range(len(points[passing.point].handles)))
    return passing._replace(contents=tuple(each.pop(0) if each else None for each in known))


def _texts(states: Iterable[Answer], passings: Sequence[Passing], wanted: Wanted) -> dict[int, str]:
    """Return the payloads printed at passings; of a run that crashed, the last ones may be missing."""
    numbers = [number for number, passing in enumerate(passings) if wanted.all or passing.point in wanted.points]
    texts: dict[int, str] = {}
    for number, state in zip(numbers, states, strict=False):
        if state.numbers[0] != passings[number].point:
            break
        texts[number] = state.value
    return texts


def _payload(request: RunRequest, runs: SingleRuns, state: Output) -> str | None:
    """Return the payload in the printed module of a state.

    None if scripts cannot be separated from it: MLIR prints an invalid module in the generic form.
    """
    printed = state.module.rstrip("\n") + "\n"
    if without_scripts(printed) == printed and _GENERIC_SCRIPT not in printed:
        return with_value_names(printed, state.located, state.source_map)
    payload = runs.payload_in(request, replace(state, module=printed))
    return None if STATE.word in payload else payload
