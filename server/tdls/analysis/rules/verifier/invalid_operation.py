"""The rule `invalid-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.payload.checking import Surroundings
from tdls.payload.verifiers import problems
from tdls.syntax.types import differ

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report upstream operations of the payload that the verifier of every MLIR rejects."""
    types = context.model.types
    aliases = dict(reversed(types.made_of))  # of several definitions, the first counts
    payload = Surroundings(
        context.catalogue, types.canonical, context.symbols.lookup_nearest, aliases, context.may_define
    )
    for operation in operations:
        uses = zip(operation.operands, operation.syntax.operand_types or (), strict=False)
        if any(value and value.type and use and differ(types.canonical(use.text), value.type) for value, use in uses):
            continue  # `type-mismatch` says so
        for problem in problems(payload, operation):
            subject = concerns_of(context).of(operation, is_certain=True)
            yield Finding(RULE.name, RULE.level, problem.message, problem.place, subject=subject)
            break


RULE: Final = Rule("invalid-operation", check=check)
