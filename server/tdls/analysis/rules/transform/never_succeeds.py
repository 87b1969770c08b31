"""The rule `never-succeeds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import evaluated
from tdls.analysis.handles.held_names import HeldNames, in_called, listed
from tdls.analysis.meaning.passed_numbers import held_constant, misfit, negative_message, negative_size, number_uses
from tdls.analysis.meaning.payload_names import loops_of
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.payload.kinds import is_refused, kinds_taken, listed_kinds
from tdls.semantic.transform_dialect import suppresses_failures
from tdls.syntax.tree import Form
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that no payload makes succeed, and as hints those that another tool has to complete first."""
    for operation in operations:
        verifier = verifier_of(operation)
        for check in verifier.crashes:
            yield from (wrong.finding(RULE.name, Level.ERROR) for wrong in check(context, operation))
        for check in verifier.fails:
            yield from (wrong.finding(RULE.name, RULE.level) for wrong in check(context, operation))
        for check in verifier.may_fail:
            yield from (wrong.finding(RULE.name, Level.HINT) for wrong in check(context, operation))
    held = HeldNames(context)
    for operation in operations:
        yield from _of_loops(held, operation)
        yield from _of_kinds(held, operation)
        yield from _of_numbers(context, operation)
        yield from _of_types(held, operation)
    yield from in_called(held, operations, _of_loops)
    calls = [operation for operation in operations if not _may_fail(operation)]
    yield from (finding for finding in in_called(held, calls, _of_kinds) if finding.level is not Level.HINT)


def _of_loops(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    definition = operation.definition
    if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
        return
    for described in definition.attributes:
        attribute = operation.syntax.attribute(described.name) if described.per_loop is not None else None
        if described.per_loop is None or attribute is None:
            continue
        target = next(iter(operation.group(described.per_loop.operand)), None)
        names = held.of(target) if target is not None else None
        loops = loops_of(held.context.catalogue, names)
        message = misfit(attribute, described.per_loop.fit, loops)
        if names and message is not None:
            numbers = " or ".join(map(str, sorted(loops)))
            message = f"{listed(names)} has {numbers} loops, but {message}"
            yield Finding(RULE.name, RULE.level, message, attribute.span)


def _of_numbers(context: Context, operation: Operation) -> Iterator[Finding]:
    """Report negative sizes, and parameters of an operation, or of the sequence it calls, that have to be integers."""
    sizes = negative_size(operation)
    if sizes is not None:
        yield Finding(RULE.name, RULE.level, negative_message(sizes), sizes.span)
    for use in number_uses(operation, context.catalogue):
        message = use.misfit(held_constant(use.value) or "")
        if message is not None:
            yield Finding(RULE.name, RULE.level, message, operation.syntax.operands[use.operand].span)
    callee = context.callee(operation) if operation.has_callee else None
    passed = dict(zip(callee.body.arguments, operation.operands, strict=False)) if callee and callee.body else {}
    for use in (use for inner in (callee.walk() if callee else ()) for use in number_uses(inner, context.catalogue)):
        value = passed.get(use.value)
        message = use.misfit(held_constant(value) or "") if value is not None else None
        if message is not None:
            span = operation.syntax.operands[use.value.index].span
            yield Finding(RULE.name, RULE.level, f"in `@{operation.syntax.symbols[0].path[-1]}`, {message}", span)


def _of_types(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    """Report a result of a search or of a cast whose type asks for other operations than can be found there."""
    source = operation.first_operand if operation.has_trait("CastOpInterface") else None
    names = (held.of(source) if source is not None else operation.required_names) or frozenset()
    types = operation.syntax.result_types or ()
    for result in operation.results if names and not operation.syntax.broken else ():
        wanted = held.by_type(result)
        definition = held.context.catalogue.operation(wanted) if wanted is not None else None
        if definition is None or wanted in names or "ConstantLike" in definition.traits:
            continue  # patterns may leave a constant in place of what a handle holds
        is_spelled = result.index < len(types) and types[result.index].is_spelled
        message = f"the type of `{result.shown}` asks for `{wanted}`, but only {listed(names)} can be found here"
        yield Finding(RULE.name, RULE.level, message, types[result.index].span if is_spelled else operation.location)


def _of_kinds(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    definition = operation.definition
    if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
        return
    catalogue = held.context.catalogue
    for operand in definition.operands:
        kinds = kinds_taken(operation, operand)
        target = next(iter(operation.group(operand.name)), None) if kinds else None
        names = held.of(target) if target is not None else None
        refused = frozenset(name for name in names or () if is_refused(name, kinds, catalogue))
        if target is None or not refused or _may_fail(operation) or target in evaluated(held.context).empty:
            continue
        note = SectionNote(f"`{target.shown}` is defined here", target.span)
        message = f"`{operation.name}` applies to {listed_kinds(kinds)} only, but `{target.shown}`"
        if refused == names:
            message += f" holds {listed(names)}"
            yield Finding(RULE.name, RULE.level, message, operation.location, (note,), _help(held, target, kinds))
        elif target.operation is not None and refused <= (target.operation.required_names or frozenset()):
            if any(shortfall.operation is operation for shortfall in evaluated(held.context).shortfalls):
                continue  # the written payload has one: it is not a hint
            help_text = "match these operations into a handle of their own"
            message += f" holds {listed(refused)} where there is one"
            yield Finding(RULE.name, Level.HINT, message, operation.location, (note,), help_text)


def _may_fail(operation: Operation) -> bool:
    """Whether an operation around it suppresses a failure, or tries another region after one."""
    return any(len(outer.regions) > 1 or suppresses_failures(outer) for outer in operation.ancestors())


_CONTAINERS: Final = ("IsIsolatedFromAbove", "RegionBranchOpInterface", "FunctionOpInterface")
"""Traits of operations whose bodies hold payload of any kind; that of `linalg.matmul` computes a single element."""


def _help(held: HeldNames, target: Value, kinds: tuple[str, ...]) -> str | None:
    """Return which handle to take: another result of the same operation, or what is inside of `target`."""
    catalogue = held.context.catalogue
    for other in target.operation.results if target.operation is not None else ():
        names = held.of(other) or ()
        if names and not any(is_refused(name, kinds, catalogue) for name in names):
            return f"`{other.shown}` holds {listed(names)}: use it instead"
    definitions = map(catalogue.operation, held.of(target) or ())
    if all(definition is not None and not definition.traits.isdisjoint(_CONTAINERS) for definition in definitions):
        return f"match the operations to transform inside of it: `in {target.shown}`"
    return None


RULE: Final = Rule("never-succeeds", check=check, shows_when_run=True)
