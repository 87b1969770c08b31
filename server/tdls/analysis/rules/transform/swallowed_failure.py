"""The rule `swallowed-failure`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.rule import Rule
from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.structs import NamedTuple
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import NamedAttribute

_MODE: Final = "failure_propagation_mode"
_SUPPRESS: Final = "suppress"


class _Dependence(NamedTuple):
    """`user` needs `value`, which is empty when `maker` fails."""

    maker: Operation
    value: Value
    user: Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report suppressed failures of operations with results that are used, one for each suppression."""
    for operation in operations:
        mode = operation.syntax.attribute(_MODE)
        if mode is None or mode.value != _SUPPRESS or operation.syntax.broken:
            continue
        block = _executed(context, operation)
        dependence = next(_dependences(context, block), None) if block is not None else None
        if dependence is not None:
            yield _finding(context, mode, dependence)


def _executed(context: Context, operation: Operation) -> Block | None:
    """Return the body of a sequence, or of the one that `operation` calls."""
    callee = context.effects.callee(operation) if operation.has_callee else operation
    return callee.body if callee is not None else None


def _dependences(context: Context, block: Block) -> Iterator[_Dependence]:
    """Yield the uses, in a block, of results of earlier operations that may fail."""
    made: dict[Value, Operation] = {}
    for operation in block.operations:
        for user in operation.walk():
            for value in user.operands:
                if value in made:
                    yield _Dependence(made[value], value, user)
        if _may_fail(context, operation, set()):
            made.update((result, operation) for result in operation.results)


def _may_fail(context: Context, operation: Operation, visited: set[Block]) -> bool:
    """Whether `operation` transforms the payload of an operand that it consumes, or passes on such a failure."""
    mode, block = operation.spelled(_MODE), _executed(context, operation)
    if mode is not None:
        if mode == _SUPPRESS or block is None or block in visited:
            return False
        visited.add(block)
        return any(_may_fail(context, inner, visited) for inner in block.operations)
    definition = operation.definition
    if definition is None or definition.payload_effect is not PayloadEffect.MODIFIES:
        return False
    return any(operand.effect is HandleEffect.CONSUMES for operand in definition.operands)


def _finding(context: Context, mode: NamedAttribute, dependence: _Dependence) -> Finding:
    maker, value, user = dependence
    return Finding(
        RULE.name,
        RULE.level,
        f"a failure of `{maker.name}` would be silent: `{user.name}` goes on with an empty `{value.shown}` then",
        mode.span,
        tuple(_notes(context, dependence)),
        "`failures(propagate)` ends the script with the failure; `transform.alternatives` can undo what was begun",
    )


def _notes(context: Context, dependence: _Dependence) -> Iterator[SectionNote]:
    """Yield notes at the operations involved, unless they are in another file."""
    home = context.definition_of(dependence.maker).context
    if home.file is not context.file:
        return
    section = home.section if home is not context else None
    yield SectionNote(f"`{dependence.maker.name}` may fail here", dependence.maker.location, section=section)
    yield SectionNote(f"`{dependence.value.shown}` is used here", dependence.user.location, section=section)


RULE: Final = Rule(
    code="TD209",
    name="swallowed-failure",
    level=Level.HINT,
    check=check,
    looks_at=OperationKind.TRANSFORM,
    is_silent=True,
)
