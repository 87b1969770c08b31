"""The rule `argument-effect-attributes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.sequences import add_mark, fitting_mark, marks_of, misspelt_marks, remove_mark
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.symbols import is_external, root_of, symbol_name
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report arguments of named sequences whose effect is contradictory, missing where needed, or wrong."""
    for sequence in sequences:
        if sequence.syntax.signature is None or sequence.syntax.broken:
            continue
        for number, argument in enumerate(sequence.syntax.signature.arguments):
            slip = next(_slips(context, sequence, argument), None)
            yield from _check(context, sequence, number, argument) if slip is None else (slip,)


def _slips(context: Context, sequence: Operation, argument: BlockArgument) -> Iterator[Finding]:
    """Yield attributes that look like slips of the marks.

    MLIR accepts one with the dialect's name where it asks for no mark.
    """
    for attribute, mark in misspelt_marks(argument):
        is_refused = "." not in attribute.name or is_external(sequence) or _is_called(context, sequence)
        message = f"`{attribute.name}` says nothing about the argument; `{mark}` does"
        span = Span(attribute.start, attribute.start + len(attribute.name))
        fix = SectionFix(f"Change to `{mark}`", (SectionEdit(span, mark),))
        yield Finding(RULE.name, RULE.level if is_refused else Level.WARNING, message, span, fixes=(fix,))


def _is_called(context: Context, sequence: Operation) -> bool:
    """Whether an operation passes its operands to `sequence`, which then has to promise its effect on them."""
    name = symbol_name(sequence)
    if name is None:
        return False
    if sequence.parent is None:
        return context.is_called(name)
    inside = (op for op in root_of(sequence).walk() if op.has_callee)
    return any(context.effects.callee(operation) is sequence for operation in inside)


def _check(context: Context, sequence: Operation, number: int, argument: BlockArgument) -> Iterator[Finding]:
    spelled = marks_of(argument)
    place = argument.span
    consumer = _consumer(context, sequence, number)
    if len(spelled) == 2:
        message = f"argument #{number} cannot be both `{READONLY}` and `{CONSUMED}`"
        fitting = fitting_mark(context, sequence, number)
        fixes = tuple(
            SectionFix(f"Keep `{mark}` only", (remove_mark(argument, other),), safe=fitting is not None)
            for mark, other in ((READONLY, CONSUMED), (CONSUMED, READONLY))
            if fitting in (None, mark)
        )
        yield Finding(RULE.name, RULE.level, message, place, fixes=fixes)
    elif not spelled and (is_external(sequence) or _is_called(context, sequence)):
        message = f"argument #{number} of a called or external named sequence must say what happens to it"
        help_text = f"mark it `{{{READONLY}}}` or `{{{CONSUMED}}}`"
        fixes = tuple(_add_one(context, sequence, number, argument))
        yield Finding(RULE.name, RULE.level, message, place, help=help_text, fixes=fixes)
    elif spelled == {READONLY} and consumer is not None:
        message = f"argument #{number} is marked `{READONLY}` but the body consumes it"
        note = SectionNote("consumed here", consumer.location)
        mark = next(attribute for attribute in argument.attributes if attribute.name == READONLY)
        fix = SectionFix(f"Mark the argument `{CONSUMED}`", (SectionEdit(mark.span, CONSUMED),))
        yield Finding(RULE.name, RULE.level, message, place, (note,), fixes=(fix,))


def _add_one(context: Context, sequence: Operation, number: int, argument: BlockArgument) -> Iterator[SectionFix]:
    """Yield the fix that adds the mark that fits the body; if that is unknown, one for each mark to choose from."""
    fitting = fitting_mark(context, sequence, number)
    for mark in (fitting,) if fitting is not None else (READONLY, CONSUMED):
        edit = add_mark(context, argument, mark)
        if edit is not None:
            yield SectionFix(f"Mark the argument `{mark}`", (edit,), safe=fitting is not None)


def _consumer(context: Context, sequence: Operation, number: int) -> Operation | None:
    body = sequence.body
    if body is None or number >= len(body.arguments):
        return None
    value = body.arguments[number]
    return next((op for op in body.operations if context.effects.consumes(op, value)), None)


RULE: Final = Rule("argument-effect-attributes", check=check, fix=FixKind.UNSAFE)
