"""The rule `unmarked-argument`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import Finding, SectionFix
from tdls.analysis.meaning.sequences import add_mark, fitting_mark, marks_of, misspelt_marks
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import HandleEffect
from tdls.semantic.symbols import is_external, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report unmarked arguments of sequences that nothing calls here; `argument-effect-attributes` reports others."""
    for sequence in sequences:
        signature, name = sequence.syntax.signature, symbol_name(sequence)
        if signature is None or name is None or sequence.syntax.broken:
            continue
        if name == ENTRY_POINT or is_external(sequence) or context.is_called(name):
            continue
        for number, argument in enumerate(signature.arguments):
            if not marks_of(argument) and not any(misspelt_marks(argument)):
                yield _finding(context, sequence, number, argument)


def _finding(context: Context, sequence: Operation, number: int, argument: BlockArgument) -> Finding:
    return Finding(
        RULE.name,
        RULE.level,
        f"argument #{number} does not say what happens to it, so other files cannot call `@{symbol_name(sequence)}`",
        argument.span,
        help=f"mark it `{{{READONLY}}}` or `{{{CONSUMED}}}`",
        fixes=tuple(_marks(context, sequence, number, argument)),
    )


def _marks(context: Context, sequence: Operation, number: int, argument: BlockArgument) -> Iterator[SectionFix]:
    mark = fitting_mark(context, sequence, number)
    edit = add_mark(context, argument, mark) if mark is not None else None
    body = sequence.body
    if edit is not None and body is not None:
        value = body.arguments[number]
        users = context.users.get(value, ())
        effects = (effect for user in users for effect, other in context.effects.effects(user) if other is value)
        safe = all(user.definition is not None for user in users) and HandleEffect.UNKNOWN not in effects
        yield SectionFix(f"Mark the argument `{mark}`", (edit,), safe=safe)


RULE: Final = Rule("unmarked-argument", check=check, is_silent=True, fix=FixKind.SAFE)
