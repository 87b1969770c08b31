"""Convert `transform.sequence` to a named sequence, with which MLIR's interpreter begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import SectionEdit, placed_edit
from tdls.analysis.meaning.sequences import around_operation, is_applied_to_root, scripts_of
from tdls.analysis.rules.language.missing_terminator import end_block
from tdls.analysis.rules.transform.missing_with_named_sequence import mark_module
from tdls.ide.changes.place import RefusalError, indentation, reindented, spelled_type
from tdls.semantic.transform_dialect import (
    ENTRY_POINT,
    NAMED_SEQUENCE,
    SEQUENCE,
    WITH_NAMED_SEQUENCE,
    YIELD,
    suppresses_failures,
)
from tdls.syntax.layout import end_of_line_behind
from tdls.text.scanning import after_blanks, before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.changes.place import Place
    from tdls.semantic.model import Block, Operation
    from tdls.text.diagnostic import TextEdit


def convert_sequence(place: Place) -> list[TextEdit] | None:
    """Return the edits that convert the sequence here; None at other operations. Raises RefusalError.

    The module around it gets the attribute that named sequences need; without a module the sequence gets one.
    """
    sequence = place.operation(SEQUENCE)
    if sequence is None:
        return None
    body = _body(place.context, sequence)
    around, section = around_operation(place.context, sequence)
    edits = sorted(_edits(place.context, sequence, body), key=lambda edit: edit.span)
    if around is not None:
        if not around.has_attribute(WITH_NAMED_SEQUENCE):
            mark = mark_module(around, section, (section or place.context.section).text)
            if mark is None:
                raise RefusalError(f"`{around.name}` around it cannot hold a named sequence")
            edits.append(mark)
        return [placed_edit(place.context, edit) for edit in edits]
    start, end = sequence.span
    text, indent = place.text[:end], indentation(place.text, sequence)
    for edit in reversed(edits):
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    inside = reindented(text[start:], indent, f"{indent}  ")
    return [place.edit(sequence.span, f"module attributes {{{WITH_NAMED_SEQUENCE}}} {{\n{inside}\n{indent}}}")]


def _body(context: Context, sequence: Operation) -> Block:
    """Return the body of a sequence that can be converted. Raises RefusalError."""
    body = sequence.body
    if suppresses_failures(sequence):
        raise RefusalError("it suppresses failures of its steps, which a named sequence does not")
    if not is_applied_to_root(sequence) or sequence.syntax.result_types or len(sequence.syntax.attributes) > 1:
        raise RefusalError("only a sequence without operands, results and attributes begins a script")
    if body is None or len(body.arguments) != 1 or body.syntax.label is None:
        raise RefusalError("an entry point takes the root of the payload only, and this one takes more values")
    parts = (each for each in context.file.contexts if each.part == context.part)
    others = (other for each in parts for other in scripts_of(each) if other is not sequence)
    if any(is_applied_to_root(other) and other.name != NAMED_SEQUENCE for other in others):
        raise RefusalError("the file has other sequences, of which the interpreter would run none")
    if ENTRY_POINT in context.visible_symbols(NAMED_SEQUENCE):
        raise RefusalError(f"there is `@{ENTRY_POINT}` already")
    return body


def _edits(context: Context, sequence: Operation, body: Block) -> Iterator[SectionEdit]:
    """Yield the edits of the head, of the label, and for a missing end. Raises RefusalError."""
    (root,) = body.arguments
    text, region, label = context.section.text, body.region.syntax, body.syntax.label_span
    mark = CONSUMED if context.effects.is_consumed_in(body, root) else READONLY
    head = f"{NAMED_SEQUENCE} @{ENTRY_POINT}({root.name}: {spelled_type(root)} {{{mark}}}) {{"
    yield SectionEdit(Span(sequence.span.start, region.start + 1), head)
    argument = body.syntax.arguments[0]
    closer = after_blanks(text, argument.type.end if argument.type is not None else argument.end)
    end = after_blanks(text, closer + 1) + 1
    if text[closer : closer + 1] != ")" or text[end - 1 : end] != ":":
        raise RefusalError("the label of its block is not written as usual")
    is_last = end_of_line_behind(text, end) is not None
    yield SectionEdit(Span(before_blanks(text, label.start) if is_last else label.start, end), "")
    if body.terminator is None or body.terminator.name != YIELD:
        fix = end_block(context, sequence, body)
        yield from fix.edits if fix is not None else ()
