"""The rule `unused-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import leaves_payload_alone
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import HandleEffect
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.text.diagnostic import Tag
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation

_ON_PURPOSE: Final = "%_"
_MATCHERS: Final = frozenset({"SingleOpMatcherOpTrait", "SingleValueMatcherOpTrait", "AtMostOneOpMatcherOpTrait"})
_MAY_ASK: Final = "MatchOpInterface"


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that only define handles or parameters, all of them unused.

    Nothing is reported where an operation cannot be read, or a name is not defined, since uses may be missing there;
    and nothing that an operation may use which lacks an operand.
    """
    model = context.model
    if model.unresolved or model.redefinitions or any(operation.syntax.broken for operation in operations):
        return
    lacking = (each for each in operations if len(each.operands) < len(each.syntax.operand_types or ()))
    in_sight = {around.block for each in lacking for around in (each, *each.ancestors())}
    quiet: dict[Block, bool] = {}
    for operation in operations:
        is_used = any(group.name.startswith(_ON_PURPOSE) for group in operation.syntax.results)
        is_used = is_used or operation.block in in_sight or any(value in context.users for value in operation.results)
        if not is_used and _is_without_effect(context, operation) and not _asks(operation, quiet):
            yield _finding(context, operation)


def _finding(context: Context, operation: Operation) -> Finding:
    names = operation.syntax.results
    verb = "is" if len(operation.results) == 1 else "are"
    return Finding(
        RULE.name,
        RULE.level,
        f"{' and '.join(f'`{group.name}`' for group in names)} {verb} never used",
        Span(names[0].start, names[-1].end),
        help=f"remove `{operation.name}`, which does nothing else",
        fixes=(_removal(context, operation),),
        tag=Tag.UNNECESSARY,
    )


def _is_without_effect(context: Context, operation: Operation) -> bool:
    """Whether `operation` is known only to read handles and payload, and to define results."""
    definition = operation.definition
    if definition is None or not operation.syntax.results or not is_transform_operation(operation):
        return False
    if not leaves_payload_alone(operation) or definition.regions:
        return False
    effects = {effect for effect, _ in context.effects.effects(operation)}
    return not operation.has_callee and effects.isdisjoint({HandleEffect.CONSUMES, HandleEffect.UNKNOWN})


def _asks(operation: Operation, quiet: dict[Block, bool]) -> bool:
    """Whether the operation may be a condition of a matcher, which rejects by its failure.

    Matchers do not change the payload; `quiet` caches which blocks do not.
    """
    definition, block = operation.definition, operation.block
    if definition is None or block is None or not _MATCHERS.isdisjoint(definition.traits):
        return True
    if _MAY_ASK not in definition.traits or not operation.operands:
        return False
    if block not in quiet:
        quiet[block] = all(leaves_payload_alone(inner) for inner in block.operations)
    return quiet[block]


def _removal(context: Context, operation: Operation) -> SectionFix:
    """Return the fix that removes the operation, with its line if that has no other code.

    It is safe for operations without operands, which cannot fail.
    """
    whole = own_lines(context.section.text, operation.span) or operation.span
    return SectionFix(f"Remove the unused `{operation.name}`", (SectionEdit(whole, ""),), safe=not operation.operands)


RULE: Final = Rule("unused-handle", check=check, is_silent=True, fix=FixKind.UNSAFE)
