"""Marking the arguments of a named sequence by what its body does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import placed_edit
from tdls.analysis.meaning.sequences import add_mark, fitting_mark, marks_of
from tdls.ide.actions.request import ActionKind, CodeAction
from tdls.semantic.transform_dialect import is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.actions.request import ActionRequest
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument
    from tdls.text.diagnostic import TextEdit


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for the argument at a place, and one for all arguments if the place is in the signature."""
    for context in request.contexts:
        for operation in context.model.walk():
            if operation.syntax.signature is not None and is_transform_operation(operation):
                yield from _for_sequence(request, context, operation)


def _for_sequence(request: ActionRequest, context: Context, sequence: Operation) -> Iterator[CodeAction]:
    edits: list[TextEdit] = []
    is_asked_for = request.touches(context.to_file(sequence.location))
    for number, argument in enumerate(sequence.syntax.signature.arguments if sequence.syntax.signature else ()):
        mark = fitting_mark(context, sequence, number) if not marks_of(argument) else None
        edit = add_mark(context, argument, mark) if mark is not None else None
        if edit is None:
            continue
        edits.append(placed_edit(context, edit))
        if _is_at(request, context, argument):
            is_asked_for = True
            yield CodeAction(f"Mark `{argument.name}` as `{mark}`", ActionKind.REWRITE, (edits[-1],))
    if is_asked_for and len(edits) > 1:
        yield CodeAction("Mark all arguments by what the body does", ActionKind.REWRITE, tuple(edits))


def _is_at(request: ActionRequest, context: Context, argument: BlockArgument) -> bool:
    span = argument.span
    end = argument.type.end if argument.type is not None else span.end
    return request.touches(context.to_file(span._replace(end=end)))
