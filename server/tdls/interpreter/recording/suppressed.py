"""Finds the steps of a recorded run that failed without an effect on the run: MLIR suppressed the failure.

A sequence with ``failures(suppress)``, and an action of a matcher, go on after an operation that fails, as if it had
succeeded without results. So the script is run again in a form in which failures propagate: such a run ends at the
first suppressed failure, with its message. For the next one, that operation alone gets a sequence that suppresses its
failure, and so on until the run ends like the recorded one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.matchers import ACTION_ATTRIBUTES
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.observing.steps import StepEnd, steps_of_run
from tdls.interpreter.runs.model import Emit, RunDiagnostic, RunLevel, Status
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.interpreter.runs.script import Script
from tdls.interpreter.runs.wrapping import wrapped
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import symbol_name, symbols_in
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, SEQUENCE, YIELD
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.observing.records import RunRecord
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.runs.model import RunRequest, RunResult
    from tdls.semantic.model import Operation

_MODE = "failure_propagation_mode"
_SUPPRESSING = {"suppress": "propagate", "2 : i32": "1 : i32"}
"""Spellings of the mode, and of the one that propagates failures."""
_TERMINATOR = "IsTerminator"
_FAILED_ACTION = "failed action: "
_MOST_RUNS = 6
_SECONDS = 5.0
"""Seconds that one of these runs may take."""

_Place = tuple[str, int]
"""A file, and the offset of an operation's name in it."""


class _Run(NamedTuple):
    """A run of the changed script."""

    result: RunResult
    points: Sequence[Point]
    steps: Sequence[Step]


class _Found(NamedTuple):
    """Steps that failed, as place and number of the execution, with the messages; "" for those without one."""

    reasons: dict[tuple[_Place, int], str]
    suppressed: _Place | None
    """The operation whose failure the script suppresses, if the run ended in it."""
    is_straight: bool
    """False if the run may have gone another way than the recorded one, behind a failure that it recovered from."""


class _Shelter(NamedTuple):
    """The places of operations that `suppress` the failures in their regions or callees, and of those and `all` that
    execute actions.
    """

    suppressing: set[_Place]
    all: set[_Place]


def mark_suppressed(
    request: RunRequest, result: RunResult, steps: Sequence[Step], record: Callable[[RunRequest], RunRecord]
) -> None:
    """Mark those completed `steps` of a recorded run whose failure was suppressed; `record` records another run."""
    if not steps or result.status not in (Status.SUCCESS, Status.FAILURE) or request.until is not None:
        return
    request = wrapped(request)
    scripts = {script.name: script for script in (request.script, *request.libraries)}
    modes = {place for script in scripts.values() for place, *_ in _modes(script)}
    actions, users = _actions(scripts.values())
    if not modes and not actions:
        return
    shelter = _Shelter(modes, modes | users)
    quick = replace(request, limits=request.limits.afresh(min(request.limits.seconds, _SECONDS)))
    reasons: dict[tuple[_Place, int], str] = {}
    known: list[_Place] = []
    for number in range(_MOST_RUNS):
        loud = [_loud(script, actions, known) for script in scripts.values()]
        again = record(replace(quick, script=loud[0], libraries=tuple(loud[1:])))
        run = _Run(again.result, again.points, steps_of_run(again.points, again.next_operations, again.passings))
        failures = _found_in(run, shelter)
        is_same = run.result.status is result.status and (
            run.result.texts.get(Emit.PAYLOAD) == result.texts.get(Emit.PAYLOAD) or Emit.PAYLOAD not in result.texts
        )
        if (number == 0 and failures.is_straight) or (is_same and failures.suppressed is None):
            by_step = {
                (file, scripts[file].original_offset(start), execution): reason
                for ((file, start), execution), reason in {**failures.reasons, **reasons}.items()
            }
            for step in steps:
                reason = by_step.get((step.file, step.start, step.execution))
                if step.ended in (StepEnd.COMPLETED, StepEnd.SUPPRESSED) and reason is not None:
                    step.ended, step.reason = StepEnd.SUPPRESSED, reason
        if failures.suppressed is None or failures.suppressed in known:
            return
        reasons = {**failures.reasons, **reasons}
        known.append(failures.suppressed)


