"""Reads MLIR's log of actions: the passes and rewrite patterns that each step of a recorded run executed.

The script runs once more with the log, and with a print at each point that divides the log into steps. MLIR logs the
beginning of each attempt to apply a pattern to an operation, but not its success, and no folds. The certain ones follow
from the order: MLIR attempts the patterns for an operation one after the other until one of them succeeds. So the last
of them succeeded if there were more for operations of that name. If there were none, it succeeded at most; not if the
next iteration attempts the same operation again, or changes nothing any more.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.observing.answers import operation_name
from tdls.interpreter.observing.instrumented import instrumented, points_of_run
from tdls.interpreter.observing.probe import Probe, print_of, prints_in
from tdls.interpreter.runs.model import Emit, Status
from tdls.interpreter.runs.wrapping import wrapped
from tdls.structs import Struct, field, replace
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.observing.points import Handle
    from tdls.interpreter.observing.records import RunRecord
    from tdls.interpreter.recording.steps import Step
    from tdls.interpreter.runs.model import Place, RunRequest
    from tdls.interpreter.runs.source_map import SourceMap


class RewrittenOperation(NamedTuple):
    """An operation to which a pattern was applied, or perhaps was; as it was before."""

    name: str
    place: Place | None
    is_certain: bool


class PatternUse(NamedTuple):
    """The use of a pattern in a step.

    It was `tried` so many times, and applied to at least the certain ones of `operations`, at most to all of them.
    """

    name: str
    tried: int
    operations: tuple[RewrittenOperation, ...]

    @property
    def fired(self) -> int:
        """Minimum number of applications."""
        return sum(operation.is_certain for operation in self.operations)


class PassUse(NamedTuple):
    """An execution of a pass on an operation."""

    name: str
    operation: str
    place: Place | None


class StepRewrites(NamedTuple):
    """The passes of a step in their order, and its patterns, those that fired most first."""

    passes: tuple[PassUse, ...]
    patterns: tuple[PatternUse, ...]


class Rewrites(NamedTuple):
    """The passes and patterns of a run by the numbers of its steps.

    `unknown` is the reason why they are not known, "" if no operation of the script applies any by name.
    """

    steps: dict[int, StepRewrites]
    unknown: str = ""


_SECONDS = 5.0
_LOG = Probe("tdls.log")
_APPLYING = "transform.apply_"
"""The beginning of the names of operations that apply patterns or passes."""


def rewrites_of(
    request: RunRequest, record: RunRecord, steps: Sequence[Step], is_idle: Callable[[Step], bool], backend: Backend
) -> Rewrites:
    """Return the passes and patterns of the `steps` of a recorded run; `backend` runs the script once more.

    `is_idle` tells whether a step left the payload as it was. Raises BackendError if the backend does not start.
    """
    if not steps:
        return Rewrites({})
    request = wrapped(replace(request, observe=False, until=None, emits=frozenset({Emit.MODULE})))
    limits = request.limits.afresh(min(request.limits.seconds, _SECONDS))
    points = points_of_run(request)
    marked = instrumented(replace(request, limits=limits), points, _mark)
    raw = backend.log_actions(marked)
    sections = list(prints_in(raw.printed, _LOG)) if raw is not None else []
    reason = _unknown(record, raw, [section.numbers[0] for section in sections])
    if raw is None or reason:
        is_missed = any(step.operation.startswith(_APPLYING) for step in steps)
        return Rewrites({}, reason if is_missed else "")
    found = {}
    for step in steps:
        actions = _actions(sections[step.before].value.splitlines())
        if actions.passes or actions.visits:
            found[step.number] = _rewrites(actions, raw.source_map, is_idle=is_idle(step))
    return Rewrites(found)


def _unknown(record: RunRecord, raw: Output | None, passed: list[int]) -> str:
    """Return why the log of a run that `passed` these points is not that of the recorded one, "" if it is."""
    if raw is None:
        return "the Python bindings of MLIR do not name the patterns that fire; a tool such as mlir-opt does"
    if raw.status in (Status.TIMEOUT, Status.TOO_MUCH_OUTPUT):
        return "the log of MLIR's actions is too long"
    if "log-actions-to" in raw.console:
        return "the tool has no option --log-actions-to"
    is_alike = raw.status is record.result.status and passed == [passing.point for passing in record.passings]
    return "" if is_alike else "with the log of its actions the script does something else"


def _mark(number: int, _handles: tuple[Handle, ...]) -> str:
    """Return an operation that divides the log at point `number`."""
    return print_of(_LOG.label(number), flags="skip_regions")


# The log


class _Driver(Struct, eq=False):
    """One execution of a driver that applies patterns, or one iteration of the greedy driver, counted from 1."""

    scope: str
    """The pass, and the kind of the driver. All drivers of a step in this scope have the same patterns."""
    iteration: int = 0
    visits: list[_Visit] = field(default_factory=list)


class _Visit(Struct, eq=False):
    """The attempts to apply patterns to one operation, printed as `operation`, one after the other."""

    driver: _Driver
    operation: str
    patterns: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return operation_name(self.operation)

    @property
    def place(self) -> str:
        """The operation's location as printed, which is the last one: those of block arguments come before."""
        return self.operation[max(0, self.operation.rfind(_LOCATION)) :]

    @property
    def identity(self) -> str:
        """The printed operation without the numbers of values, which change with the operations before it."""
        return _VALUE.sub("%", self.operation)


class _Actions(NamedTuple):
    """The actions of one step."""

    passes: list[tuple[str, str]]
    """The names of passes, and the printed operations."""
    visits: list[_Visit]
    drivers: list[_Driver]


