"""Runs the scripts of one section: abstractly, for findings about handles, and on the payload of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import Kept, TrackedFact
from tdls.analysis.handles.contents import Origin, one_operation
from tdls.analysis.handles.operations.executing import FollowedRun, ScriptRun
from tdls.analysis.handles.operations.matchers import unmet_condition
from tdls.analysis.handles.sets import ANYWHERE
from tdls.analysis.handles.shortfalls import Evaluated, ShortfallKind, Stopped
from tdls.analysis.handles.written_payload import payload_as_written
from tdls.analysis.meaning.sequences import is_applied_to_root, scripts_of
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.limits import EVALUATION_STEPS, HANDLE_STEPS, Budget, OverBudget
from tdls.semantic.handle_types import HandleKind
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.contents import Contents
    from tdls.analysis.handles.invalid_uses import InvalidUse, RepeatedConsumption
    from tdls.analysis.handles.shortfalls import Shortfall
    from tdls.limits import Limit
    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Payload
    from tdls.semantic.model import Operation, Value


_FINDS = "NavigationTransformOpTrait"


class StaleHandles(NamedTuple):
    """Where handles are and become invalid; kept with the section, without the runs that tell."""

    uses: dict[tuple[int, int], InvalidUse]
    """All uses of invalid handles, by the identity of the operation and the number of the operand."""
    made_by: dict[Operation, list[Value]]
    """The handles that are invalid after an operation, in a script that executes it, and were not before."""


class HandleFindings(NamedTuple):
    """Invalid uses and repeated consumptions of handles in one section, in the order of execution."""

    invalid: tuple[InvalidUse, ...]
    """Uses of invalid handles that `use-after-free` does not find."""
    repeated: tuple[RepeatedConsumption, ...]
    stale: StaleHandles
    runs: dict[int, AbstractRun]
    """The completed runs, by the identity of the script; empty if a limit was exceeded."""
    given_up: Limit | None = None
    """The exceeded limit; the findings are then empty."""

    def contents(self, handle: Value) -> Contents | None:
        """Return what is known of the operations in `handle` where it is defined; None for one that no run defines."""
        run = self.run_of(handle)
        return run.set_of(handle).facts if run is not None else None

    def holds_one(self, handle: Value) -> bool:
        """Whether a handle of a script that is run on its own holds exactly one operation, if it holds any."""
        run = self.run_of(handle)
        if run is None or not run.begins or run.kind(handle) is not HandleKind.OPERATIONS:
            return False
        held = run.set_of(handle)
        return held.facts.is_one and (held.maker is None or held.maker.has_trait(_FINDS))

    def run_of(self, handle: Value) -> AbstractRun | None:
        """Return the run of the script that defines a handle."""
        owner = handle.owner
        around = (self.runs.get(id(each)) for each in (owner, *owner.ancestors())) if owner is not None else ()
        run = next((run for run in around if run is not None), None)
        return run if run is not None and run.is_known(handle) else None


@Fact
def handle_findings(context: Context) -> HandleFindings:
    """Return certain and possible findings about handles; the scripts of a section share one budget."""
    try:
        findings = _look(context, Budget(HANDLE_STEPS, context.size))
    except OverBudget as over:
        findings = HandleFindings((), (), StaleHandles({}, {}), {}, over.limit)
    context.section.keep(stale_handles, Kept(findings.stale, dict(context.answers)), context.catalogue)
    return findings


@TrackedFact
def stale_handles(context: Context) -> StaleHandles:
    """Return what `handle_findings` tells about stale handles, for features that may come after the rules."""
    return handle_findings(context).stale


def _look(context: Context, budget: Budget) -> HandleFindings:
    freed = use_after_free_of(context)
    by_script = {id(operation): _run(context, operation, budget) for operation in scripts_of(context)}
    runs = by_script.values()
    invalid = (use for run in runs for use in run.log.uses if not freed.freed_before(use.value, use.operation))
    repeated = {
        (id(consumption.operation), consumption.operand): consumption
        for run in runs
        for consumption in run.log.repeated
    }
    stale = StaleHandles({(id(use.operation), use.operand): use for run in runs for use in run.log.uses}, {})
    for run in runs:
        for operation, handles in run.log.ended.items():
            stale.made_by.setdefault(operation, []).extend(handles)
    return HandleFindings(tuple(invalid), tuple(repeated.values()), stale, by_script)


def _run(context: Context, operation: Operation, budget: Budget) -> AbstractRun:
    if operation.name != NAMED_SEQUENCE and not is_applied_to_root(operation):
        run = ScriptRun(context, budget)
        run.transfer(operation)
        return run
    begins = _begins(operation)
    known = evaluated(context) if begins else Evaluated()
    run = ScriptRun(context, budget, begins=begins, known=known)
    for block in operation.blocks():
        run.enter(block, [None] * len(block.arguments))
        is_alone = len(block.arguments) == 1
        for argument in block.arguments:
            given = run.set_of(argument)
            names = given.facts.names
            given.facts = one_operation(names, Origin.ROOT) if is_alone else given.facts._replace(origin=Origin.KNOWN)
            run.places.put(given, run.places.root() if is_alone else ANYWHERE)
            run.payload.root = given if is_alone else None
            run.places.root_set = run.payload.root if run.places.is_known else None
        run.execute(block)
    _doubt_unreached(run, known.stops)
    return run


def _doubt_unreached(run: AbstractRun, stops: Sequence[Operation]) -> None:
    """Make findings behind the first operation at which the script ends, on the payload of its file, uncertain."""
    first = min((stop.span.start for stop in stops), default=None)
    if first is not None:
        run.log.uses = [
            use._replace(is_certain=use.is_certain and use.operation.span.start <= first) for use in run.log.uses
        ]
        run.log.repeated = [
            consumption._replace(is_certain=consumption.is_certain and consumption.operation.span.start <= first)
            for consumption in run.log.repeated
        ]


# On the known payload


@Fact
def evaluated(context: Context) -> Evaluated:
    """Return the result of running the script; empty without a written payload, or unless there is one entry point."""
    if not context.mentions_transform:
        return Evaluated()
    scripts = [operation for operation in scripts_of(context) if _begins(operation)]
    payload = payload_as_written(context) if len(scripts) == 1 else None
    if payload is None:
        return Evaluated()
    written = payload.listed() if payload.is_read else ()
    if not payload.is_script_known:
        return Evaluated(written=written)
    run = FollowedRun(context, payload, Budget(EVALUATION_STEPS, context.size), payload.unread)
    try:
        run.execute_script(scripts[0])
    except OverBudget as over:
        return Evaluated(written=written, given_up=over.limit)
    if not payload.unread.is_nothing:
        shortfalls = (shortfall for shortfall in run.found() if shortfall.kind is ShortfallKind.EMPTY)
        return Evaluated(tuple(shortfalls), written=written, is_possible=payload.may_change, is_read=payload.is_read)
    stops = (run.stopped_at,) if run.stopped_at is not None else ()
    return Evaluated(tuple(run.found()), run.always_empty(), stops, run.contents, written)


def _begins(operation: Operation) -> bool:
    """Whether the interpreter begins with an operation: the entry point, or one outside of named sequences."""
    if operation.name == NAMED_SEQUENCE:
        return symbol_name(operation) == ENTRY_POINT
    return is_applied_to_root(operation)


def refusal(context: Context, matcher: Operation, payload: Payload, operation: PayloadOperation) -> Shortfall | None:
    """Return the condition by which a matcher rejects an operation of `payload`, or None if it may accept it."""
    run = FollowedRun(context, payload, Budget(EVALUATION_STEPS, context.size), payload.unread)
    try:
        return unmet_condition(run, matcher, operation)
    except OverBudget:
        return None


def refusal_of(
    context: Context, operation: Operation, payload: Payload, held: Mapping[Value, Sequence[PayloadOperation]]
) -> Shortfall | None:
    """Return why an operation of a script failed on `payload`, where its handles hold `held`, or None if not known."""
    budget = Budget(EVALUATION_STEPS, context.size)
    run = FollowedRun(context, payload, budget, payload.unread, has_failed=True)
    for handle, operations in held.items():
        run.hold(handle, operations)
    try:
        run.execute_one(operation)
    except Stopped as stopped:
        return stopped.shortfall
    except OverBudget:
        return None
    return None