def may_suppress(request: RunRequest) -> bool:
    """Whether a script of `request` suppresses failures, or executes actions of matchers."""
    scripts = (request.script, *request.libraries)
    return any(any(_modes(script)) for script in scripts) or bool(_actions(scripts)[0])


def suppressed_failures(request: RunRequest, backend: Backend) -> list[RunDiagnostic]:
    """Run `request` again, and return a remark at each operation that failed, though the run went on.

    Of operations that failed in one another, the innermost is named. Raises BackendError if the backend does not start.
    """
    if not may_suppress(request):
        return []
    limits = request.limits.afresh(min(request.limits.seconds, _SECONDS))
    emits = frozenset({Emit.PAYLOAD})  # only compared, so without names
    request = replace(request, observe=True, emits=emits, limits=limits, keeps_names=False)
    record = backend.record(request, Wanted())
    steps = steps_of_run(record.points, record.next_operations, record.passings)
    mark_suppressed(request, record.result, steps, lambda again: backend.record(again, Wanted()))
    failed: dict[Step, str] = {}
    for step in steps:
        if step.ended is StepEnd.SUPPRESSED:
            failed[step] = step.reason
        elif step.ended is StepEnd.ABANDONED and step.parent in failed:
            failed[step] = failed[step.parent]
    around = {outer for step in failed for outer in step.path}
    scripts = {script.name: script for script in (request.script, *request.libraries)}
    reasons: defaultdict[_Place, list[str]] = defaultdict(list)
    for step, reason in failed.items():
        if step not in around:
            reasons[step.file, step.start].append(reason)
    failures = []
    for (file, start), messages in reasons.items():
        place = place_at(scripts[file], start)
        times = f" {len(messages)} times" if len(messages) > 1 else ""
        reason = next(filter(None, messages), "")
        message = f"this failed{times}, and the failure was suppressed{': ' if reason else ''}{reason}"
        failures.append(RunDiagnostic(RunLevel.REMARK, message, file, place.line, place.column))
    return failures


def _found_in(run: _Run, shelter: _Shelter) -> _Found:
    """Return the failures of a run of the changed script that the script itself does not pass on."""
    own = [step for step in run.steps if _is_own(run, step)]
    failing = [step for step in own if step.ended is StepEnd.UNFINISHED] if run.result.status is Status.FAILURE else []
    suppressed = [at for at, step in enumerate(failing) if shelter.suppressing.intersection(_around(run, step)[:1])]
    below = failing[suppressed[-1] :] if suppressed else []
    errors = [diagnostic for diagnostic in run.result.diagnostics if diagnostic.level is RunLevel.ERROR]
    message = errors[-1].message if errors else ""
    reasons = {_key(step): message for step in below}
    given_up = [step for step in own if step.ended is StepEnd.ABANDONED]
    abandoned = [step for step in given_up if not shelter.all.isdisjoint(_around(run, step))]
    leaves = [step for step in abandoned if not any(step in other.path for other in abandoned)]
    notes = [note.message for error in errors for note in error.notes if note.message.startswith(_FAILED_ACTION)]
    is_clear = len(notes) == len(leaves)
    by_step = {step: note.removeprefix(_FAILED_ACTION) for step, note in zip(leaves, notes, strict=False)}
    for step in abandoned:
        reasons[_key(step)] = by_step.get(step, "") if is_clear else ""
    reasons = {key: reason for key, reason in reasons.items() if key[0] not in shelter.suppressing}
    return _Found(reasons, (below[0].file, below[0].start) if below else None, len(abandoned) == len(given_up))


def _key(step: Step) -> tuple[_Place, int]:
    return (step.file, step.start), step.execution


def _is_own(run: _Run, step: Step) -> bool:
    """Whether the operation of a step is the user's, not an inserted one."""
    point = run.points[step.point]
    return point.script.edited_offset(point.script.original_offset(point.following)) == point.following


