"""The rule `operand-count`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.catalogue.model import Arity
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Subject
from tdls.text.span import Span
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperandDefinition, ResultDefinition
    from tdls.semantic.model import Operation


_NO_TYPES = re.compile(r":\s*\((?=\s*\))")
_ENDS_WITH_TYPES = re.compile(r"\(\s*`:` type\(\$\w+\)\s*\^\s*\)\?$")
"""The end of an assembly format whose types may be left out with the operands."""


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations with more or fewer operands than their types or their definition require."""
    for operation in operations:
        syntax = operation.syntax
        if syntax.broken or syntax.form is Form.STRUCTURAL:
            continue
        from_types = _types_message(operation)
        message = from_types or _definition_message(context, operation)
        if message is not None:
            is_settled_form = operation.definition is not None and is_settled(operation.definition)
            is_certain = is_settled_form or (from_types is not None and syntax.form is Form.GENERIC)
            subject = concerns_of(context).of(operation, is_certain=is_certain)
            fixes = tuple(_fixes(context, operation)) if from_types and subject is Subject.SCRIPT else ()
            yield Finding(RULE.name, RULE.level, message, operation.location, fixes=fixes, subject=subject)


def _fixes(context: Context, operation: Operation) -> Iterator[SectionFix]:
    """Yield the fix that passes the only unused handle of the type that is left, or spells the operands' types."""
    types, uses = operation.syntax.operand_types or (), operation.syntax.operands
    own = [value.type for value in operation.operands if value is not None and value.type is not None]
    spelled = [type_ for type_ in types if type_ is not None and type_.is_spelled]
    if not uses or len(own) < len(uses) or len(spelled) < len(types):
        return
    if not types:
        empty = _NO_TYPES.search(context.tree.text, *operation.span)
        definition, listed = operation.definition, ", ".join(own)
        if empty is not None:
            yield SectionFix("Spell the types of the operands", (SectionEdit(Span(empty.end(), empty.end()), listed),))
        elif definition is not None and _ENDS_WITH_TYPES.search(definition.assembly_format or ""):
            end = Span(operation.span.end, operation.span.end)
            yield SectionFix("Spell the types of the operands", (SectionEdit(end, f" : {listed}"),))
        return
    wanted = [context.model.types.canonical(type_.text) for type_ in spelled]
    place = next((number for number, pair in enumerate(zip(own, wanted, strict=False)) if pair[0] != pair[1]), len(own))
    if len(types) == len(uses) + 1:
        unused = [value for value in context.in_reach(operation) if value not in context.users]
        fitting = [value.shown for value in unused if value.type == wanted[place]]
        if len(fitting) == 1:
            at = uses[place].start if place < len(uses) else uses[-1].end
            new = f"{fitting[0]}, " if place < len(uses) else f", {fitting[0]}"
            yield SectionFix(f"Pass `{fitting[0]}`", (SectionEdit(Span(at, at), new),))
            return
    span, text = Span(spelled[0].start, spelled[-1].end), ", ".join(own)
    yield SectionFix("Spell the types of the operands", (SectionEdit(span, text),))


def _types_message(operation: Operation) -> str | None:
    types, values = operation.syntax.operand_types, len(operation.operands)
    if types is None or len(types) == values:
        return None
    return f"`{operation.name}` has {counted(values, 'operand')} but {counted(len(types), 'operand type')}"


def _definition_message(context: Context, operation: Operation) -> str | None:
    """Only the generic form can spell a number of operands that no version of the definition allows."""
    if operation.definition is None or operation.syntax.form is not Form.GENERIC:
        return None
    values = len(operation.operands)
    bounds = [count_bounds(definition.operands) for definition in context.catalogue.counting(operation.name)]
    if not bounds or any(values >= least and (most is None or values <= most) for least, most in bounds):
        return None
    least, most = bounds[0]
    bound = "" if least == most else "at least " if values < least else "at most "
    expected = f"{bound}{counted(least if values < least or most is None else most, 'operand')}"
    return f"`{operation.name}` takes {expected}, found {values}"


def count_bounds(values: Sequence[OperandDefinition | ResultDefinition]) -> tuple[int, int | None]:
    """Return the least and the greatest number of operands or results, or None where there is no limit."""
    arities = [value.arity for value in values]
    is_unlimited = not {Arity.VARIADIC, Arity.VARIADIC_OF_VARIADIC}.isdisjoint(arities)
    return arities.count(Arity.ONE), None if is_unlimited else len(arities)


RULE: Final = Rule("operand-count", check=check)
