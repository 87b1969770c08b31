"""What operations refuse on a known payload: by their definitions, and by tables of conditions on each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.analysis.meaning.passed_numbers import misfit
from tdls.analysis.refusals import gpu, loops, sizes, structured
from tdls.analysis.refusals.target import Target
from tdls.payload.kinds import is_refused, kinds_taken, listed_kinds, names_of_type
from tdls.semantic.symbols import root_of
from tdls.text.wording import counted

if TYPE_CHECKING:
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.catalogue.model import OperandDefinition
    from tdls.semantic.model import Operation


def refuse_targets(run: PayloadRun, operation: Operation) -> None:
    """Fail if `operation` refuses what one of its operands holds."""
    definition = operation.definition
    for operand in definition.operands if definition is not None else ():
        _check_kinds(run, operation, operand)
    for operand in definition.operands if definition is not None else ():
        if operand.excludes_script:
            _check_script(run, operation, operand)
    _check_loops(run, operation)
    _check_conditions(run, operation)


def _check_kinds(run: PayloadRun, operation: Operation, operand: OperandDefinition) -> None:
    """Fail if a payload operation is of a kind that `operation` does not apply to."""
    kinds = kinds_taken(operation, operand)
    handle = next(iter(operation.group(operand.name)), None) if kinds else None
    for payload in run.members(handle):
        if handle is not None and is_refused(payload.name, kinds, run.context.catalogue):
            listed = listed_kinds(kinds)
            run.refuse(
                operation, f"`{operation.name}` applies to {listed} only, but `{handle.shown}` holds {payload.shown}"
            )


def _check_script(run: PayloadRun, operation: Operation, operand: OperandDefinition) -> None:
    """Record that an operation is applied to a payload operation around itself."""
    handle = next(iter(operation.group(operand.name)), None)
    own = run.payload.by_written.get(id(root_of(operation)))
    around = {own, *own.ancestors()} if own is not None else set()
    payload = next((payload for payload in run.held(handle) or () if payload in around), None)
    if payload is not None and handle is not None:
        message = f"`{handle.shown}` holds {payload.shown}, which contains the script: `{operation.name}` fails"
        help_text = "apply it to the functions, or put the payload into a module of its own"
        run.finds_nothing(Shortfall(operation, ShortfallKind.AROUND, message, help=help_text))


def _check_loops(run: PayloadRun, operation: Operation) -> None:
    """Fail if an attribute has numbers that do not fit the loops of a payload operation."""
    definition = operation.definition
    for described in definition.attributes if definition is not None else ():
        attribute = operation.syntax.attribute(described.name) if described.per_loop is not None else None
        if described.per_loop is None or attribute is None:
            continue
        for payload in run.held(next(iter(operation.group(described.per_loop.operand)), None)) or ():
            count = run.loops(payload).count
            message = misfit(attribute, described.per_loop.fit, frozenset({count})) if count is not None else None
            if count is not None and message is not None:
                run.refuse(operation, f"{payload.shown} has {counted(count, 'loop')}, but {message}", place=attribute)


def _check_conditions(run: PayloadRun, operation: Operation) -> None:
    """Fail if a condition on one of the targets is not met; with fewer doubts where it is known to have failed."""
    checks = tuple(check for table in _CHECKS for check in table.get(operation.name, ()))
    checks += tuple(check for table in _AFTERWARDS if run.has_failed for check in table.get(operation.name, ()))
    wrong = sizes.WRONG.get(operation.name)
    targets = [Target(run, operation, payload) for payload in run.held(operation.first_operand) or ()]
    for target in targets if checks else ():
        run.budget.spend()
        unmet = next(filter(None, (check(target) for check in checks)), None)
        if unmet is not None:
            run.refuse(operation, unmet.message, unmet.help, unmet.place)
    unmet = next(filter(None, map(wrong, targets)), None) if wrong is not None else None
    if unmet is not None:
        run.finds_nothing(Shortfall(operation, ShortfallKind.WRONG, unmet.message, unmet.place, unmet.help))


_CHECKS = (loops.CHECKS, structured.CHECKS, sizes.CHECKS, gpu.CHECKS)
_AFTERWARDS = (loops.AFTERWARDS, structured.AFTERWARDS)


def refuse_results(run: PayloadRun, operation: Operation) -> None:
    """Fail if a result type requires an operation name, and a found operation has another one."""
    for result in operation.results:
        names = names_of_type(result.type)
        wrong = next((each for each in run.held(result) or () if names is not None and each.name not in names), None)
        if wrong is not None and names is not None:
            message = f"the type of `{result.shown}` asks for `{next(iter(names))}`, but {wrong.shown} is found"
            run.refuse(operation, message, f'a handle to it is a `!transform.op<"{wrong.name}">`')
