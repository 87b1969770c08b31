"""What is wrong with handles in one section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import ContextFact
from tdls.analysis.handles.abstract_run import AbstractRun
from tdls.analysis.handles.evaluation.running import Evaluated, evaluated
from tdls.analysis.handles.payload.facts import one_operation
from tdls.analysis.handles.payload.lattice import Origin
from tdls.analysis.handles.payload.names import STRUCTURED, PayloadNames, names_of_type
from tdls.analysis.handles.payload.sets import ANYWHERE
from tdls.analysis.handles.transfer.control_flow import enter
from tdls.analysis.handles.transfer.transfer import execute_operation
from tdls.analysis.meaning.sequences import is_applied_to_root, scripts_of
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.limits import HANDLE_STEPS, Budget, OverBudget
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalid_uses import InvalidUse, RepeatedConsumption
    from tdls.catalogue.model import OperationDefinition
    from tdls.limits import Limit
    from tdls.semantic.model import Operation, Value


class HeldNames:
    """Answers for the handles of one section; None where a handle may hold anything."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._nesting = PayloadNames(context.catalogue)

    def of(self, value: Value) -> frozenset[str] | None:
        """Return the names that the operations which `value` holds may have, by its type or by how it was made."""
        by_type = self.by_type(value)
        return frozenset({by_type}) if by_type is not None else self.by_making(value)

    def by_type(self, value: Value) -> str | None:
        """Return the name that the type of `value` asks for."""
        return next(iter(names_of_type(value.type) or ()), None)

    def by_making(self, value: Value) -> frozenset[str] | None:
        """Return the names that follow from what made `value`, whatever its type is."""
        owner = value.operation or (value.block.region.parent if value.block is not None else None)
        run = handle_findings(self.context).run_of(owner) if owner is not None else None
        if run is None or not run.is_known(value):
            return None
        return run.set_of(value).facts.names or None

    def may_become(self, names: frozenset[str]) -> bool:
        """Tell whether patterns can replace what a handle holds by one of `names`, so that it holds these then.

        Upstream's `TrackingListener` takes an operation of the same name, or a constant.
        """
        definitions = (self.context.catalogue.operation(name) for name in names)
        return any(definition is None or "ConstantLike" in definition.traits for definition in definitions)

    def can_be_in(self, inner: frozenset[str], outer: frozenset[str]) -> bool:
        """Tell whether one of `inner` can be, or be nested in, one of `outer`."""
        return any(map(self._has_written_body, outer)) or self._nesting.may_cover(outer, inner)

    def can_have(self, trait: str, outer: frozenset[str]) -> bool:
        """Tell whether one of `outer`, or something nested in it, can have `trait`, which no scalar operation has."""
        definitions = (self.context.catalogue.operation(name) for name in outer)
        return any(
            definition is None or trait in definition.traits or _has_free_body(definition) for definition in definitions
        )

    def can_contain(self, outer: str, inner: frozenset[str]) -> bool:
        """Tell whether an operation called `outer` can have one of `inner` nested in it."""
        return self._has_written_body(outer) or self._nesting.may_contain(outer, inner)

    def _has_written_body(self, name: str) -> bool:
        """Tell whether a structured operation may have anything in it, since its body is not made by MLIR."""
        definition = self.context.catalogue.operation(name)
        return definition is not None and definition.written_body


def listed(names: frozenset[str]) -> str:
    """Return names in words; of many only the first ones."""
    shown = [f"`{name}`" for name in sorted(names)]
    return " or ".join(shown if len(shown) <= 3 else [*shown[:2], "others"])


def _has_free_body(definition: OperationDefinition) -> bool:
    """Tell whether people write what is in the operation; MLIR makes the bodies of structured ones."""
    return bool(definition.regions) and (definition.written_body or STRUCTURED not in definition.traits)


class HandleFindings(NamedTuple):
    """What is wrong with handles in one section, in the order of execution."""

    invalid: tuple[InvalidUse, ...]
    """Uses of invalid handles that `use-after-free` does not see."""
    repeated: tuple[RepeatedConsumption, ...]
    uses: dict[tuple[int, int], InvalidUse]
    """All uses of invalid handles, by the identity of the operation and the number of the operand."""
    runs: dict[int, AbstractRun]
    """The runs, which are over, by the identity of the script; none where too much was asked for."""
    given_up: Limit | None = None
    """The limit that the scripts of the section asked for more than: then nothing is known of their handles."""

    def run_of(self, operation: Operation) -> AbstractRun | None:
        """Return the run of the script that `operation` is, or is in."""
        around = (self.runs.get(id(ancestor)) for ancestor in (operation, *operation.ancestors()))
        return next((run for run in around if run is not None), None)


@ContextFact
def handle_findings(context: Context) -> HandleFindings:
    """Return what is wrong with handles, for certain or possibly; the scripts of a section are run on one budget."""
    budget = Budget(HANDLE_STEPS, context.size)
    try:
        return _look(context, budget)
    except OverBudget as over:
        return HandleFindings((), (), {}, {}, over.limit)


def _look(context: Context, budget: Budget) -> HandleFindings:
    freed = use_after_free_of(context)
    by_script = {id(operation): _run(context, operation, budget) for operation in scripts_of(context)}
    runs = by_script.values()
    invalid = (use for run in runs for use in run.uses if not freed.freed_before(use.value, use.operation))
    repeated = {
        (id(consumption.operation), consumption.operand): consumption for run in runs for consumption in run.repeated
    }
    found = {(id(use.operation), use.operand): use for run in runs for use in run.uses}
    return HandleFindings(tuple(invalid), tuple(repeated.values()), found, by_script)


def _run(context: Context, operation: Operation, budget: Budget) -> AbstractRun:
    if operation.name != NAMED_SEQUENCE and not is_applied_to_root(operation):
        run = AbstractRun(context, budget, execute_operation)
        execute_operation(run, operation)
        return run
    begins = operation.name != NAMED_SEQUENCE or symbol_name(operation) == ENTRY_POINT
    known = evaluated(context) if begins else Evaluated()
    run = AbstractRun(context, budget, execute_operation, begins=begins, known=known)
    for block in operation.blocks():
        enter(run, block, [None] * len(block.arguments))
        is_alone = len(block.arguments) == 1
        for argument in block.arguments:
            given = run.set_of(argument)
            names = given.facts.names
            given.facts = one_operation(names, Origin.ROOT) if is_alone else given.facts._replace(origin=Origin.KNOWN)
            run.where.put(given, run.where.root() if is_alone else ANYWHERE)
            run.where.root_set = given if is_alone and run.where.is_known else None
        run.execute(block)
    if begins:
        _doubt_what_is_not_reached(run, known.stops)
    return run


def _doubt_what_is_not_reached(run: AbstractRun, stops: Sequence[Operation]) -> None:
    """Let nothing be certain of operations behind those at which the script ends on the payload beside it."""
    first = min((stop.span.start for stop in stops), default=None)
    if first is not None:
        run.uses = [use._replace(is_certain=use.is_certain and use.operation.span.start <= first) for use in run.uses]
        run.repeated = [
            consumption._replace(is_certain=consumption.is_certain and consumption.operation.span.start <= first)
            for consumption in run.repeated
        ]