def _around(run: _Run, step: Step) -> list[_Place]:
    """Return the places of the user's operations that execute a step, innermost first."""
    return [(outer.file, outer.start) for outer in reversed(step.path) if _is_own(run, outer)]


# The script in which failures propagate


def _loud(script: Script, actions: frozenset[str], known: Sequence[_Place]) -> Script:
    """Return `script` with failures that propagate, except for those of the operations at `known` places."""
    text = script.text
    insertions: list[Insertion] = []
    for _, start, end, spelled in _modes(script):
        other = _SUPPRESSING[spelled]
        size = end - start
        text = text[:start] + other[:size].ljust(size) + text[end:]
        if len(other) > size:  # the text behind the shorter word moves with it, in the same place
            text = text[:end] + other[size:] + text[end + 1 :]
            insertions.append(Insertion(end + 1, script.text[end]))
    inserted: defaultdict[int, list[str]] = defaultdict(list)
    places = {offset for name, offset in known if name == script.name}
    for number, (context, operation) in enumerate(_operations(script)):
        around = operation.parent
        is_in_action = around is not None and around.name == NAMED_SEQUENCE and symbol_name(around) in actions
        if context.to_file(operation.location).start in places:
            _add_around(inserted, context, operation, number, ("suppress", "propagate"))
        elif is_in_action and not operation.has_trait(_TERMINATOR):
            _add_around(inserted, context, operation, number, ("propagate",))
    insertions += (Insertion(offset, "".join(texts)) for offset, texts in inserted.items())
    return Script(script.name, text, script.catalogue).inserting(insertions)


def _operations(script: Script) -> Iterator[tuple[Context, Operation]]:
    for context in script.file.contexts:
        if mentions_transform(context.section):
            yield from ((context, operation) for operation in context.model.walk())


def _modes(script: Script) -> Iterator[tuple[_Place, int, int, str]]:
    """Yield the operations that suppress failures: their places, and the span and spelling of the mode."""
    for context, operation in _operations(script):
        mode = operation.syntax.attribute(_MODE)
        if mode is not None and mode.value in _SUPPRESSING:
            shift = context.to_file(operation.location).start - operation.location.start
            place = script.name, context.to_file(operation.location).start
            yield place, mode.value_start + shift, mode.value_end + shift, mode.value


def _actions(scripts: Iterable[Script]) -> tuple[frozenset[str], set[_Place]]:
    """Return the names of the sequences that scripts use as actions, and the places of the operations that do so."""
    names: set[str] = set()
    places: set[_Place] = set()
    for script in scripts:
        for context, operation in _operations(script):
            used = [use.path[-1] for use in symbols_in(operation.syntax, ACTION_ATTRIBUTES)]
            if used:
                names.update(used)
                places.add((script.name, context.to_file(operation.location).start))
    return frozenset(names), places


def _add_around(
    inserted: defaultdict[int, list[str]], context: Context, operation: Operation, number: int, modes: Sequence[str]
) -> None:
    """Put one operation into sequences with `modes`, the outermost one first: they end where it fails.

    Their operand is a handle that the operation uses itself, so that it is valid.
    """
    handles = (value for value in operation.operands if value is not None)
    root = next((each for each in handles if kind_of(context.catalogue, each.type) is HandleKind.OPERATIONS), None)
    head = context.section.text[operation.span.start : operation.location.start]
    if root is None or "\n" in head:
        return
    types = ", ".join(str(result.type) for result in operation.results)
    results, names = (f" -> {types}", ", ".join(result.shown for result in operation.results)) if types else ("", "")
    begin = "".join(
        f"{SEQUENCE} {root.shown} : {root.type}{results} failures({mode}) {{ "
        f"^bb0(%tdls_{mode}_{number}: {root.type}): {head}"
        for mode in modes
    )
    end = f" {YIELD} {names} : {types} }}" if names else f" {YIELD} }}"
    inserted[context.to_file(operation.location).start].append(begin)
    inserted[context.to_file(operation.span).end].append(f"{end * len(modes)} ")