_BEGIN = re.compile(r"\[thread [^\]]*\] begins (?:\(no breakpoint\) )?Action (?P<action>.*)")
_END = re.compile(r"\[thread [^\]]*\] completed ")
_PASS = re.compile(r"`pass-execution` running `(?P<name>[^`]*)` on Operation `[^`]*` \((?P<operation>.*)\)`")
_PATTERN = "`apply-pattern pattern: "
_OPERATION = re.compile(r" \((?!anonymous )(?=%|\"|[A-Za-z_][\w.$]*[ (])")
"""Between the name of a pattern and the printed operation; names of C++ may have parentheses, too."""
_ITERATION = re.compile(r"GreedyPatternRewriteIteration\((?P<number>\d+)\)")
_OTHER = re.compile(r"`?(?P<name>[\w-]+)")
_VALUE = re.compile(r"%[\w$.#-]+(?::\d+)?")
_LOCATION = " loc("
_MOST_ITERATIONS = 10
"""MLIR's default for a driver; its last iteration may change the payload."""
_QUALIFIED = ("::", "<", "(")
"""Parts of the names of classes, but not of patterns in PDL: those are attempted only where they match."""


def _actions(log: Iterable[str]) -> _Actions:
    """Read the log of one step."""
    found = _Actions([], [], [_Driver("")])
    around: list[_Driver] = []
    for line in log:
        begin = _BEGIN.match(line)
        if begin is None:
            if _END.match(line) and around:
                around.pop()
            continue
        action = begin["action"]
        driver = around[-1] if around else found.drivers[0]
        executed = _PASS.match(action)
        attempted = _OPERATION.search(action) if action.startswith(_PATTERN) else None
        if executed is not None:
            found.passes.append((executed["name"], executed["operation"]))
            driver = _Driver(executed["name"])
            found.drivers.append(driver)
        elif attempted is not None:
            name, operation = action[len(_PATTERN) : attempted.start()], action[attempted.end() :]
            _attempt(found, driver, name, operation.rpartition(")`")[0])
        else:
            iteration, other = _ITERATION.match(action), _OTHER.match(action)
            if iteration is not None:
                driver = _Driver(driver.scope, integer(iteration["number"]) or 0)
            else:
                driver = _Driver(f"{driver.scope} {other['name'] if other is not None else ''}")
            found.drivers.append(driver)
        around.append(driver)
    return found


def _attempt(actions: _Actions, driver: _Driver, pattern: str, operation: str) -> None:
    last = driver.visits[-1] if driver.visits else None
    if last is None or last.operation != operation or pattern in last.patterns:
        last = _Visit(driver, operation)
        driver.visits.append(last)
        actions.visits.append(last)
    last.patterns.append(pattern)


# The effects of attempts


def _rewrites(actions: _Actions, source_map: SourceMap, *, is_idle: bool) -> StepRewrites:
    """Return the uses of passes and patterns; a step `is_idle` if it left the payload as it was."""
    tried: Counter[str] = Counter()
    rewritten: dict[str, list[RewrittenOperation]] = {}
    known = _longest(actions.visits)
    survivors = _survivors(actions.drivers)
    for visit in actions.visits:
        tried.update(visit.patterns)
        is_certain = _is_cut_short(visit, known[visit.driver.scope, visit.name])
        if is_certain or not (is_idle or visit.identity in survivors.get(visit.driver, ())):
            place = source_map.first_place(visit.place)
            rewritten.setdefault(visit.patterns[-1], []).append(RewrittenOperation(visit.name, place, is_certain))
    uses = [
        PatternUse(name, count, tuple(sorted(rewritten.get(name, ()), key=lambda each: not each.is_certain)))
        for name, count in tried.items()
    ]
    passes = (
        PassUse(name, operation_name(text), source_map.first_place(text[max(0, text.rfind(_LOCATION)) :]))
        for name, text in actions.passes
    )
    return StepRewrites(tuple(passes), tuple(sorted(uses, key=lambda use: (-use.fired, -len(use.operations)))))


def _longest(visits: Iterable[_Visit]) -> dict[tuple[str, str], list[str]]:
    """Return the longest list of attempted patterns by the scope and the name of operations."""
    found: dict[tuple[str, str], list[str]] = {}
    for visit in visits:
        key = visit.driver.scope, visit.name
        if len(visit.patterns) > len(found.get(key, ())):
            found[key] = visit.patterns
    return found


def _is_cut_short(visit: _Visit, known: list[str]) -> bool:
    """Whether the last pattern of `visit` must have succeeded, as the next one of those `known` was not tried."""
    size = len(visit.patterns)
    return size < len(known) and visit.patterns == known[:size] and any(part in known[size] for part in _QUALIFIED)


def _survivors(drivers: Iterable[_Driver]) -> dict[_Driver, set[str]]:
    """Return, for the iterations of greedy drivers, the operations that the last attempted pattern did not change."""
    greedy = [driver for driver in drivers if driver.iteration]
    repeating = {driver.scope for driver in greedy if driver.iteration > 1}
    found: dict[_Driver, set[str]] = {}
    for driver, behind in zip_longest(greedy, greedy[1:]):
        if behind is not None and behind.iteration == driver.iteration + 1:
            found[driver] = {visit.identity for visit in behind.visits}
        elif driver.iteration < _MOST_ITERATIONS and driver.scope in repeating:
            found[driver] = {visit.identity for visit in driver.visits}
    return found
